import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { combinedTurn } from '../board/geometry';
import { BLACK, WHITE } from '../game/rules';
import type { Color } from '../game/rules';
import { colorName, t } from '../i18n/i18n';
import { currentFindings, isAnalysing, occupied, stopThinking, valuesVersion } from '../state/analysis';
import { clockFace, clocks } from '../state/clock';
import { session } from '../state/connection';
import { redoChange, undoChange, undoable } from '../state/history';
import { setPlayer } from '../state/opening';
import { rematch } from '../state/new-game';
import { ended, isEngines, isSelfPlay, playerOf } from '../state/play';
import { personName } from '../state/files';
import { reviewGame } from '../state/review';
import { LEVELS, settings } from '../state/settings';
import { setup } from '../state/setup';
import { statusText } from '../state/status';
import { game, isOver, node, position } from '../state/store';
import { dialog, tab } from '../state/view';
import { Board } from './Board';
import { percent } from './format';
import { returnToBoard } from './keyboard';
import { NavBar } from './NavBar';
import { Button, IconButton } from './parts';

/** The board with the players, the state of the game, and what goes through the moves. */
export function BoardSide() {
  const isQuarter = (settings.turn.value & 7) >= 4;
  const { width, height } = game.value;
  const ratio = isQuarter ? height / width : width / height;
  return (
    <div
      class="board-side"
      style={{ '--ratio': String(ratio), '--scale': String(settings.boardScale.value / 100) }}
    >
      {setup.value ? null : <Strips />}
      <RateBar />
      <div class="board-frame">
        <Board />
        <EndCard />
      </div>
      <div class="board-tools">
        <NavBar />
        <ChangeTools />
        <ViewTools />
      </div>
    </div>
  );
}

/** The players, their clocks, and whose turn it is; a press gives a side to the other player. */
function Strips() {
  return (
    <div class="strips">
      {([BLACK, WHITE] as const).map((color) => (
        <Side key={color} color={color} />
      ))}
      <p class="turn" data-name="turn">
        {statusText()}
      </p>
      <Work />
    </div>
  );
}

function Side({ color }: { color: Color }) {
  const isActive = position.value.toMove === color && !isOver();
  const engines = isEngines(color);
  const level = LEVELS.find(([, strength]) => strength === settings.level.value)?.[0];
  const player = engines ? t('player.engine') : personName(color);
  return (
    <button
      type="button"
      class={isActive ? 'side active' : 'side'}
      data-name={color === BLACK ? 'side-black' : 'side-white'}
      aria-label={`${colorName(color)}: ${player}. ${t('player.change', { player: t(engines ? 'player.human' : 'player.engine') })}`}
      title={t('player.change', { player: t(engines ? 'player.human' : 'player.engine') })}
      onClick={() => setPlayer(color, engines ? 'human' : 'engine')}
    >
      <span class={`stone ${color === BLACK ? 'black' : 'white'}`} aria-hidden="true" />
      <span class="name">
        {player}
        {engines && level && (
          <small>
            <span>{t(level)} · </span>
            {settings.level.value}
          </small>
        )}
      </span>
      {clocks.value && <Clock color={color} />}
    </button>
  );
}

function Clock({ color }: { color: Color }) {
  const now = useSignal(0);
  const player = playerOf(color);
  const isRunning = clocks.value?.running === player;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => (now.value += 1), 200);
    return () => clearInterval(timer);
  }, [isRunning, player]);
  void now.value;
  const { left, isPeriod, periods } = clockFace(player);
  const seconds = Math.ceil(left / 1000);
  const { period } = clocks.value!;
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  // The form of `tengen play`: periods that wait, or how many are left.
  const more = isPeriod ? ` (${periods})` : ` +${periods}×${period / 1000}`;
  return (
    <span class={isRunning ? 'clock running' : 'clock'} role="timer" aria-label={t('play.clock', { color: colorName(color) })}>
      {time}
      {periods > 0 && <small>{more}</small>}
    </span>
  );
}

/** The end of a game, and what may come next. */
function EndCard() {
  if (ended.value === null || ended.value !== node.value || !isOver() || setup.value) return null;
  const review = () => {
    ended.value = null;
    tab.value = 'review';
    if (session.value) void reviewGame();
  };
  return (
    <section class="end-card" data-name="end-card" aria-label={statusText()}>
      <h2>{statusText()}</h2>
      <Button isPrimary name="rematch" onClick={() => (returnToBoard(), rematch())}>
        {t('end.rematch')}
      </Button>
      <Button name="end-review" onClick={review}>
        {t('tab.review')}
      </Button>
      <Button name="end-new" onClick={() => (dialog.value = 'new')}>
        {t('menu.new')}
      </Button>
      <IconButton icon="close" label={t('help.close')} name="end-close" onClick={() => (returnToBoard(), (ended.value = null))} />
    </section>
  );
}

/** The engine's present work, in every tab, with a button to end it. */
function Work() {
  const job = occupied.value;
  const isRunning = isAnalysing.value && job === null && session.value !== null && !isOver();
  if (!isRunning && job === null) return null;
  const best = currentFindings.value?.lines[0];
  const stop = () => {
    if (isRunning) isAnalysing.value = false;
    else if (job === 'move') stopThinking();
    else session.value?.stop();
  };
  return (
    <div class="work" data-name="work">
      <span class="work-bar" aria-hidden="true" />
      {isRunning && (
        <span>
          {best
            ? `${t('analysis.depth')} ${best.depth} · ${(best.timeMs / 1000).toFixed(1)} s`
            : t('analysis.running')}
        </span>
      )}
      {job === 'move' && !isSelfPlay() ? null : (
        <Button name="stop-work" onClick={stop}>
          {t(job === 'move' ? 'play.pause' : 'analysis.stop')}
        </Button>
      )}
    </div>
  );
}

/** Black's win rate in the position, as a bar along the board. */
function RateBar() {
  void valuesVersion.value;
  const rate = node.value.value?.blackWins;
  if (rate === undefined || setup.value) return null;
  const text = `${colorName(BLACK)} ${percent(rate)} %`;
  return (
    <div class="rate-bar" role="img" aria-label={text} title={text} data-name="rate-bar">
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect class="rate-white" width="100" height="1" />
        <rect class="rate-black" width={(100 * rate).toFixed(2)} height="1" />
      </svg>
      <span>{percent(rate)} %</span>
    </div>
  );
}

/** Undo and redo of whatever was changed. */
function ChangeTools() {
  const { undo, redo } = undoable.value;
  return (
    <div class="view-tools" role="group" aria-label={t('undo.title')}>
      <IconButton icon="undo" label={t('undo')} name="undo" isDisabled={undo === 0} onClick={undoChange} />
      <IconButton icon="redo" label={t('redo')} name="redo" isDisabled={redo === 0} onClick={redoChange} />
    </div>
  );
}

/** Turns and mirrors of the board by their numbers in `TURNS`. */
const [QUARTER, MIRROR] = [5, 1] as const;

function ViewTools() {
  const turnBy = (turn: number) => (settings.turn.value = combinedTurn(settings.turn.value & 7, turn));
  const hasNumbers = settings.showNumbers.value;
  return (
    <div class="view-tools" role="group" aria-label={t('view.title')}>
      <IconButton icon="turn" label={t('view.turn')} name="turn-board" onClick={() => turnBy(QUARTER)} />
      <IconButton icon="mirror" label={t('view.mirror')} name="mirror-board" onClick={() => turnBy(MIRROR)} />
      <IconButton
        icon="numbers"
        label={t('settings.numbers')}
        name="toggle-numbers"
        isPressed={hasNumbers}
        onClick={() => (settings.showNumbers.value = !hasNumbers)}
      />
    </div>
  );
}
