import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { connection, news, transport } from '../state/connection';
import { beginSetup, setup } from '../state/setup';
import { spoken } from '../state/status';
import { game } from '../state/store';
import { dialog, hidesNext, tab } from '../state/view';
import type { Tab } from '../state/view';
import type { News } from '../transport/transport';
import { AnalysisPanel } from './AnalysisPanel';
import { BoardSide } from './BoardSide';
import { DatabasePanel } from './DatabasePanel';
import { OpenDialog, ShareDialog, saveSgf } from './FileDialogs';
import { isDragging } from './dropping';
import { ChooseDialog, GamesDialog } from './GamesDialog';
import { HelpDialog } from './HelpDialog';
import { hasModifier } from './modifiers';
import { NewGameDialog } from './NewGameDialog';
import { PlayPanel } from './PlayPanel';
import { ProblemPanel } from './ProblemPanel';
import { ReviewPanel } from './ReviewPanel';
import { SettingsDialog } from './SettingsDialog';
import { SetupPanel } from './SetupPanel';
import { TreePanel } from './TreePanel';
import { Button, Icon, IconButton, Notice } from './parts';

const TABS = ['play', 'analysis', 'review', 'problem', 'database'] as const satisfies readonly Tab[];
const PANELS = {
  play: PlayPanel,
  analysis: AnalysisPanel,
  review: ReviewPanel,
  problem: ProblemPanel,
  database: DatabasePanel,
} as const;
const DIALOGS = {
  new: NewGameDialog,
  open: OpenDialog,
  games: GamesDialog,
  choose: ChooseDialog,
  share: ShareDialog,
  settings: SettingsDialog,
  help: HelpDialog,
} as const;

/** The page: menu, board, and the tabs beside it. */
export function App() {
  const OpenedDialog = dialog.value && DIALOGS[dialog.value];
  const Panel = PANELS[tab.value];
  return (
    <>
      <TopBar />
      <ConnectionBar />
      <NewsBar />
      <main>
        <BoardSide />
        <div class="panel-side">
          {setup.value ? (
            <SetupPanel />
          ) : (
            <>
              <Tabs />
              <div role="tabpanel" id="tabpanel" aria-labelledby={`tab-${tab.value}`} class="tabpanel">
                <Panel />
              </div>
              {hidesNext.value ? null : <TreePanel />}
            </>
          )}
        </div>
      </main>
      <p class="visually-hidden" role="status" data-name="spoken">
        {/* A text that another game repeats is spoken again. */}
        <span key={game.value}>{spoken.value}</span>
      </p>
      {isDragging.value && <p class="drop-here">{t('open.drop')}</p>}
      {OpenedDialog ? <OpenedDialog /> : <Notice />}
    </>
  );
}

function TopBar() {
  return (
    <header class="top-bar">
      <h1>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <circle cx="13" cy="18" r="11" class="logo-black" />
          <circle cx="22" cy="11" r="8" class="logo-white" />
        </svg>
        <span>Tengen</span>
      </h1>
      <nav aria-label="Tengen">
        <button type="button" class="menu-button primary" data-name="menu.new" onClick={() => (dialog.value = 'new')}>
          <Icon name="new" />
          <span>{t('menu.new')}</span>
        </button>
        <GameMenu />
      </nav>
      <span class="rule-name">
        {t(`rule.${game.value.rule}`)} {game.value.width}×{game.value.height}
      </span>
      <IconButton icon="settings" label={t('menu.settings')} name="menu.settings" onClick={() => (dialog.value = 'settings')} />
      <IconButton icon="help" label={t('menu.help')} name="menu.help" onClick={() => (dialog.value = 'help')} />
    </header>
  );
}

/** The menu for the game as a whole. Closes by a choice, by Escape, and at focus or a press elsewhere. */
function GameMenu() {
  const element = useRef<HTMLDetailsElement>(null);
  const close = () => element.current && (element.current.open = false);
  useEffect(() => {
    const onPress = ({ target }: Event) => element.current?.contains(target as Node) || close();
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, []);
  const items = [
    ['menu.games', 'games', () => (dialog.value = 'games')],
    ['menu.open', 'open', () => (dialog.value = 'open')],
    ['menu.save', 'save', saveSgf],
    ['menu.share', 'share', () => (dialog.value = 'share')],
    ['setup.title', 'setup', beginSetup],
  ] as const;
  const act = (run: () => void) => {
    // A dialog gives the focus back to where it was.
    element.current!.querySelector('summary')!.focus();
    close();
    run();
  };
  return (
    <details
      class="menu"
      ref={element}
      onFocusOut={({ relatedTarget }) => relatedTarget && !element.current!.contains(relatedTarget as Node) && close()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !element.current!.open) return;
        event.stopPropagation();
        element.current!.querySelector('summary')!.focus();
        close();
      }}
    >
      <summary class="menu-button" data-name="menu">
        <Icon name="menu" />
        <span>{t('tree.title')}</span>
      </summary>
      <div>
        {items.map(([key, icon, run]) => (
          <button key={key} type="button" class="menu-button" data-name={key} onClick={() => act(run)}>
            <Icon name={icon} />
            {t(key)}
          </button>
        ))}
      </div>
    </details>
  );
}

function Tabs() {
  const hasDatabase = transport.value?.hasDatabase !== false;
  const tabs = TABS.filter((name) => name !== 'database' || hasDatabase);
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by || hasModifier(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(tab.value) + by + tabs.length) % tabs.length]!;
    tab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Tengen" onKeyDown={move}>
      {tabs.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-controls="tabpanel"
          aria-selected={tab.value === name}
          tabIndex={tab.value === name ? 0 : -1}
          onClick={() => (tab.value = name)}
        >
          {t(`tab.${name}`)}
        </button>
      ))}
    </div>
  );
}

function ConnectionBar() {
  const state = connection.value;
  if (state === 'ready' || state === 'connecting') return null;
  return (
    <p class="connection" role="alert" data-name="connection">
      {t(`connection.${state}`)}
    </p>
  );
}

/** News of the page itself: files that load, a newer version. */
function NewsBar() {
  return (
    <>
      {news.value.filter(({ only }) => only === 'shown').map(newsLine)}
      <div role="status">{news.value.filter(({ only }) => only !== 'shown').map(newsLine)}</div>
    </>
  );
}

function newsLine({ text, values, action, only }: News) {
  return (
    <p key={text} class={only === 'said' ? 'visually-hidden' : 'news'} data-name={text}>
      {t(text, values)}
      {action && (
        <Button name={action.label} onClick={action.run}>
          {t(action.label)}
        </Button>
      )}
    </p>
  );
}
