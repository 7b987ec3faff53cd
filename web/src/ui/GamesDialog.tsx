import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { BoardView } from '../board/BoardView';
import { geometry } from '../board/geometry';
import { plainModel } from '../board/model';
import type { Point } from '../game/point';
import { positionAt } from '../game/position';
import type { Cells, Rule } from '../game/rules';
import { readSgf, sgfHead } from '../game/sgf';
import { endOfLine, pathTo } from '../game/tree';
import { language, t } from '../i18n/i18n';
import { choice, download, openSgf } from '../state/files';
import { openRecent, recentSgf } from '../state/persist';
import { forget, readRecent, recentError, recentGames } from '../state/recent';
import type { RecentGame } from '../state/recent';
import { game, notify } from '../state/store';
import { dialog, theme } from '../state/view';
import { Button, Dialog, IconButton } from './parts';

/** Cards that are drawn at once: each has a board. */
const SHOWN = 24;

/** The contents of a card. */
interface Card {
  readonly name: string;
  readonly about: string;
  readonly board: Cells;
  readonly last: Point | null;
}

/** The games that were played or opened in this browser. */
export function GamesDialog() {
  useEffect(() => void readRecent(), []);
  const games = recentGames.value;
  const open = (id: string) => {
    openRecent(id).then(
      (isThere) => isThere && dialog.value === 'games' && (dialog.value = null),
      (error: Error) => notify(error.message, true),
    );
  };
  const save = () =>
    recentSgf().then(
      (text) => download(text, `tengen-${new Date().toLocaleDateString('sv')}.sgf`, 'application/x-go-sgf'),
      (error: Error) => notify(error.message, true),
    );
  return (
    <Dialog title={t('games.title')} onClose={() => (dialog.value = null)}>
      {recentError.value && <p class="hint">{t('games.failed', { reason: recentError.value })}</p>}
      {games && (
        <CardList
          items={games}
          textOf={(recent) => {
            const { name, about } = cardOf(recent);
            return `${name} ${about} ${recent.moves}`;
          }}
          keyOf={(recent) => recent.id}
          cardOf={cardOf}
          empty={t('games.empty')}
          onOpen={(recent) => open(recent.id)}
          onDelete={(recent) => void forget(recent)}
        />
      )}
      {games !== null && games.length > 0 && (
        <div class="row end">
          <Button name="games-export" onClick={() => void save()}>
            {t('games.export')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function sizeText(rule: Rule, width: number, height: number): string {
  return `${t(`rule.${rule}`)} ${width}×${height}`;
}

function cardOf(recent: RecentGame): Card {
  const [black, white] = recent.names.map(
    (name, i) => name || t(recent.isEngines[i] ? 'player.engine' : 'player.human'),
  );
  const date = new Date(recent.time).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
  const parts = [sizeText(recent.rule, recent.width, recent.height), t('games.moves', { count: recent.count }), recent.result, date];
  return { name: `${black} – ${white}`, about: parts.filter((part) => part !== '').join(' · '), board: recent, last: recent.last };
}

/** The games of a file, of which one is to be chosen. */
export function ChooseDialog() {
  const items = useMemo(() => choice.value.map((text, i) => ({ text, number: i + 1 })), [choice.value]);
  return (
    <Dialog title={t('open.choose')} onClose={() => (dialog.value = null)}>
      <CardList
        items={items}
        // The root is in front: it has the names.
        textOf={({ text, number }) => `${number} ${text.slice(0, 400)}`}
        keyOf={({ number }) => String(number)}
        cardOf={({ text, number }) => cardOfSgf(text, number)}
        empty=""
        onOpen={({ text }) => {
          if (openSgf(text)) dialog.value = null;
        }}
      />
    </Dialog>
  );
}

function cardOfSgf(text: string, number: number): Card {
  const head = sgfHead(text);
  const said = (name: string) => head?.get(name)?.[0] ?? '';
  const names = [said('PB'), said('PW')].filter((name) => name !== '').join(' – ');
  const name = `${number}. ${names || said('GN') || said('EV')}`.trim();
  try {
    const read = readSgf(text, game.value.rule);
    const end = endOfLine(read.root);
    const count = pathTo(end).filter(({ move }) => move).length;
    const parts = [sizeText(read.rule, read.width, read.height), t('games.moves', { count }), read.result, said('DT')];
    // The end of a problem is its solution.
    const here = positionAt(read, read.root.setup ? read.root : end);
    return { name, about: parts.filter((part) => part !== '').join(' · '), board: here, last: here.last };
  } catch {
    return { name, about: t('games.bad'), board: { width: 15, height: 15, cells: new Uint8Array(225) }, last: null };
  }
}

function CardList<T>(props: {
  items: readonly T[];
  /** By which words an item is found. */
  textOf: (item: T) => string;
  keyOf: (item: T) => string;
  cardOf: (item: T) => Card;
  empty: string;
  onOpen: (item: T) => void;
  onDelete?: (item: T) => void;
}) {
  const { items, textOf, keyOf, cardOf, onOpen, onDelete } = props;
  const words = useSignal('');
  const most = useSignal(SHOWN);
  const texts = useMemo(() => items.map((item) => textOf(item).toLowerCase()), [items, language.value]);
  if (items.length === 0) return <p class="hint">{props.empty}</p>;
  const wanted = words.value.toLowerCase().split(/\s+/);
  const found = items.filter((_, i) => wanted.every((word) => texts[i]!.includes(word)));
  return (
    <>
      <label class="field wide">
        <span>{t('games.search')}</span>
        <input
          type="search"
          data-name="games-search"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
            most.value = SHOWN;
          }}
        />
      </label>
      {found.length === 0 && <p class="hint">{t('games.none')}</p>}
      <ul class="cards">
        {found.slice(0, most.value).map((item) => (
          <GameCard key={keyOf(item)} item={item} cardOf={cardOf} onOpen={onOpen} onDelete={onDelete} />
        ))}
      </ul>
      {found.length > most.value && (
        <Button name="games-more" onClick={() => (most.value += SHOWN)}>
          {t('games.more')}
        </Button>
      )}
    </>
  );
}

function GameCard<T>(props: {
  item: T;
  cardOf: (item: T) => Card;
  onOpen: (item: T) => void;
  onDelete: ((item: T) => void) | undefined;
}) {
  const { item, cardOf, onOpen, onDelete } = props;
  const { name, about, board, last } = useMemo(() => cardOf(item), [item, language.value]);
  const model = { ...plainModel(board), last, hasCoordinates: false };
  const { width, height } = geometry(model);
  return (
    <li class="card">
      <button type="button" class="card-open" data-name="game-card" onClick={() => onOpen(item)}>
        <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <BoardView model={model} theme={theme.value} />
        </svg>
        <span>
          <b>{name}</b>
          <small>{about}</small>
        </span>
      </button>
      {onDelete && (
        <IconButton icon="delete" name="game-delete" label={t('games.delete', { game: name })} onClick={() => onDelete(item)} />
      )}
    </li>
  );
}
