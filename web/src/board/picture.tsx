import { render } from 'preact';
import { BoardView } from './BoardView';
import { geometry } from './geometry';
import type { BoardModel } from './model';
import { medianCut, type Rgb } from './palette';
import { withPlainWood } from './theme';
import type { BoardTheme } from './theme';

/** A board as the text of an SVG file. */
export function boardSvg(model: BoardModel, theme: BoardTheme): string {
  const { width, height } = geometry(model);
  const holder = document.createElement('div');
  render(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <BoardView model={model} theme={theme} />
    </svg>,
    holder,
  );
  const text = holder.innerHTML;
  render(null, holder);
  return text;
}

/** A board drawn on a canvas whose longer side has so many pixels. */
async function boardCanvas(
  model: BoardModel,
  theme: BoardTheme,
  pixels: number,
): Promise<HTMLCanvasElement> {
  const { width, height } = geometry(model);
  const scale = pixels / Math.max(width, height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(boardSvg(model, withPlainWood(theme)))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d', { willReadFrequently: true })!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** A board as a PNG file. */
export async function boardPng(model: BoardModel, theme: BoardTheme): Promise<Blob> {
  const canvas = await boardCanvas(model, theme, 1200);
  await reduceColours(canvas);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

/** Gives a picture the 256 colours that stand for its own: edges and stones have thousands that nobody tells apart. */
async function reduceColours(canvas: HTMLCanvasElement): Promise<void> {
  const { applyPalette } = await import('./gif');
  const context = canvas.getContext('2d')!;
  const picture = context.getImageData(0, 0, canvas.width, canvas.height);
  const palette = medianCut(picture.data, 256);
  const places = applyPalette(picture.data, palette);
  places.forEach((place, i) => {
    // Outside of the round corners there is nothing.
    if (picture.data[4 * i + 3] === 255) picture.data.set(palette[place]!, 4 * i);
  });
  context.putImageData(picture, 0, 0);
}

/** An animation of boards, each shown for so long, the last one longer. */
export async function boardGif(
  models: readonly BoardModel[],
  theme: BoardTheme,
  delayMs: number,
): Promise<Blob> {
  const { GIFEncoder, applyPalette } = await import('./gif');
  const gif = GIFEncoder();
  let palette: Rgb[] | null = null;
  for (const [i, model] of models.entries()) {
    const canvas = await boardCanvas(model, theme, 480);
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    // One palette, of the frame with most stones, keeps the wood from flickering.
    palette ??= await paletteOf(models.at(-1)!, theme);
    const delay = i === models.length - 1 ? 4 * delayMs : delayMs;
    gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay });
  }
  gif.finish();
  return new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: 'image/gif' });
}

async function paletteOf(model: BoardModel, theme: BoardTheme): Promise<Rgb[]> {
  const canvas = await boardCanvas(model, theme, 480);
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  return medianCut(data, 256);
}
