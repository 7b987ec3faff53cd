/** The parts of gifenc in the page. The rest stays out: its quantizer's licence is not clear. */
export { GIFEncoder, applyPalette } from 'gifenc/dist/gifenc.esm.js';
