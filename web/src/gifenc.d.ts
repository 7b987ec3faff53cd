/** The part of gifenc that the page uses; the package has no types of its own. */
declare module 'gifenc/dist/gifenc.esm.js' {
  interface Encoder {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { palette?: number[][]; delay?: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  export function GIFEncoder(): Encoder;
  export function applyPalette(data: Uint8ClampedArray, palette: number[][]): Uint8Array;
}
