import { computed, effect } from '@preact/signals';
import { label } from '../game/point';
import { BLACK, opponent } from '../game/rules';
import type { Color } from '../game/rules';
import { threats } from '../game/threats';
import { pathTo } from '../game/tree';
import type { GameNode } from '../game/tree';
import { colorName, t } from '../i18n/i18n';
import { occupied } from './analysis';
import { isUsersDecision, phase } from './opening';
import { isEngines, players } from './play';
import { settings } from './settings';
import { setup } from './setup';
import { game, isOver, node, position, verdicts, version } from './store';
import { isOpen, question, training } from './training';

/** The name of a side: its player where the engine has one side, otherwise its colour. */
function sideName(color: Color): string {
  if (players.value.first === players.value.second) return colorName(color);
  return t(isEngines(color) ? 'player.engine' : 'player.human');
}

/** The position's demand on the user, or the end of the game. */
export function statusText(isThinking = occupied.value === 'move'): string {
  const { ending, toMove, moves, hasSetup } = position.value;
  const verdict = verdicts.get(node.value);
  if (verdict) return t(`result.${verdict.kind}`, { color: colorName(verdict.winner) });
  if (ending) return ending.winner ? t('result.wins', { color: colorName(ending.winner) }) : t('result.draw');
  if (isThinking) return t('play.thinking');
  const choice = isUsersDecision() ? phase.value?.step?.do : undefined;
  if (choice === 'take' || choice === 'declare' || choice === 'keep') return t(`opening.${choice}`);
  const isAlone = players.value.first === players.value.second;
  if (isAlone || phase.value || isEngines(toMove)) return t('play.to-move', { color: colorName(toMove) });
  const isFirst = moves.length === 0 && !hasSetup;
  return isFirst ? t('play.begin', { color: colorName(toMove) }) : t('play.your-move');
}

/** A move with its number, as lists show it, or the start. */
export function moveName(at: GameNode, number: number): string {
  if (!at.move) return t('tree.start');
  return `${number}. ${at.move.point ? label(at.move.point, game.value.height) : '–'}`;
}

/** The position that was spoken last, and true if another one lay behind it. */
let before = node.peek();
let isBack = false;

/** The last move; with a pass and set-up positions nothing. After a step back, where the game is now. */
function moveText(): string {
  const at = node.value;
  if (at !== before) isBack = pathTo(before).includes(at);
  before = at;
  if (isBack) return t('spoken.back', { move: moveName(at, pathTo(at).length - 1) });
  const { move } = at;
  if (!move?.point) return '';
  return `${sideName(move.color)}: ${label(move.point, position.value.height)}.`;
}

/** The threat of the side that has just moved, in words: the points of a five, else of a straight four. */
function threatText(): string {
  const here = position.value;
  const { move } = node.value;
  if (!move || isOver()) return '';
  const found = threats(here, here.rule, [opponent(here.toMove)]);
  for (const kind of ['five', 'straight-four'] as const) {
    const points = found.filter((threat) => threat.kind === kind).map(({ point }) => label(point, here.height));
    if (points.length > 0) return `${t(`spoken.${kind}`, { points: points.join(' ') })}.`;
  }
  return '';
}

/** The text for screen readers: changes with the position and the side to move. */
export const spoken = computed(() => {
  void version.value;
  if (setup.value) return '';
  const task = training.value;
  // The answer to a try names the move and the reply.
  if (task && isOpen(task)) return node.value === task.start ? question(task) : '';
  // Where its move is on the board already, the engine has nothing more to think about.
  const isAnswered = players.value.first !== players.value.second && !isEngines(position.value.toMove);
  const status = isUsersDecision() ? '' : statusText(occupied.value === 'move' && !isAnswered);
  return [moveText(), threatText(), status].filter((text) => text !== '').join(' ');
});

/** Makes a small sound for each stone that is put. */
export function followSounds(): void {
  let audio: AudioContext | null = null;
  let before = node.value;
  effect(() => {
    const at = node.value;
    if (at === before) return;
    const isForward = at.parent === before && at.move !== null;
    before = at;
    if (!isForward || !settings.sounds.peek()) return;
    audio ??= new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const now = audio.currentTime;
    // Black's stones sound a little deeper than White's; each dies away within 80 ms.
    tone.frequency.setValueAtTime(at.move?.color === BLACK ? 520 : 620, now);
    volume.gain.setValueAtTime(0.12, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.08);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.08);
  });
}
