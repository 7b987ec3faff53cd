import { AT, FRAME, open, settle, usePage } from './page';
import { happen } from './browser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Judgement } from '../../src/game/judgement';
import { allNodes } from '../../src/game/tree';
import { watchSearch } from '../../src/state/analysis';
import { deleteBranch } from '../../src/state/branches';
import { startGame } from '../../src/state/new-game';
import { notifyBrokenLink, restore } from '../../src/state/persist';
import { review } from '../../src/state/review';
import { addLine, addMove, game, goTo, node, notice, position, step, touch } from '../../src/state/store';

usePage();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A reload: the old page writes what is kept, and the new page begins without a game. */
function reload(): void {
  happen('pagehide');
  const { hash } = location;
  startGame(FRAME, 'both');
  location.hash = hash;
  restore();
}

/** The message, which is gone then. */
function said(): string | undefined {
  const text = notice.value?.text;
  notice.value = null;
  return text;
}

/** Until the page has written what it keeps. */
function rest(): void {
  vi.advanceTimersByTime(300);
}

describe('the address', () => {
  it('is written once the user rests, however many positions are shown before', () => {
    addLine([AT(7, 7), AT(8, 8)]);
    rest();
    const write = vi.spyOn(history, 'replaceState');
    for (let i = 0; i < 480; i += 1) step(i % 2 === 0 ? 1 : -1);
    step(2);
    expect(write).not.toHaveBeenCalled();
    rest();
    expect(write).toHaveBeenCalledTimes(1);
    expect(location.hash).toBe('#freestyle-15/h8i7');
  });
  it.each<[string, () => void]>([
    ['ignored', () => undefined],
    [
      'an error',
      () => {
        throw new DOMException('too many calls', 'SecurityError');
      },
    ],
  ])('keeps the game where its change is %s', (_, refuse) => {
    addMove(AT(7, 7));
    rest();
    vi.spyOn(history, 'replaceState').mockImplementation(refuse);
    addMove(AT(8, 8)).comment = 'a comment';
    addLine([AT(0, 0)]);
    rest();
    expect(location.hash).toBe('#freestyle-15/h8');
    reload();
    expect(allNodes(game.value.root)).toHaveLength(4);
    expect(node.value.comment).toBe('a comment');
  });
  it('is left alone where the user has just changed it', () => {
    addMove(AT(7, 7));
    location.hash = '#freestyle-15/a1';
    rest();
    expect(location.hash).toBe('#freestyle-15/a1');
    happen('hashchange');
    expect(position.value.last).toEqual(AT(0, 14));
  });
  it.each([
    ['renju-15/h8i9h8', 'This link cannot be opened: h8 is taken'],
    ['renju-15/h8i9q9', 'This link cannot be opened: “q9” is no point of this board'],
    ['renju-23/h8', 'This link cannot be opened: a board has sides of 5 to 22'],
    ['foo-15/h8', 'This link cannot be opened: there is no rule “foo”'],
    ['nothing', 'This link cannot be opened: it holds no position'],
    ['', undefined],
  ])('goes back to the board where it is the broken link %s', (link, text) => {
    addMove(AT(7, 7)).comment = 'a comment';
    rest();
    location.hash = `#${link}`;
    happen('hashchange');
    expect([said(), location.hash]).toEqual([text, '#freestyle-15/h8']);
    expect(node.value.comment).toBe('a comment');
    // The same link in the address of a page that is loaded.
    happen('pagehide');
    startGame(FRAME, 'both');
    location.hash = `#${link}`;
    expect(restore()).toBe(true);
    notifyBrokenLink();
    expect(said()).toBe(text);
    // It is said once.
    notifyBrokenLink();
    expect(said()).toBeUndefined();
    rest();
    expect(location.hash).toBe('#freestyle-15/h8');
    expect(node.value.comment).toBe('a comment');
  });
  it('brings another position where it is that of neither', () => {
    addMove(AT(7, 7));
    rest();
    location.hash = '#freestyle-15/a1';
    restore();
    expect(position.value.last).toEqual(AT(0, 14));
  });
});

describe('a game that is too large to be kept', () => {
  /** Lets so many characters be kept. */
  function limitStorage(most: number): void {
    const { setItem } = sessionStorage;
    vi.spyOn(sessionStorage, 'setItem').mockImplementation((key, text) => {
      if (text.length > most) throw new DOMException('full', 'QuotaExceededError');
      setItem(key, text);
    });
  }

  it('is kept without what is said of its moves, which is told once', async () => {
    addMove(AT(7, 7));
    rest();
    limitStorage(2000);
    addMove(AT(8, 8)).comment = 'long '.repeat(1000);
    rest();
    // No database could keep the whole game either.
    await settle();
    expect(notice.value?.isError).toBe(true);
    notice.value = null;
    touch();
    rest();
    await settle();
    expect(notice.value).toBeNull();
    reload();
    expect(position.value.moves).toHaveLength(2);
    expect(node.value.comment).toBe('');
  });
  it('leaves no older one where not even its moves have room', () => {
    addMove(AT(7, 7)).comment = 'of before';
    rest();
    limitStorage(100);
    addMove(AT(8, 8));
    rest();
    expect(sessionStorage.getItem('tengen.game')).toBeNull();
    reload();
    expect(position.value.moves).toHaveLength(2);
    expect(node.value.parent!.comment).toBe('');
  });
  it('is not spoken of where the browser keeps nothing at all', () => {
    vi.spyOn(sessionStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    addMove(AT(7, 7));
    rest();
    expect(notice.value).toBeNull();
  });
});

describe('a reload', () => {
  const judged = (move: number, name: Judgement['class']) => ({ move, class: name, loss: 0.2 }) as Judgement;
  const SUMMARY = { accuracy: { black: 90, white: 80 } } as never;

  it('keeps the last review, and the judgements of all', () => {
    const end = addLine([AT(7, 7), AT(8, 8), AT(9, 9)]);
    const other = addLine([AT(0, 0)]);
    const line = [game.value.root, end.parent!.parent!, end.parent!, end];
    line[2]!.judgement = judged(2, 'blunder');
    line[3]!.judgement = judged(3, 'good');
    other.judgement = judged(1, 'mistake');
    review.value = { line, judgements: [line[2]!.judgement], summary: SUMMARY };
    reload();
    const kept = review.value!;
    expect(kept.line.map(({ move }) => move?.point?.x)).toEqual([undefined, 7, 8, 9]);
    expect(kept.line.at(-1)).toBe(game.value.root.children[0]!.children[0]!.children[0]);
    expect(kept.judgements).toEqual([judged(2, 'blunder')]);
    expect(kept.summary).toEqual(SUMMARY);
    expect(kept.line[2]!.judgement).toBe(kept.judgements[0]);
    expect(kept.line[3]!.judgement).toEqual(judged(3, 'good'));
    expect(game.value.root.children[1]!.judgement).toEqual(judged(1, 'mistake'));
  });
  it('keeps a review of which the end was deleted', () => {
    const end = addLine([AT(7, 7), AT(8, 8)]);
    const line = [game.value.root, end.parent!, end];
    for (const move of [1, 2]) line[move]!.judgement = judged(move, 'good');
    review.value = { line, judgements: [line[1]!.judgement!, line[2]!.judgement!], summary: SUMMARY };
    goTo(end);
    deleteBranch();
    reload();
    expect(review.value!.line).toHaveLength(2);
    expect(review.value!.judgements).toEqual([judged(1, 'good')]);
  });
  it('keeps the depths of values: a search that is less deep changes none', async () => {
    await open('(;SZ[15];B[hh])');
    node.value.value = { blackWins: 0.75, score: '200', depth: 12 };
    reload();
    const watch = watchSearch(node.value, 2, true);
    watch.onLine({ index: 0, winRate: 0.9, score: '500', depth: 1, moves: [] } as never);
    watch.end();
    expect(node.value.value).toEqual({ blackWins: 0.75, score: '200', depth: 12 });
  });
});
