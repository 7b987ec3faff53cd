/** What the page takes of gifenc. The rest stays out of the page: its quantizer's licence is not clear. */
export { GIFEncoder, applyPalette } from 'gifenc/dist/gifenc.esm.js';
