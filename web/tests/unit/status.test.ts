import { describe, expect, it } from 'vitest';
import { FRAME, answer, engine, usePage } from './page';
import { ended, playStone, players } from '../../src/state/play';
import { rematch, startGame } from '../../src/state/new-game';
import { setPlayer, undo } from '../../src/state/opening';
import { spoken, statusText } from '../../src/state/status';
import { game, isOver, openGame, position, step } from '../../src/state/store';
import { parseLabel } from '../../src/game/point';
import { BLACK, WHITE } from '../../src/game/rules';
import { newGame } from '../../src/game/tree';

usePage();

const play = (names: string) => names.split(' ').forEach((name) => playStone(parseLabel(name, 15, 15)!));

describe('what the page says of the position', () => {
  it('names colours where both sides are the same player, and players otherwise', async () => {
    play('h8');
    expect(spoken.value).toBe('Black: h8. White to move');
    players.value = { first: 'human', second: 'engine' };
    openGame(newGame('freestyle', 15, 15));
    expect(statusText()).toBe('You are Black. Put a stone.');
    play('h8');
    expect(spoken.value).toBe('You: h8. Tengen is thinking …');
    await answer('8,6', 'OK');
    expect(spoken.value).toBe('Tengen: i9. Your move');
  });

  it('tells a step back from a move', () => {
    play('h8 i9');
    expect(spoken.value).toBe('White: i9. Black to move');
    step(-1);
    expect(spoken.value).toBe('Back to: 1. h8. White to move');
    step(-1);
    expect(spoken.value).toBe('Back to: Start. Black to move');
    step(1);
    expect(spoken.value).toBe('Black: h8. White to move');
  });

  it('tells the fives and open fours that the last move threatens, and the result', () => {
    play('h8 a1 i8 a3 j8');
    expect(spoken.value).toMatch(/^Black: j8\. Threatens a four that cannot be stopped: .*g8.*k8.*\. White to move$/);
    play('a5 k8');
    expect(spoken.value).toBe('Black: k8. Threatens five: g8 l8. White to move');
    play('g8 l8');
    expect(spoken.value).toBe('Black: l8. Black wins');
  });
});

describe('a side', () => {
  it('is given to the engine, which moves at once, and taken back while it thinks', async () => {
    play('h8');
    setPlayer(WHITE, 'engine');
    await answer();
    expect(engine.commands.some((line) => line.startsWith('BOARD'))).toBe(true);
    setPlayer(WHITE, 'human');
    expect(statusText()).toBe('White to move');
    // What the search that was given up still brings is no move.
    await answer('8,6', 'OK');
    expect(position.value.moves.length).toBe(1);
    play('i9');
    expect(position.value.moves.length).toBe(2);
    setPlayer(BLACK, 'engine');
    await answer('9,9');
    expect(position.value.moves.length).toBe(3);
  });
});

describe('the end of a game', () => {
  it('is where it was played, and a rematch changes the colours', async () => {
    play('h8 a1 i8 a3 j8 a5 k8 a7');
    expect(ended.value).toBe(null);
    play('l8');
    expect(isOver()).toBe(true);
    expect(ended.value?.parent?.children.length).toBe(1);
    undo();
    expect(isOver()).toBe(false);
    startGame({ ...FRAME, rule: 'renju' }, 'first');
    expect(ended.value).toBe(null);
    rematch();
    expect(players.value).toEqual({ first: 'engine', second: 'human' });
    expect(game.value.rule).toBe('renju');
    await answer('7,7');
    expect(position.value.moves.length).toBe(1);
  });
});
