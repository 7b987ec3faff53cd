import { batch, effect, signal, untracked } from '@preact/signals';
import { t } from '../i18n/i18n';
import { allNodes } from '../game/tree';
import type { Game, GameNode } from '../game/tree';
import { stopThinking } from './analysis';
import { clocks, restingClocks } from './clock';
import { chooseAlternative, continueOpening, phase } from './opening';
import { answering, blackHolder, ended, isEngines, playerOf, players, resumeClock } from './play';
import { solution } from './problem';
import { review } from './review';
import { setup } from './setup';
import { game, node, notice, openGame, position, verdicts, version } from './store';
import type { Verdict } from './store';

/** All that a change may touch beside the nodes of the tree. */
interface Frame {
  readonly game: Game;
  readonly node: GameNode;
  readonly result: Game['result'];
  readonly choices: Game['choices'];
  readonly phase: typeof phase.value;
  readonly players: typeof players.value;
  readonly blackHolder: typeof blackHolder.value;
  readonly setup: typeof setup.value;
  readonly review: typeof review.value;
  readonly solution: typeof solution.value;
  readonly clocks: typeof clocks.value;
}

/** All that a change may touch of a node. A foul is no change: it follows from the stones. */
interface NodeState extends Pick<GameNode, 'comment' | 'texts' | 'setup'> {
  readonly children: readonly GameNode[];
  readonly verdict: Verdict | undefined;
}

interface NodeChange {
  readonly node: GameNode;
  readonly before: NodeState;
  readonly after: NodeState;
}

/** A change of the document: the frames before and after, and the changed nodes, in the order of their changes. */
interface Change {
  before: Frame;
  after: Frame;
  readonly nodes: NodeChange[];
}

/** A change outside the document, with functions to undo and redo the change. */
export interface Action {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Most changes that can be undone. Each may hold a whole game. */
const MOST = 200;

let past: (Change | Action)[] = [];
let future: (Change | Action)[] = [];
/** Numbers of changes that can be undone, and done again. */
export const undoable = signal({ undo: 0, redo: 0 });

/** The nodes as the last change left them. */
const known = new WeakMap<GameNode, NodeState>();
/** The frame, and the version of the tree, as they were when the last task ended. */
let last: Frame;
let seen = -1;
let isScheduled = false;
let isAnswer = false;

/**
 * Notes every change of the document, whatever makes it: all of them go through the signals of the store. What one
 * task does is one change, and the engine's answer belongs to what it answers.
 */
export function followChanges(): void {
  learn();
  changedNodes(last.game);
  effect(() => {
    void [version.value, game.value, node.value, phase.value, players.value, blackHolder.value, setup.value];
    void [review.value, solution.value, clocks.value];
    if (isScheduled) return;
    isScheduled = true;
    isAnswer = answering();
    queueMicrotask(note);
  });
}

function frame(): Frame {
  return untracked(() => ({
    game: game.value,
    node: node.value,
    result: game.value.result,
    choices: game.value.choices,
    phase: phase.value,
    players: players.value,
    blackHolder: blackHolder.value,
    setup: setup.value,
    review: review.value,
    solution: solution.value,
    clocks: clocks.value,
  }));
}

/** Takes the frame as it is now. */
function learn(): void {
  last = frame();
  seen = version.peek();
}

function stateOf({ children, comment, texts, setup }: GameNode, verdict: Verdict | undefined): NodeState {
  return { children: children.slice(), comment, texts, setup, verdict };
}

/** The nodes that are not as they were known; they are known from now on. New ones come with their parents. */
function changedNodes({ root }: Game): NodeChange[] {
  const changes: NodeChange[] = [];
  for (const at of allNodes(root)) {
    const before = known.get(at);
    const found = verdicts.get(at);
    const verdict = found?.kind === 'foul' ? undefined : found;
    if (before && isSame(before, at, verdict)) continue;
    const after = stateOf(at, verdict);
    known.set(at, after);
    if (before) changes.push({ node: at, before, after });
  }
  return changes;
}

function isSame(before: NodeState, at: GameNode, verdict: Verdict | undefined): boolean {
  const { children } = at;
  return (
    before.children.length === children.length &&
    before.children.every((child, i) => child === children[i]) &&
    before.comment === at.comment &&
    before.texts === at.texts &&
    before.setup === at.setup &&
    before.verdict === verdict
  );
}

/** True if the frames differ by more than the position shown and the findings about it. */
function differs(a: Frame, b: Frame): boolean {
  return (
    a.game !== b.game ||
    a.phase !== b.phase ||
    a.players !== b.players ||
    a.blackHolder !== b.blackHolder ||
    // The stone in the hand is no change.
    a.setup?.cells !== b.setup?.cells ||
    a.setup?.toMove !== b.setup?.toMove
  );
}

/** True if it was the engine's turn when the last task ended. */
let wasEngines = false;

function isEnginesTurn(): boolean {
  const decider = phase.value?.decider;
  return decider ? players.value[decider] === 'engine' : isEngines(position.value.toMove);
}

/** Notes what has changed since the last time. */
function note(): void {
  isScheduled = false;
  const before = last;
  const nodes = seen === version.peek() ? [] : changedNodes(game.peek());
  learn();
  const after = last;
  const isReplaced = before.game !== after.game;
  // Changes of the game before were noted then, or must not be taken for changes later.
  if (isReplaced) changedNodes(before.game);
  if (nodes.length > 0 || differs(before, after)) {
    const top = past.at(-1);
    if (isAnswer && wasEngines && top && 'nodes' in top) {
      top.after = after;
      top.nodes.push(...nodes);
    } else {
      add({ before: { ...before, clocks: restingClocks(before.clocks) }, after, nodes });
      offer(isReplaced ? before : null, nodes);
    }
    future = [];
    count();
  }
  wasEngines = untracked(isEnginesTurn);
}

/** Adds a change outside the document to the undoable changes. */
export function addAction(action: Action): void {
  add(action);
  future = [];
  count();
}

/** The same for a deletion, which is said. */
export function addDeletion(action: Action): void {
  addAction(action);
  say(t('notice.deleted'));
}

function add(change: Change | Action): void {
  past.push(change);
  if (past.length > MOST) past = past.slice(-MOST);
}

function count(): void {
  undoable.value = { undo: past.length, redo: future.length };
}

let lastNotice = 0;

/** Gives notice of a deleted branch or a replaced game, with a button to undo the change. */
function offer(replaced: Frame | null, nodes: readonly NodeChange[]): void {
  const isDeleted = nodes.some(({ before, after }) => before.children.some((child) => !after.children.includes(child)));
  const isCut = replaced !== null && replaced.game.root.children.length > 0 && replaced.result === '';
  if (!isDeleted && !isCut) return;
  const told = notice.peek();
  const text = told && told.key !== lastNotice && !told.isError ? told.text : t(isDeleted ? 'notice.deleted' : 'notice.replaced');
  say(text);
}

function say(text: string): void {
  lastNotice = (notice.peek()?.key ?? 0) + 1;
  notice.value = { text, isError: false, key: lastNotice, action: { label: 'undo', run: undoChange } };
}

/** Forgets all changes, where the page itself brought a game. */
export function forgetChanges(): void {
  [past, future] = [[], []];
  count();
  changedNodes(game.peek());
  learn();
}

/** Undoes the last change. */
export function undoChange(): void {
  move('undo');
}

/** Does again what was undone last. */
export function redoChange(): void {
  move('redo');
}

function move(way: 'undo' | 'redo'): void {
  // A text that is still being typed is a change as well.
  version.value += 1;
  isAnswer = false;
  note();
  const change = (way === 'undo' ? past : future).pop();
  if (!change) return;
  (way === 'undo' ? future : past).push(change);
  if ('nodes' in change) restore(change, way);
  else change[way]();
  if (notice.peek()?.action) notice.value = null;
  count();
}

function restore(change: Change, way: 'undo' | 'redo'): void {
  const isUndo = way === 'undo';
  // The place is that of the change; what was found since is kept for the way back.
  const now = { ...frame(), clocks: restingClocks(clocks.peek()) };
  if (isUndo) change.after = { ...now, node: change.after.node };
  else change.before = { ...now, node: change.before.node };
  const target = isUndo ? change.before : change.after;
  batch(() => {
    stopThinking();
    const nodes = isUndo ? change.nodes.slice().reverse() : change.nodes;
    for (const { node: at, before, after } of nodes) setState(at, isUndo ? before : after);
    target.game.result = target.result;
    target.game.choices = target.choices;
    phase.value = target.phase;
    chooseAlternative(false);
    players.value = target.players;
    blackHolder.value = target.blackHolder;
    setup.value = target.setup;
    review.value = target.review;
    solution.value = target.solution;
    clocks.value = target.clocks;
    ended.value = null;
    openGame(target.game, target.node);
  });
  if (!setup.value) {
    resumeClock(phase.value?.decider ?? playerOf(position.value.toMove));
    // Where nothing is left to do again, the game goes on; an answer would take that away.
    if (future.length === 0) continueOpening();
  }
  changedNodes(target.game);
  learn();
  wasEngines = isEnginesTurn();
}

function setState(at: GameNode, state: NodeState): void {
  at.children.splice(0, at.children.length, ...state.children);
  at.comment = state.comment;
  at.texts = state.texts;
  at.setup = state.setup;
  if (state.verdict) verdicts.set(at, state.verdict);
  else if (verdicts.get(at)?.kind !== 'foul') verdicts.delete(at);
}
