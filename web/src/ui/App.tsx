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
import { Button, Icon, Notice } from './parts';

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
        {spoken.value}
      </p>
      {isDragging.value && <p class="drop-here">{t('open.drop')}</p>}
      {OpenedDialog ? <OpenedDialog /> : <Notice />}
    </>
  );
}

function TopBar() {
  const items = [
    ['menu.new', 'new', () => (dialog.value = 'new')],
    ['menu.games', 'games', () => (dialog.value = 'games')],
    ['menu.open', 'open', () => (dialog.value = 'open')],
    ['menu.save', 'save', saveSgf],
    ['menu.share', 'share', () => (dialog.value = 'share')],
    ['setup.title', 'setup', beginSetup],
    ['menu.settings', 'settings', () => (dialog.value = 'settings')],
    ['menu.help', 'help', () => (dialog.value = 'help')],
  ] as const;
  return (
    <header class="top-bar">
      <h1>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <circle cx="13" cy="18" r="11" class="logo-black" />
          <circle cx="22" cy="11" r="8" class="logo-white" />
        </svg>
        Tengen
      </h1>
      <nav aria-label="Tengen">
        {items.map(([key, icon, act]) => (
          <button key={key} type="button" class={key === 'menu.new' ? 'menu-button primary' : 'menu-button'} data-name={key} title={t(key)} onClick={act}>
            <Icon name={icon} />
            <span>{t(key)}</span>
          </button>
        ))}
      </nav>
      <span class="rule-name">
        {t(`rule.${game.value.rule}`)} {game.value.width}×{game.value.height}
      </span>
    </header>
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

/** What the page says of itself: what is loaded, a newer version. */
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
