import type { Choice } from './opening-phase';
import { OpeningPhase } from './opening-phase';
import { isRenjuOpening, leastSide, surelyUnequal } from './opening-rules';
import type { Point } from './point';
import { label, parseLabels, samePoint } from './point';
import type { Color, Rule } from './rules';
import { BLACK, WHITE } from './rules';
import type { Game, GameNode, Move } from './tree';
import { lineThrough } from './tree';

// The opening in a record, as the program's `play` has it (`src/play/record`): stones are moves of the
// main line, and choices that put none are words at the move before them.

/** The words, by the nodes at which they stand. */
export type ChoiceWords = ReadonlyMap<GameNode, readonly string[]>;

/**
 * The words for the choices of a game. `null` without an opening rule, or where the main line is not the line
 * of the opening: moves were tried before the opening was over, or another line became the main one.
 */
export function choiceWords(game: Game): ChoiceWords | null {
  const { opening, width, height, root } = game;
  if (opening === 'free' || root.setup) return null;
  const line = lineThrough(root);
  const phase = new OpeningPhase(opening, width, height);
  const words = new Map<GameNode, readonly string[]>();
  for (const choice of game.choices) {
    phase.choose(choice);
    const at = line[phase.stones.length];
    const text = textOf(choice, height);
    if (at && text) words.set(at, [...(words.get(at) ?? []), text]);
  }
  const isPlayed = phase.stones.every((p, i) => {
    const move = line[i + 1]?.move;
    return samePoint(move?.point, p) && move?.color === colorOf(i);
  });
  return isPlayed && (phase.isOver || line.length === phase.stones.length + 1) ? words : null;
}

/** The choices of which the main line and such words tell; none where the rule refuses one of them. */
export function readChoices(game: Game, words: ChoiceWords): readonly Choice[] {
  const { opening, width, height, rule } = game;
  if (!isPlayable(opening, rule, width, height)) return [];
  const phase = new OpeningPhase(opening, width, height);
  let given = phase.stones.length;
  const added: Point[] = [];
  for (const at of lineThrough(game.root)) {
    const choices: (Choice | null)[] = [];
    if (at.move && given > 0) {
      const index = phase.stones.length - given;
      const isGiven = samePoint(phase.stones[index], at.move.point) && at.move.color === colorOf(index);
      if (!isGiven) return [];
      given -= 1;
    } else if (at.move && !phase.isOver) choices.push(...choicesOfStone(phase, at.move, added));
    choices.push(...(words.get(at) ?? []).map((text) => choiceOf(text, width, height)));
    for (const choice of choices) {
      if (!choice || phase.judge(choice)) return [];
      phase.choose(choice);
    }
  }
  return phase.choices;
}

/** The colour of the stone at a place of an opening, from 0. */
function colorOf(index: number): Color {
  return index % 2 === 0 ? BLACK : WHITE;
}

/** True if a game on such a board can begin by the opening rule. */
function isPlayable(opening: string, rule: Rule, width: number, height: number): boolean {
  const fifths = opening.split(':')[2];
  return (
    Math.min(width, height) >= leastSide(opening) &&
    (rule === 'renju' || !isRenjuOpening(opening)) &&
    (fifths === undefined || (/^0*[1-9]\d*$/.test(fifths) && Number(fifths) <= surelyUnequal(width, height)))
  );
}

/** The choices of a move, `null` for a move outside the opening; `added` holds the first of two added stones. */
function choicesOfStone(phase: OpeningPhase, { point, color }: Move, added: Point[]): (Choice | null)[] {
  const { step } = phase;
  const isInTurn = (color === phase.toMove) === (added.length === 0);
  if (!point || !isInTurn) return [null];
  if (step?.do === 'keep') return [{ do: 'keep', point }];
  if (step?.do !== 'take' || step.or !== 'add') return [{ do: 'put', point }];
  const first = added.pop();
  if (first) return [{ do: 'add', points: [first, point] }];
  added.push(point);
  return [];
}

/** A choice that puts no stone, in words. */
function textOf(choice: Choice, height: number): string | null {
  switch (choice.do) {
    case 'take':
      return `takes ${choice.color === BLACK ? 'black' : 'white'}`;
    case 'declare':
      return `declares ${choice.count}`;
    case 'offer':
      return `offers ${choice.points.map((p) => label(p, height)).join(' ')}`;
    default:
      return null;
  }
}

/** Reads these words; `null` if they are others. */
function choiceOf(text: string, width: number, height: number): Choice | null {
  const [word = '', ...rest] = text.trim().toLowerCase().split(/[\s,]+/);
  if (word === 'takes') {
    const color = rest[0] === 'black' ? BLACK : rest[0] === 'white' ? WHITE : null;
    return color && { do: 'take', color };
  }
  if (word === 'declares') return { do: 'declare', count: Number.parseInt(rest[0] ?? '', 10) };
  const points = parseLabels(rest, { width, height });
  return word === 'offers' && points.length === rest.length ? { do: 'offer', points } : null;
}
