/** What the page takes of gifenc, so that the rest of it, under another licence in part, stays out of the page. */
export { GIFEncoder, applyPalette } from 'gifenc/dist/gifenc.esm.js';
