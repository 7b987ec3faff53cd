import { useEffect, useRef } from 'preact/hooks';
import { BoardView } from '../board/BoardView';
import { geometry } from '../board/geometry';
import type { BoardModel } from '../board/model';
import { boardTheme } from '../board/theme';
import { t } from '../i18n/i18n';
import { hasModifier } from '../ui/modifiers';
import { IconButton } from '../ui/parts';

/** Elements in which keys type or choose. */
const TYPING = 'input:not([type=checkbox]), select, textarea';

/** A board on which a line of moves is gone through, by buttons and by keys. */
export function Replay(props: {
  model: BoardModel;
  title: string;
  isDark: boolean;
  /** Number of moves shown, and of all moves. */
  at: number;
  last: number;
  onGo: (move: number) => void;
  /** The page scrolls: Home and End are its own, but where the focus is beside the board. */
  isPart?: boolean;
}) {
  const { model, title, isDark, at, last, isPart } = props;
  const element = useRef<HTMLDivElement>(null);
  const steps = [
    ['start', 'Home', 0],
    ['back', 'ArrowLeft', at - 1],
    ['forward', 'ArrowRight', at + 1],
    ['end', 'End', last],
  ] as const;
  const go = (move: number) => props.onGo(Math.min(last, Math.max(0, move)));
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const step = steps.find(([, key]) => key === event.key);
      const target = event.target instanceof Element ? event.target : null;
      if (!step || hasModifier(event) || target?.closest(TYPING)) return;
      if (isPart && !step[1].startsWith('Arrow') && !element.current?.contains(target)) return;
      event.preventDefault();
      go(step[2]);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
  const shape = geometry(model);
  return (
    <div class="board-side" ref={element} style={{ '--ratio': String(shape.width / shape.height), '--scale': '1' }}>
      <div class="board-frame">
        <svg class="board" viewBox={`0 0 ${shape.width} ${shape.height}`} role="img" aria-label={title}>
          <BoardView model={model} theme={boardTheme(isDark)} />
        </svg>
      </div>
      <nav class="nav-bar" aria-label={t('nav.title')}>
        {steps.map(([icon, , move]) => (
          <IconButton
            key={icon}
            icon={icon}
            label={t(`nav.${icon}`)}
            isDisabled={move < 0 || move > last || move === at}
            onClick={() => go(move)}
          />
        ))}
      </nav>
    </div>
  );
}
