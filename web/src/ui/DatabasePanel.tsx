import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { label, parseLabel } from '../game/point';
import { t } from '../i18n/i18n';
import { database, deletePosition, setCellText, setComment, setLabel } from '../state/database';
import type { DatabaseAnswer } from '../state/database';
import { connection } from '../state/connection';
import { isDatabaseMissing, refusalText } from '../state/refusal';
import { settings } from '../state/settings';
import { addMove, mayPlay, node, position } from '../state/store';
import { Button, Toggle } from './parts';

/** The database: look positions up, label them, comment on them. */
export function DatabasePanel() {
  const found = database.value?.node === node.value ? database.value : null;
  return (
    <div class="panel">
      <Toggle label={t('database.use')} setting={settings.showDatabase} name="use-database" />
      {settings.showDatabase.value && connection.value === 'ready' && found && (
        found.error ? <Refusal text={found.error} /> : <Known key={node.value.id} found={found} />
      )}
    </div>
  );
}

/** Why the database says nothing; where there is none, how to have one. */
function Refusal({ text }: { text: string }) {
  return (
    <p class="hint" data-name="database-error">
      {isDatabaseMissing(text) ? t('database.none') : refusalText(text)}
    </p>
  );
}

function Known({ found }: { found: DatabaseAnswer }) {
  const comment = useSignal(found.comment);
  // Forgotten, undone, or changed by another program.
  useEffect(() => void (comment.value = found.comment), [found.comment]);
  return (
    <>
      <fieldset class="labels">
        <legend>{t('database.label')}</legend>
        {['', 'W', 'L', 'D', 'X'].map((letter) => (
          <Button
            key={letter}
            name={`label-${letter || 'none'}`}
            isPressed={found.label.slice(0, 1) === letter}
            onClick={() => void setLabel(letter)}
          >
            {letter || '–'}
          </Button>
        ))}
      </fieldset>
      <p class="hint">{t('database.about-label')}</p>
      {found.depth > 0 && (
        <p class="hint">
          {t('database.value')} {found.value} · {t('analysis.depth')} {found.depth}
        </p>
      )}
      <textarea
        class="comment"
        rows={3}
        data-name="database-comment"
        aria-label={t('database.comment')}
        placeholder={t('database.comment')}
        value={comment.value}
        onInput={(event) => (comment.value = event.currentTarget.value)}
      />
      <div class="row">
        <Button name="store-comment" onClick={() => void setComment(comment.value)}>
          {t('database.save')}
        </Button>
        <Button name="forget" onClick={() => void deletePosition()}>
          {t('database.delete')}
        </Button>
      </div>
      <CellText />
      <h3>{t('database.moves')}</h3>
      {found.moves.length === 0 && <p class="hint">{t('database.empty')}</p>}
      <ol class="lines" data-name="known-moves">
        {found.moves.map((move) => (
          <li key={`${move.point.x},${move.point.y}`}>
            <button
              type="button"
              class="line"
              onClick={() => {
                if (mayPlay(move.point)) addMove(move.point);
              }}
            >
              <b>{label(move.point, position.value.height)}</b>
              <span class="rate">{move.label}</span>
              <span class="moves">
                {move.depth > 0 ? `${move.value} · ${move.depth}` : ''} {move.text}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

function CellText() {
  const point = useSignal('');
  const text = useSignal('');
  const { width, height } = position.value;
  const p = parseLabel(point.value, width, height);
  return (
    <div class="row">
      <label class="field">
        <span>{t('database.point')}</span>
        <input
          size={4}
          data-name="cell-point"
          value={point.value}
          onInput={(event) => (point.value = event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{t('database.text')}</span>
        <input
          size={6}
          data-name="cell-text"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <Button name="store-cell" isDisabled={!p} onClick={() => p && void setCellText(p, text.value)}>
        {t('database.save')}
      </Button>
    </div>
  );
}
