import { t } from '../i18n/i18n';
import { setup } from '../state/setup';
import { node, step, toEnd, toStart } from '../state/store';
import { IconButton } from './parts';

/** The buttons that go through the game. */
export function NavBar() {
  // The board of a set-up is not the game's.
  const isStart = node.value.parent === null || setup.value !== null;
  const isEnd = node.value.children.length === 0 || setup.value !== null;
  const buttons = [
    ['nav.start', 'start', toStart, isStart],
    ['nav.fast-back', 'fastBack', () => step(-5), isStart],
    ['nav.back', 'back', () => step(-1), isStart],
    ['nav.forward', 'forward', () => step(1), isEnd],
    ['nav.fast-forward', 'fastForward', () => step(5), isEnd],
    ['nav.end', 'end', toEnd, isEnd],
  ] as const;
  return (
    <nav class="nav-bar" aria-label={t('nav.title')}>
      {buttons.map(([key, icon, act, isDisabled]) => (
        <IconButton key={key} icon={icon} label={t(key)} name={key} isDisabled={isDisabled} onClick={act} />
      ))}
    </nav>
  );
}
