import { describe, expect, it } from 'vitest';
import { moveEntries } from '../../src/engine/commands';
import { labelText, parseDatabaseMove, quote, unquote } from '../../src/engine/database-text';
import type { SearchLine } from '../../src/engine/progress';
import { Aborted, EngineSession } from '../../src/engine/session';
import { readLink } from '../../src/game/link';
import { positionAt } from '../../src/game/position';
import { newGame } from '../../src/game/tree';
import { FakeEngine } from './fake-engine';

const game = newGame('renju', 15, 15);
const empty = positionAt(game, game.root);
const quiet = { onLine: () => undefined, onMark: () => undefined };

describe('a session', () => {
  it('sends the next request when the one before is answered', async () => {
    const engine = new FakeEngine();
    const session = new EngineSession(engine);
    const first = session.search(empty, 'BOARD', { turnMs: 100 }, quiet);
    const second = session.tell(empty, 'YXHASHCLEAR');
    expect(engine.sent.filter((line) => /^(START|BOARD|YX)/.test(line))).toEqual(['START 15', 'BOARD DONE']);
    engine.say('OK');
    engine.say('7,7');
    expect(await first).toBe('7,7');
    expect(engine.sent.slice(-2)).toEqual(['YXHASHCLEAR', 'ABOUT']);
    engine.say('name="Tengen"');
    expect(await second).toBeNull();
  });
  it('stops an aborted search and drops its answer', async () => {
    const engine = new FakeEngine();
    const session = new EngineSession(engine);
    const controller = new AbortController();
    const search = session.search(empty, 'YXNBEST 1', {}, quiet, controller.signal);
    controller.abort();
    await expect(search).rejects.toThrow(Aborted);
    expect(engine.sent.at(-1)).toBe('YXSTOP');
    const next = session.tell(empty, 'YXHASHCLEAR');
    engine.say('3,3');
    engine.say('name="Tengen"');
    expect(await next).toBeNull();
  });
  it('puts the lines of a search together', async () => {
    const engine = new FakeEngine();
    const session = new EngineSession(engine);
    const lines: SearchLine[] = [];
    const search = session.search(empty, 'YXNBEST 1', {}, { ...quiet, onLine: (l) => lines.push(l) });
    for (const text of [
      'INFO PV 0',
      'INFO DEPTH 4',
      'INFO SELDEPTH 6',
      'INFO TOTALNODES 2642',
      'INFO EVAL +M15',
      'INFO WINRATE 0.6942',
      'INFO BESTLINE 8,9 7,9',
      'INFO PV DONE',
      '8,9',
    ]) {
      engine.say(text);
    }
    await search;
    expect(lines).toMatchObject([{ depth: 4, selDepth: 6, score: '+M15', winRate: 0.6942, moves: [{ x: 8, y: 9 }, { x: 7, y: 9 }] }]);
  });
  it('says that a command is done, or why it was refused', async () => {
    const engine = new FakeEngine();
    const session = new EngineSession(engine);
    const done = session.tell(empty, 'YXDELETEDATABASEONE DONE');
    engine.say('name="Tengen"');
    await expect(done).resolves.toBeNull();
    const refused = session.tell(empty, 'YXDELETEDATABASEONE DONE');
    engine.say('ERROR the database is read-only');
    engine.say('name="Tengen"');
    await expect(refused).rejects.toThrow(/^the database is read-only$/);
  });
  it('hands a refusal on', async () => {
    const engine = new FakeEngine();
    const search = new EngineSession(engine).search(empty, 'BOARD', {}, quiet);
    engine.say('ERROR the board is full');
    await expect(search).rejects.toThrow('the board is full');
  });
});

describe('the database', () => {
  it.each([
    ['renju-15/h8i9', ['7,7', '8,6']],
    ['renju-15/h8--i9', ['7,7', '8,6']],
    ['standard-15/b:h8g8/w:i9/t:w/', ['6,7', '8,6', '7,7']],
    ['standard-15/b:h8g8/w:i9/t:b/', null],
    ['standard-15/b:h8/w:i9g8/t:b/', null],
    ['standard-15/x:a1/t:b/', null],
    ['renju-15/h8-', null],
    ['renju-15/h8-i9', null],
  ])('is asked about %s by stones in turn, if these give it', (link, entries) => {
    const found = readLink(link)!;
    expect(moveEntries(positionAt(found.game, found.node))).toEqual(entries);
  });
  it('reads labels and lines', () => {
    expect(labelText((87 << 24) | (49 << 16) | (50 << 8))).toBe('W12');
    expect(labelText(87)).toBe('W');
    expect(labelText(-1)).toBe('');
    expect(parseDatabaseMove('MESSAGE DATABASE 6 6 87 -12 9 3 1 ab')).toMatchObject({
      point: { x: 6, y: 6 },
      label: 'W',
      value: -12,
      depth: 9,
      hasComment: true,
      text: 'ab',
    });
  });
  it('quotes comments so that they come back', () => {
    const text = 'a "b" \\ c\nd';
    expect(unquote(quote(text))).toBe(text);
  });
});
