import { describe, expect, it } from 'vitest';
import type { Choice } from '../../src/game/opening-phase';
import { OpeningPhase } from '../../src/game/opening-phase';
import { PLAIN_OPENINGS, leastSide } from '../../src/game/opening-rules';
import { namedOpening } from '../../src/game/named-openings';
import type { Point } from '../../src/game/point';
import { label, parseLabel } from '../../src/game/point';
import type { Position } from '../../src/game/position';
import { pointsWith, positionAt } from '../../src/game/position';
import type { Cells, Color, Rule } from '../../src/game/rules';
import { BLACK, BLOCKED, WHITE, cellAt, winningLine } from '../../src/game/rules';
import { SgfError, readSgf } from '../../src/game/sgf';
import { forbiddenPoints, threats } from '../../src/game/threats';
import type { Game } from '../../src/game/tree';
import { lineThrough } from '../../src/game/tree';
import { cases } from './cases';

// Tables that the program's tests read too: what the page tells again is held to them.

/** A case of rules: `rule, size, black:…, white:…`, then columns `key:value`. */
function rulesCase([rule, size, ...columns]: string[]) {
  const fields = Object.fromEntries(columns.map((column) => column.split(/:(.*)/s)));
  const [width, height] = sizeOf(size!);
  const cells = new Uint8Array(width * height);
  const put = (text: string, color: number) =>
    items(text).forEach((p) => {
      const [x, y] = p.split(',').map(Number);
      cells[y! * width + x!] = color;
    });
  put(fields['black']!, BLACK);
  put(fields['white']!, WHITE);
  const board: Cells = { width, height, cells };
  return { rule: rule as Rule, board, fields: fields as Record<string, string | undefined> };
}

function sizeOf(text: string): [number, number] {
  const [width, height = width] = text.split('x').map(Number) as [number, number?];
  return [width, height];
}

function items(text = ''): string[] {
  return text.split(';').filter((item) => item !== '');
}

const RULES_CASES = ['forbidden', 'rules_named', 'wins']
  .flatMap((name) => cases(`bench_positions/${name}.txt`))
  .map(rulesCase);

describe('rules', () => {
  it('find the winner of every case', () => {
    const wins = RULES_CASES.filter(({ fields }) => fields['last']);
    for (const { rule, board, fields } of wins) {
      const [x, y] = fields['last']!.split(',').map(Number) as [number, number];
      const color = cellAt(board, x, y) === BLACK ? 'black' : 'white';
      const hasWon = winningLine(board, rule, { x, y }).length > 0;
      expect(hasWon ? color : 'none', JSON.stringify(fields)).toBe(fields['winner']);
    }
    expect(wins.length).toBeGreaterThan(1000);
  });
  it('find the forbidden points of every case', () => {
    const known = RULES_CASES.filter(({ fields }) => fields['forbidden'] !== undefined);
    for (const { board, fields } of known) {
      const found = forbiddenPoints(board).map(({ x, y }) => `${x},${y}`);
      const expected = items(fields['forbidden']).map((item) => item.split('=')[0]);
      expect(found.sort(), JSON.stringify(fields)).toEqual(expected.sort());
    }
    expect(known.length).toBeGreaterThan(2000);
  }, 120_000);
  it('find the threats of every case', () => {
    for (const columns of cases('tests/cases/threats.txt')) {
      const { rule, board } = rulesCase(columns);
      const found: Record<string, string[]> = {};
      for (const { point, color, kind } of threats(board, rule)) {
        (found[`${colorName(color)}-${kind}`] ??= []).push(`${point.x},${point.y}`);
      }
      const written = Object.entries(found).map(([key, points]) => `${key}:${points.join(';')}`);
      expect(written.sort(), columns.slice(0, 4).join(' ')).toEqual(columns.slice(4).sort());
    }
  });
});

function colorName(color: Color): string {
  return color === BLACK ? 'black' : 'white';
}

describe('openings', () => {
  /** A choice in words; columns past the board have labels too. */
  function choiceOf(text: string, height: number): Choice {
    const [word, ...rest] = text.split(' ');
    const point = (name: string): Point => parseLabel(name, 22, height)!;
    switch (word) {
      case 'takes':
        return { do: 'take', color: rest[0] === 'black' ? BLACK : WHITE };
      case 'adds':
        return { do: 'add', points: rest.map(point) as [Point, Point] };
      case 'declares':
        return { do: 'declare', count: Number(rest[0]) };
      case 'offers':
        return { do: 'offer', points: rest.map(point) };
      case 'keeps':
        return { do: 'keep', point: point(rest[0]!) };
      default:
        return { do: 'put', point: point(word!) };
    }
  }

  const number = (player: string | null) => ['first', 'second'].indexOf(player ?? '') + 1;

  it('go as the rules say', () => {
    const seen = new Set<string>();
    for (const [rule, size, choices, verdicts, end] of cases('tests/cases/openings.txt')) {
      const [width, height] = sizeOf(size!);
      seen.add(rule!);
      if (verdicts === 'refused') {
        expect(leastSide(rule!)).toBeGreaterThan(Math.min(width, height));
        continue;
      }
      const phase = new OpeningPhase(rule!, width, height);
      const found = choices!.split('; ').filter(Boolean).map((text) => {
        const choice = choiceOf(text, height);
        const decider = number(phase.decider);
        const refusal = phase.judge(choice);
        if (!refusal) phase.choose(choice);
        return refusal ? `${decider}!${refusal}` : String(decider);
      });
      expect(found.join(' '), `${rule} ${size} ${choices}`).toBe(verdicts);
      expect(`${phase.isOver ? 'over' : 'open'}, black ${number(phase.black)}`).toBe(end);
    }
    expect([...seen]).toEqual(expect.arrayContaining([...PLAIN_OPENINGS]));
  });
  it('are named however they are turned', () => {
    for (const [size, moves, code] of cases('tests/cases/named_openings.txt')) {
      const [width, height] = sizeOf(size!);
      const stones = moves!.split(' ').map((name, i) => {
        return { point: parseLabel(name, width, height), color: i % 2 === 0 ? BLACK : WHITE } as const;
      });
      expect(namedOpening(stones, width, height)?.code ?? '-', `${size} ${moves}`).toBe(code);
    }
  });
});

describe('SGF', () => {
  function choiceText(choice: Choice, height: number): string {
    const labels = (points: readonly Point[]) => points.map((p) => label(p, height)).join(' ');
    switch (choice.do) {
      case 'put':
        return labels([choice.point]);
      case 'take':
        return `takes ${colorName(choice.color)}`;
      case 'declare':
        return `declares ${choice.count}`;
      case 'keep':
        return `keeps ${labels([choice.point])}`;
      default:
        return `${choice.do}s ${labels(choice.points)}`;
    }
  }

  /** The main line of a text, `null` if it is refused. Signs stand for line ends and tabs. */
  function read(column: string): Game | null {
    try {
      return readSgf(column.replaceAll('⏎', '\n').replaceAll('␍', '\r').replaceAll('⇥', '\t'));
    } catch (error) {
      if (error instanceof SgfError) return null;
      throw error;
    }
  }

  function startText(here: Position): string {
    const parts = [`${here.width}x${here.height}`];
    for (const [name, cell] of [['black', BLACK], ['white', WHITE], ['blocked', BLOCKED]] as const) {
      const points = pointsWith(here, cell).map((p) => label(p, here.height));
      if (points.length > 0) parts.push(`${name} ${points.join(' ')}`);
    }
    return [...parts, `${colorName(here.toMove)} to move`].join(', ');
  }

  it('is read as the program reads it, in the form in which the program writes it', () => {
    for (const [text, start, moves, names, written] of cases('tests/cases/sgf.txt')) {
      if (start === 'refused') continue;
      const game = read(written!);
      if (!game) throw new Error(`${written} is refused`);
      const line = lineThrough(game.root);
      const begin = line.findLast((node) => node.setup) ?? game.root;
      const end = positionAt(game, line.at(-1)!);
      // A move of the node that sets up comes after what is set up.
      const before = positionAt(game, begin.move ? { ...begin, move: null } : begin);
      expect(`${game.rule}, ${startText(before)}`, text).toBe(start);
      const played = end.moves.map(({ color, point }) => `${color === BLACK ? 'B' : 'W'} ${point ? label(point, game.height) : 'pass'}`);
      expect(played.join(', '), text).toBe(moves);
      expect([game.black, game.white, game.result].join('|'), text).toBe(names);
    }
  });
  it('has the choices of an opening as play has them', () => {
    for (const [text, rule, choices] of cases('tests/cases/opening_records.txt')) {
      const game = read(text!);
      const found = game?.choices.map((choice) => choiceText(choice, game.height)) ?? [];
      if (rule === 'refused') expect(found, text).toEqual([]);
      else expect([game?.rule, found.join('; ')], text).toEqual([rule, choices]);
    }
  });
});
