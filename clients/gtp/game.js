// Plays and analyses with Tengen through @sabaki/gtp, the library by which the board Sabaki talks to
// engines.
//
//     npm install @sabaki/gtp@3.0.0
//     node clients/gtp/game.js target/release/tengen
'use strict'

const assert = require('node:assert')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const SIZE = 15

function engine(path, nodes) {
  const controller = new Controller(path, ['gtp', '--nodes', String(nodes)])
  controller.on('stderr', ({content}) => console.error(`stderr: ${content}`))
  controller.start()
  return controller
}

/// The content of the answer, which must be no error.
async function ask(controller, name, ...args) {
  const response = await controller.sendCommand({name, args: args.map(String)})
  assert(!response.error, `${name} ${args.join(' ')}: ${response.content}`)
  return response.content
}

/// A game of two engines, each of which is told the other's moves.
async function play(path) {
  const players = [engine(path, 2000), engine(path, 1000)]
  const moves = []
  for (const player of players) {
    assert.strictEqual(await ask(player, 'name'), 'Tengen')
    await ask(player, 'boardsize', SIZE)
    await ask(player, 'clear_board')
    await ask(player, 'komi', 6.5)
  }
  for (;;) {
    const turn = moves.length % 2
    const color = 'BW'[turn]
    const vertex = await ask(players[turn], 'genmove', color)
    if (vertex === 'resign' || vertex === 'pass') break
    assert.match(vertex, /^[A-HJ-P]([1-9]|1[0-5])$/)
    assert(!moves.includes(vertex), `${vertex} was played before`)
    moves.push(vertex)
    await ask(players[1 - turn], 'play', color, vertex)
  }
  const results = []
  for (const player of players) {
    results.push(await ask(player, 'gogui-rules_final_result'))
    const response = await player.sendCommand({name: 'play', args: ['B', moves[0]]})
    assert(response.error && response.content.startsWith('illegal move'))
    await player.stop()
  }
  assert.strictEqual(results[0], results[1])
  assert.notStrictEqual(results[0], 'unknown')
  return `${moves.join(' ')}\n${results[0]} after ${moves.length} stones`
}

/// The candidates of a line, read as Sabaki reads them.
function candidates(line) {
  return line
    .split(/\s*info\s+/)
    .slice(1)
    .map(text => {
      const [values, pv] = text.trim().split(/\s+pv\s+/)
      const words = values.split(/\s+/)
      const candidate = {pv: pv.split(/\s+/)}
      for (let i = 0; i < words.length; i += 2) candidate[words[i]] = words[i + 1]
      return candidate
    })
}

/// Brings an engine into a position as Sabaki does, analyses it, takes moves back, and lets it move.
async function analyse(path) {
  const controller = engine(path, 2000)
  const tracker = new ControllerStateTracker(controller)
  const moves = ['H8', 'J9', 'H7'].map((vertex, i) => ({
    name: 'play',
    args: ['BW'[i % 2], vertex]
  }))
  const state = {komi: 0, boardsize: [SIZE, SIZE], history: moves}
  await tracker.sync(state)
  assert(await tracker.knowsCommand('lz-analyze'))

  const lines = []
  await new Promise((resolve, reject) => {
    const analysis = controller.sendCommand({name: 'kata-analyze', args: ['W', '10']}, ({line}) => {
      if (line.startsWith('info ')) lines.push(line)
      // Any command ends it; its own answer comes after the end of the analysis.
      if (lines.length === 3 && controller.commands.length === 1)
        ask(controller, 'name').then(resolve, reject)
    })
    analysis.catch(reject)
  })
  const found = candidates(lines[2])
  assert.strictEqual(found.length, 5)
  found.forEach((candidate, i) => {
    assert.strictEqual(candidate.order, String(i))
    assert.strictEqual(candidate.move, candidate.pv[0])
    assert(+candidate.visits > 0 && +candidate.winrate >= 0 && +candidate.winrate <= 1)
  })

  // Another variation: Sabaki takes back what differs.
  const other = {name: 'play', args: ['B', 'G9']}
  await tracker.sync({...state, history: [moves[0], moves[1], other]})
  assert.match(await ask(controller, 'showboard'), / 9 \. \. \. \. \. \. X \. O /)

  const shown = []
  const answer = await controller.sendCommand(
    {name: 'lz-genmove_analyze', args: ['W', '10']},
    ({line}) => shown.push(line)
  )
  assert(!answer.error)
  const chosen = shown.find(line => line.startsWith('play ')).slice('play '.length)
  await new Promise(resolve => setImmediate(resolve))
  assert.deepStrictEqual(tracker.state.history[3], {name: 'play', args: ['W', chosen]})
  await controller.stop()
  return found.map(({move, winrate, pv}) => `${move} ${winrate} ${pv.join(' ')}`).join('\n')
}

async function main(path) {
  console.log(await play(path))
  console.log(await analyse(path))
}

main(process.argv[2]).catch(error => {
  console.error(error)
  process.exit(1)
})
