import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { boardGif, boardPng, boardSvg } from '../board/picture';
import { label } from '../game/point';
import { writeSgf } from '../game/sgf';
import { lineThrough, pathTo } from '../game/tree';
import { t } from '../i18n/i18n';
import { choice, download, fileName, openBytes } from '../state/files';
import { isUrlLocal, positionUrl } from '../state/persist';
import { game, node, notice, notify } from '../state/store';
import { dialog, pictureModel, theme } from '../state/view';
import { Button, Dialog } from './parts';

/** Opens a game from a file or a text. */
export function OpenDialog() {
  const text = useSignal('');
  // Who closes the dialog, or chooses another file, does not want what is still being read.
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  const open = async (read: () => Promise<ArrayBuffer>, name: string) => {
    notice.value = null;
    reading.current.abort();
    const { signal } = (reading.current = new AbortController());
    const isOpened = await openBytes(await read(), name, signal);
    if (isOpened && dialog.value === 'open') dialog.value = null;
  };
  return (
    <Dialog title={t('menu.open')} onClose={() => (dialog.value = null)}>
      <label class="field wide">
        <span>{t('open.file')}</span>
        <input
          type="file"
          data-name="file"
          accept=".sgf,.psq,.lib,.txt,.pos"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void open(() => file.arrayBuffer(), file.name);
          }}
        />
      </label>
      <label class="field wide">
        <span>{t('open.text')}</span>
        <textarea
          rows={5}
          data-name="open-text"
          aria-invalid={notice.value?.isError ?? false}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <div class="row end">
        {choice.value.length > 0 && (
          <Button name="open-again" onClick={() => (dialog.value = 'choose')}>
            {t('open.again', { count: choice.value.length })}
          </Button>
        )}
        <Button
          isPrimary
          name="open-ok"
          isDisabled={text.value.trim() === ''}
          onClick={() => void open(async () => new TextEncoder().encode(text.value).buffer as ArrayBuffer, 'moves.txt')}
        >
          {t('open.button')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Link, moves, SGF and pictures of the position and the game. */
export function ShareDialog() {
  const isWorking = useSignal(false);
  const moves = pathTo(node.value)
    .flatMap((at) => (at.move?.point ? [label(at.move.point, game.value.height)] : []))
    .join(' ');
  const make = async (work: () => Promise<void>) => {
    isWorking.value = true;
    await work().catch((error: Error) => notify(error.message, true));
    isWorking.value = false;
  };
  const png = () =>
    make(async () => download(await boardPng(pictureModel(node.value), theme.value), fileName('png')));
  const gif = () =>
    make(async () => {
      const models = lineThrough(node.value).map(pictureModel);
      download(await boardGif(models, theme.value, 700), fileName('gif'));
    });
  const linkField = <CopyField key="link" label={t('share.link')} text={positionUrl()} name="link" />;
  const movesField = <CopyField key="moves" label={t('share.moves')} text={moves} name="moves" />;
  return (
    <Dialog title={t('menu.share')} onClose={() => (dialog.value = null)}>
      {isUrlLocal() ? (
        <>
          {movesField}
          {linkField}
          <p class="hint" data-name="share-local">
            {t('share.local')}
          </p>
        </>
      ) : (
        <>
          {linkField}
          {movesField}
        </>
      )}
      <div class="row">
        <Button name="sgf" onClick={saveSgf}>
          {t('share.sgf')}
        </Button>
        <Button
          name="svg"
          onClick={() => download(boardSvg(pictureModel(node.value), theme.value), fileName('svg'), 'image/svg+xml')}
        >
          {t('share.svg')}
        </Button>
        <Button name="png" isDisabled={isWorking.value} onClick={() => void png()}>
          {t('share.png')}
        </Button>
        <Button name="gif" isDisabled={isWorking.value} onClick={() => void gif()}>
          {t('share.gif')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Saves the game with its variations, comments and values. */
export function saveSgf(): void {
  download(writeSgf(game.value), fileName('sgf'), 'application/x-go-sgf');
}

/** A text to copy. Where there is no clipboard (no https), it is selected to be copied by hand. */
function CopyField({ label: name, text, name: id }: { label: string; text: string; name: string }) {
  const copy = async (input: HTMLInputElement) => {
    input.select();
    try {
      await navigator.clipboard.writeText(text);
      notify(t('share.copied'));
    } catch {
      if (document.execCommand('copy')) notify(t('share.copied'));
    }
  };
  return (
    <div class="row copy">
      <label class="field wide">
        <span>{name}</span>
        <input readOnly value={text} data-name={`${id}-text`} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button
        type="button"
        class="button"
        data-name={`copy-${id}`}
        onClick={(event) => void copy(event.currentTarget.parentElement!.querySelector('input')!)}
      >
        {t('share.copy')}
      </button>
    </div>
  );
}
