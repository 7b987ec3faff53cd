import { computed, signal } from '@preact/signals';
import type { BoardModel, CandidateMark, GhostStone, SignMark } from '../board/model';
import { judgementSigns, plainModel } from '../board/model';
import { boardTheme } from '../board/theme';
import type { Point } from '../game/point';
import { parseLabels, samePoint } from '../game/point';
import type { Position } from '../game/position';
import { cellOf, pointsWith, positionAt } from '../game/position';
import { EMPTY, opponent } from '../game/rules';
import type { Color } from '../game/rules';
import type { CellText, GameNode } from '../game/tree';
import { pathTo } from '../game/tree';
import { threats } from '../game/threats';
import { currentFindings, isAnalysing, occupied, valuesVersion } from './analysis';
import type { Findings } from './analysis';
import { database } from './database';
import { isUsersDecision, phase, picked } from './opening';
import { solution } from './problem';
import { isDark, settings } from './settings';
import { setup } from './setup';
import { forbidden, game, node, position, verdicts, version } from './store';

/** The tabs beside the board. */
export type Tab = 'play' | 'analysis' | 'review' | 'problem' | 'database';

/** The tab that is open. */
export const tab = signal<Tab>('play');
/** A line previewed on the board, and the position at its start. */
export const preview = signal<{ readonly node: GameNode; readonly points: readonly Point[] } | null>(null);
/** The points of the line if it goes from the position shown. */
export const previewedLine = computed(() =>
  preview.value?.node === node.value ? preview.value.points : null,
);
/** True if the moves that follow in the tree are hidden: the moves would give a solution away. */
export const hidesNext = signal(false);
/** Number of shown moves of the solution. */
export const solutionStep = signal(0);
/** The dialog that is open. */
export const dialog = signal<'new' | 'open' | 'games' | 'choose' | 'share' | 'settings' | 'help' | null>(null);

/** The colours of the board now. */
export const theme = computed(() => boardTheme(isDark()));

/** The numbers of the moves since the last set-up, by cell. */
function moveNumbers(at: GameNode): Map<number, number> {
  const numbers = new Map<number, number>();
  let count = 0;
  for (const step of pathTo(at)) {
    if (step.setup) {
      count = 0;
      numbers.clear();
    }
    if (!step.move) continue;
    count += 1;
    if (step.move.point) numbers.set(step.move.point.y * game.value.width + step.move.point.x, count);
  }
  return numbers;
}

/** The points where an opening rule lets the user put a stone now; `null` without a limit. */
function openingArea(here: Position): Point[] | null {
  const state = phase.value;
  if (!state || !isUsersDecision() || state.step?.do !== 'put') return null;
  const free = pointsWith(here, EMPTY);
  const area = free.filter((p) => state.mayPut(p));
  return area.length === free.length ? null : area;
}

function candidates(found: Findings): CandidateMark[] {
  const style = settings.values.value;
  if (style === 'none') return [];
  const best = found.lines[0];
  return found.lines.flatMap((line) => {
    const point = line.moves[0];
    if (!point) return [];
    const isProved = line.score.includes('M');
    const text =
      style === 'score' || isProved ? line.score.replace('+M', 'M') : String(Math.round(100 * line.winRate));
    return {
      point,
      text,
      detail: String(line.depth),
      loss: Math.max(0, (best?.winRate ?? 0) - line.winRate),
      isBest: line === best,
    };
  });
}

function searchSigns(found: Findings, taken: readonly CandidateMark[]): SignMark[] {
  const isFree = (p: Point) => !taken.some((mark) => samePoint(mark.point, p));
  const signs: SignMark[] = [];
  for (const point of found.lost.filter(isFree)) signs.push({ point, kind: 'lost' });
  for (const point of found.searched.filter(isFree)) signs.push({ point, kind: 'searched' });
  if (found.searching && isFree(found.searching)) signs.push({ point: found.searching, kind: 'searching' });
  return signs;
}

function ghostLine(points: readonly Point[], begins: Color, first = 1): GhostStone[] {
  return points.map((point, i) => ({
    point,
    color: i % 2 === 0 ? begins : opponent(begins),
    number: first + i,
  }));
}

/** The judgement of the last move: its sign on the stone, and the better move. */
function reviewSigns(): SignMark[] {
  void valuesVersion.value;
  const { judgement, mark, move } = node.value;
  return tab.value === 'review' ? judgementSigns(judgement ?? mark, move?.point ?? null, position.value) : [];
}

/** The threats on the board: found once for each position. */
const threatSigns = computed<SignMark[]>(() => {
  const here = position.value;
  const found = settings.showThreats.value && !here.ending ? threats(here, here.rule) : [];
  return found.filter(({ kind }) => kind !== 'forbidden');
});

function signs(): SignMark[] {
  const all: SignMark[] = [...reviewSigns(), ...threatSigns.value];
  const foul = verdicts.get(node.value)?.kind === 'foul' ? node.value.move?.point : null;
  if (foul) all.push({ point: foul, kind: 'foul' });
  if (settings.showForbidden.value) {
    all.push(...forbidden.value.map((point) => ({ point, kind: 'forbidden' as const })));
  }
  for (const point of [...(phase.value?.offered ?? []), ...picked.value]) {
    all.push({ point, kind: 'offered' });
  }
  if (node.value.children.length > 1 && !hidesNext.value) {
    for (const child of node.value.children) {
      if (child.move?.point) all.push({ point: child.move.point, kind: 'branch' });
    }
  }
  return all;
}

/** The texts on cells: the database's texts take the place of the game's. */
function cellTexts(): readonly CellText[] {
  void version.value;
  const own = node.value.texts;
  const looked = settings.showDatabase.value ? database.value : null;
  if (looked?.node !== node.value) return own;
  const known = looked.moves
    .map(({ point, text, label }) => ({ point, text: text || label }))
    .filter(({ text }) => text !== '');
  return [...own.filter((at) => !known.some(({ point }) => samePoint(point, at.point))), ...known];
}

/** The look of every board of the page. */
function boardLook(): Pick<BoardModel, 'hasCoordinates' | 'turn'> {
  return { hasCoordinates: settings.coordinates.value, turn: settings.turn.value & 7 };
}

/** The content of the page's board. */
export const boardModel = computed<BoardModel>(() => {
  const here = position.value;
  const cells = setup.value?.cells ?? here.cells;
  const base = { ...plainModel({ ...here, cells }), ...boardLook() };
  if (setup.value) return base;
  const found = currentFindings.value;
  const isShown = found && (isAnalysing.value || tab.value === 'analysis' || occupied.value !== null);
  const marks = isShown && settings.showSearch.value && !previewedLine.value ? candidates(found) : [];
  const solved = solution.value?.node === node.value && tab.value === 'problem' ? solution.value : null;
  const shownLine = solved ? parseLabels(solved.line, position.value).slice(0, solutionStep.value) : previewedLine.value;
  return {
    ...base,
    numbers: settings.showNumbers.value ? moveNumbers(node.value) : new Map<number, number>(),
    last: here.last,
    winning: here.ending?.line ?? [],
    candidates: marks,
    signs: [
      ...(isShown && settings.showSearch.value && !previewedLine.value ? searchSigns(found, marks) : []),
      ...signs(),
    ],
    ghosts: shownLine
      ? ghostLine(shownLine, here.toMove).filter((ghost) => cellOf(here, ghost.point) === EMPTY)
      : [],
    texts: shownLine ? [] : cellTexts(),
    area: openingArea(here),
  };
});

/** The board as a picture shows it: the position, without what searches say. */
export function pictureModel(at: GameNode): BoardModel {
  const here = positionAt(game.value, at);
  return {
    ...plainModel(here),
    numbers: settings.showNumbers.value ? moveNumbers(at) : new Map<number, number>(),
    last: here.last,
    winning: here.ending?.line ?? [],
    ...boardLook(),
  };
}
