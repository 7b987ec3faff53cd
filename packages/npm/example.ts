// A short game of the engine against itself, an analysis, and what is refused: `.ci/packages` runs it
// against the installed package and checks its types.
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { Engine, EngineError } from 'tengen';
import type { Line } from 'tengen';

const engine = await Engine.open({ size: [9, 8], threads: 2 });
const moves: string[] = [];
while (moves.length < 8) moves.push(await engine.bestMove(moves, { nodes: 500 }));
equal(new Set(moves).size, 8);
console.log('game:', moves.join(' '));
await rejects(engine.bestMove(['a1', 'a1']), RangeError);
await rejects(engine.analyse(['j1']), /no point of a board of 9x8/);
await rejects(engine.bestMove([], { seconds: -1 }), RangeError);
await rejects(engine.analyse([], { count: 60, nodes: 1 }), EngineError);
engine.close();
await rejects(engine.bestMove(), { name: 'AbortError' });

const renju = await Engine.open({ rule: 'renju' });
deepEqual(await renju.forbidden(['h8', 'a1', 'i8', 'c1', 'g9', 'e1', 'g10', 'o1']), ['g8']);
const seen: Line[] = [];
const lines: Line[] = await renju.analyse(['h8', 'i9', 'h7'], {
  count: 3,
  nodes: 20_000,
  onLine: (line) => void seen.push(line),
});
equal(new Set(lines.map(({ move }) => move)).size, 3);
equal(seen.length >= 3, true);
for (const { move, score, depth, moves } of lines) console.log(move, score, `depth ${depth}`, moves.join(' '));

const giveUp = new AbortController();
const endless = renju.analyse([], { seconds: 1000, signal: giveUp.signal });
setTimeout(() => giveUp.abort(), 200);
await rejects(endless, { name: 'AbortError' });
match(await renju.toSgf(new TextEncoder().encode('h8 i9 h7'), 'game.txt'), /;B\[h8\];W\[i7\];B\[h9\]|;B\[hh\]/);
await rejects(renju.toSgf(new TextEncoder().encode('no game'), 'letter.txt'), EngineError);
renju.close();
