import './browser';
import { beforeAll, beforeEach } from 'vitest';
import { followPositions, isAnalysing } from '../../src/state/analysis';
import { followClocks } from '../../src/state/clock';
import { connect } from '../../src/state/connection';
import { openBytes } from '../../src/state/files';
import { followChanges } from '../../src/state/history';
import { startGame } from '../../src/state/new-game';
import { keepGame } from '../../src/state/persist';
import { concede } from '../../src/state/play';
import { settings } from '../../src/state/settings';
import { notice } from '../../src/state/store';
import { ReadyEngine } from './fake-engine';

export const FRAME = { rule: 'freestyle', width: 15, height: 15, opening: 'free' } as const;
export const SWAP2 = { ...FRAME, opening: 'swap2' };
export const AT = (x: number, y: number) => ({ x, y });

/** The engine of the page. */
export const engine = new ReadyEngine();

/** Until everything that was answered has had its effect. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

export async function answer(...lines: string[]): Promise<void> {
  await settle();
  for (const line of lines) engine.say(line);
  await settle();
}

/** Opens a text as a file. */
export function open(text: string, name = 'game.sgf'): Promise<boolean> {
  return openBytes(new TextEncoder().encode(text).buffer as ArrayBuffer, name);
}

/** Each test begins on the page with a new game for two, and an engine that has nothing to do. */
export function usePage(): void {
  beforeAll(async () => {
    connect(() => engine);
    keepGame();
    followPositions();
    followChanges();
    followClocks((player, at) => concede(player, 'time', at));
    await settle();
  });

  beforeEach(async () => {
    isAnalysing.value = false;
    settings.gameMinutes.value = 0;
    settings.periods.value = 0;
    settings.pause.value = false;
    startGame(FRAME, 'both');
    // An aborted search is answered all the same.
    await answer('0,0', 'OK');
    notice.value = null;
    engine.sent.length = 0;
  });
}
