import { describe, expect, it } from 'vitest';
import { CELL, combinedTurn, geometry, place } from '../../src/board/geometry';
import { TURNS } from '../../src/game/symmetry';

const BOARD = { width: 20, height: 15, hasCoordinates: true };

describe('a board that is turned', () => {
  it('shows every cell once, on the drawing, and finds it again', () => {
    for (const turn of TURNS.keys()) {
      const shape = geometry({ ...BOARD, turn });
      const places = new Set<string>();
      for (let y = 0; y < BOARD.height; y += 1) {
        for (let x = 0; x < BOARD.width; x += 1) {
          const at = shape.turned({ x, y });
          expect(shape.unturned(at)).toEqual({ x, y });
          const { cx, cy } = place({ x, y }, shape);
          expect(cx >= shape.margin && cx <= shape.width - shape.margin).toBe(true);
          expect(cy >= shape.margin && cy <= shape.height - shape.margin).toBe(true);
          places.add(`${cx},${cy}`);
        }
      }
      expect(places.size).toBe(BOARD.width * BOARD.height);
      expect([shape.columns, shape.rows]).toEqual(turn < 4 ? [20, 15] : [15, 20]);
    }
  });

  it('is as before after four quarter turns, or two mirrors', () => {
    let turn = 0;
    const seen = [];
    for (let i = 0; i < 4; i += 1) seen.push((turn = combinedTurn(turn, 5)));
    expect(turn).toBe(0);
    expect(new Set(seen).size).toBe(4);
    expect(combinedTurn(1, 1)).toBe(0);
  });

  it('goes right by a quarter turn: the upper left corner comes to the upper right', () => {
    const shape = geometry({ ...BOARD, turn: 5 });
    expect(place({ x: 0, y: 0 }, shape)).toEqual({ cx: shape.margin + 14 * CELL, cy: shape.margin });
  });
});
