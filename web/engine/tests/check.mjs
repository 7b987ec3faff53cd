// node check.mjs PROGRAM [--depth N]
//
// Tests a program that was built with `--checks`: games and commands over the protocol, the corpora of
// `bench_positions` by both implementations of the rules and, as far as they are problems, by the
// solver. The last line is the node count of `bench` to the depth, as the native program
// prints it.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openEngine } from './engine.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { depth: { type: 'string', default: '6' } },
});
const root = new URL('../../../', import.meta.url);
const read = (path) => readFile(new URL(path, root));
const weights = await readdir(new URL('src/eval/weights/', root));
const networks = await Promise.all(
  weights.filter((name) => name.endsWith('.tgnn')).map((name) => read(`src/eval/weights/${name}`)),
);
const RULE_CODES = { freestyle: 0, standard: 1, renju: 4, caro: 8, caro9: 9 };
/** The corpora of problems. */
const PROBLEMS = ['vcf', 'vcfnone', 'vct', 'horizon', 'caro'];
/** How the solver is asked about a claim of a corpus, and its verdict. */
const CLAIMS = { vcf_win: ['vcf', 'win'], vcf_none: ['vcf', 'none'], vct_win: ['vct', 'win'] };
/** Nodes for a problem; only some by threats need more. */
const NODES = 400_000;

const engine = await openEngine(positionals[0]);

function report(what, begin) {
  console.log(`${what}: ${((performance.now() - begin) / 1000).toFixed(1)} s, ${Math.round(engine.memoryMib())} MiB`);
}

function play() {
  const begin = performance.now();
  assert.match(engine.say('ABOUT')[0], /^name="Tengen"/);
  assert.deepEqual(engine.say('TURN 1,1'), ['ERROR no game, send START first']);
  engine.say('INFO hash_size 16384', 'INFO max_node 2000');
  for (const [rule, code] of Object.entries(RULE_CODES)) {
    engine.say(`INFO rule ${code}`);
    assert.deepEqual(engine.say('START 15'), ['OK']);
    for (let at = 0, move = 'BEGIN'; at < 20; at += 1, move = 'BEGIN') {
      // Each side in turn, from the empty board.
      const answer = engine.say(move === 'BEGIN' && at === 0 ? 'BEGIN' : 'YXNBEST 1').at(-1);
      assert.match(answer, /^\d+,\d+$/, `${rule}, move ${at + 1}`);
    }
  }
  const said = engine.say('YXHASHDUMP', '/tmp/x', 'INFO folder /tmp');
  assert.equal(said.length, 2);
  assert.ok(said.every((line) => line === 'ERROR files cannot be reached from here'), said.join());
  assert.deepEqual(engine.say('YXDBCHECK'), ['UNKNOWN command YXDBCHECK']);
  const begun = performance.now();
  engine.state.wantsStop = () => performance.now() - begun > 300;
  engine.say('INFO max_node 0', 'INFO timeout_turn -1', 'START 15', 'TURN 7,7');
  const took = performance.now() - begun;
  engine.state.wantsStop = () => false;
  assert.ok(took < 600, `stopped after ${took} ms`);
  engine.say('INFO max_node 2000', 'START 15');
  const review = engine.say('TENGENREVIEW 7,7 8,8 7,8 8,7 7,6 DONE');
  assert.equal(review.filter((line) => line.startsWith('MESSAGE REVIEW')).length, 6);
  assert.equal(review.at(-1), 'OK');
  report('protocol', begin);
}

async function convert() {
  const begin = performance.now();
  assert.match(engine.convert(Buffer.from('h8 i9 h7'), 'a.txt').text, /;B\[hh\];W\[ig\];B\[hi\]/);
  const library = engine.convert(await read('fuzz/seeds/renlib/with_texts'), 'a.lib');
  assert.ok(library.isGood && library.text.includes('LB['), library.text);
  assert.equal(engine.convert(Buffer.from('q99'), '').isGood, false);
  report('conversions', begin);
}

async function recompute() {
  const begin = performance.now();
  let count = 0;
  for (const name of ['forbidden', 'rules_named', 'wins', ...PROBLEMS, 'defend']) {
    const passed = engine.exports.check(...engine.block(await read(`bench_positions/${name}.txt`)));
    assert.ok(passed > 0, `${name}: ${-passed} positions failed`);
    count += passed;
  }
  report(`${count} positions of the corpora`, begin);
}

async function solve() {
  const begin = performance.now();
  const counts = { right: 0, unknown: 0 };
  for (const name of PROBLEMS) {
    const text = String(await read(`bench_positions/${name}.txt`));
    const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
    for (const line of lines) {
      const [id, , , , , , claim] = line.split('\t');
      const [mode, right] = CLAIMS[claim.split(' ')[0]];
      const verdict = verdictOn(line, mode);
      if (verdict === 'unknown') counts.unknown += 1;
      else {
        assert.equal(verdict, right, id);
        counts.right += 1;
      }
    }
  }
  // Solved natively within these nodes: all by fours, and nearly all by threats.
  assert.ok(counts.unknown <= counts.right / 20, `${counts.unknown} unknown`);
  report(`${counts.right} problems solved, ${counts.unknown} beyond ${NODES} nodes`, begin);
}

function verdictOn(line, mode) {
  const [, rule, size, side, black, white] = line.split('\t');
  const stones = (points, color) => points.split(' ').filter(Boolean).map((p) => `${p},${color}`);
  const [own, other] = side === 'b' ? [1, 2] : [2, 1];
  engine.say(
    `INFO rule ${RULE_CODES[rule]}`,
    `START ${size.split('x')[0]}`,
    `INFO max_node ${NODES}`,
    `INFO black_to_move ${side === 'b' ? 1 : 0}`,
    `YXBOARD ${[...stones(black, own), ...stones(white, other)].join(' ')} DONE`,
  );
  const answer = engine.say(`TENGENSOLVE ${mode}`).find((said) => said.includes('"verdict"'));
  return JSON.parse(answer.replace('MESSAGE SOLVE ', '')).verdict;
}

function bench() {
  const blocks = networks.flatMap((file) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(file.length);
    return [length, file];
  });
  const begin = performance.now();
  const nodes = engine.exports.bench(...engine.block(Buffer.concat(blocks)), Number(values.depth));
  const seconds = (performance.now() - begin) / 1000;
  console.log(`Bench: ${nodes} nodes ${Math.round(Number(nodes) / seconds)} nps`);
}

for (const file of networks) assert.ok(engine.addNetworks(file));
assert.equal(engine.addNetworks(Buffer.from('no networks')), false);
play();
await convert();
await recompute();
await solve();
bench();
