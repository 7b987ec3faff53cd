import { describe, expect, it } from 'vitest';

import { medianCut, type Rgb } from '../../src/board/palette';

function picture(colours: readonly Rgb[]): Uint8ClampedArray {
  return new Uint8ClampedArray(colours.flatMap((rgb) => [...rgb, 255]));
}

describe('a palette', () => {
  it('keeps all colours of a picture that has few', () => {
    const colours: Rgb[] = [[0, 0, 0], [255, 255, 255], [220, 180, 90], [200, 30, 30]];
    const wood = Array<Rgb>(1000).fill([220, 180, 90]);
    const found = medianCut(picture([...colours, ...wood]), 256);
    expect(found).toHaveLength(4);
    expect(found).toEqual(expect.arrayContaining(colours));
  });

  it('has a colour near each one of a picture that has many', () => {
    const greys = Array.from({ length: 256 }, (_, i): Rgb => [i, i, i]);
    const found = medianCut(picture(greys), 16);
    expect(found).toHaveLength(16);
    for (const [grey] of greys) {
      expect(Math.min(...found.map(([r]) => Math.abs(r - grey)))).toBeLessThanOrEqual(16);
    }
  });

  it('has a colour for a mark of few pixels', () => {
    const wood = Array.from({ length: 5000 }, (_, i): Rgb => [200 + (i % 40), 160 + (i % 37), 80 + (i % 31)]);
    const found = medianCut(picture([...wood, [200, 30, 30]]), 64);
    expect(found.some(([r, g, b]) => Math.abs(r - 200) + Math.abs(g - 30) + Math.abs(b - 30) < 30)).toBe(true);
  });

  it('is empty without pixels', () => {
    expect(medianCut(new Uint8ClampedArray(), 8)).toEqual([]);
  });
});
