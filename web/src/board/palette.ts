/** A colour's red, green and blue. */
export type Rgb = [number, number, number];

/** A colour that occurs, and in how many pixels. */
interface Shade {
  readonly rgb: Rgb;
  pixels: number;
}

/** Shades that become one colour of the palette. */
interface Box {
  shades: Shade[];
  /** The channel along which the shades differ most, and by how much. */
  channel: number;
  range: number;
}

/**
 * At most `count` colours in place of the colours of an RGBA picture: a picture with no more colours keeps
 * them all. Source: P. Heckbert, "Color image quantization for frame buffer display" (1982), median cut.
 */
export function medianCut(data: Uint8ClampedArray, count: number): Rgb[] {
  const boxes = [boxOf(shadesOf(data))];
  while (boxes.length < count) {
    const widest = boxes.reduce((best, box) => (box.range > best.range ? box : best));
    if (widest.range === 0) break;
    const halves = split(widest);
    boxes.splice(boxes.indexOf(widest), 1, ...halves);
  }
  return boxes.filter((box) => box.shades.length > 0).map(meanColour);
}

function shadesOf(data: Uint8ClampedArray): Shade[] {
  const shades = new Map<number, Shade>();
  for (let i = 0; i + 3 < data.length; i += 4) {
    const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
    const key = (r << 16) | (g << 8) | b;
    const shade = shades.get(key);
    if (shade) shade.pixels += 1;
    else shades.set(key, { rgb: [r, g, b], pixels: 1 });
  }
  return [...shades.values()];
}

function boxOf(shades: Shade[]): Box {
  const ranges = [0, 1, 2].map((channel) => {
    let [low, high] = [255, 0];
    for (const { rgb } of shades) {
      low = Math.min(low, rgb[channel]!);
      high = Math.max(high, rgb[channel]!);
    }
    return Math.max(0, high - low);
  });
  const range = Math.max(...ranges);
  return { shades, channel: ranges.indexOf(range), range };
}

/** Two boxes with about as many pixels each, none of them empty. */
function split({ shades, channel }: Box): [Box, Box] {
  const sorted = [...shades].sort((a, b) => a.rgb[channel]! - b.rgb[channel]!);
  const half = sorted.reduce((sum, shade) => sum + shade.pixels, 0) / 2;
  let [pixels, end] = [0, 0];
  while (end < sorted.length - 1 && (end === 0 || pixels + sorted[end]!.pixels <= half)) {
    pixels += sorted[end]!.pixels;
    end += 1;
  }
  return [boxOf(sorted.slice(0, end)), boxOf(sorted.slice(end))];
}

function meanColour({ shades }: Box): Rgb {
  const pixels = shades.reduce((sum, shade) => sum + shade.pixels, 0);
  const mean = (channel: number) =>
    Math.round(shades.reduce((sum, shade) => sum + shade.rgb[channel]! * shade.pixels, 0) / pixels);
  return [mean(0), mean(1), mean(2)];
}
