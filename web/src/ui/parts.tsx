import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { t } from '../i18n/i18n';
import { notice } from '../state/store';

/** A button with a text. */
export function Button(props: {
  onClick: () => void;
  children: ComponentChildren;
  isPrimary?: boolean;
  isPressed?: boolean;
  isDisabled?: boolean;
  name?: string;
}) {
  return (
    <button
      type="button"
      class={props.isPrimary ? 'button primary' : 'button'}
      disabled={props.isDisabled ?? false}
      {...(props.isPressed === undefined ? {} : { 'aria-pressed': props.isPressed })}
      {...(props.name ? { 'data-name': props.name } : {})}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}

/** A button with a sign; its name is for screen readers, and shown by pointing at it. */
export function IconButton(props: {
  icon: keyof typeof ICONS;
  label: string;
  onClick: () => void;
  isDisabled?: boolean;
  isPressed?: boolean;
  name?: string;
}) {
  return (
    <button
      type="button"
      class="icon-button"
      {...(props.isPressed === undefined ? {} : { 'aria-pressed': props.isPressed })}
      aria-label={props.label}
      title={props.label}
      data-name={props.name}
      disabled={props.isDisabled ?? false}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** A choice of a few texts; the first one where the setting has none of these values. */
export function Select<T extends string | number>(props: {
  label: string;
  setting: Signal<T>;
  options: readonly (readonly [T, string])[];
  name?: string;
  isDisabled?: boolean;
}) {
  const { setting, options } = props;
  const id = useId();
  const shown = options.some(([value]) => value === setting.value) ? setting.value : options[0]![0];
  return (
    <label class="field" for={id}>
      <span>{props.label}</span>
      <select
        id={id}
        data-name={props.name}
        disabled={props.isDisabled ?? false}
        value={String(shown)}
        onChange={(event) => {
          const text = event.currentTarget.value;
          const found = options.find(([value]) => String(value) === text);
          if (found) setting.value = found[0];
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={String(value)} selected={value === shown}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A number within bounds, a whole one where the step is whole. */
export function NumberField(props: {
  label: string;
  setting: Signal<number>;
  min: number;
  max: number;
  step?: number;
  name?: string;
  isDisabled?: boolean;
}) {
  const { setting, min, max, step = 1 } = props;
  const id = useId();
  /** True if what was typed last was beyond the bounds, and another value was taken in its place. */
  const isBeyond = useSignal(false);
  const take = (input: HTMLInputElement) => {
    const value = Number.isInteger(step) ? Math.round(Number(input.value)) : Number(input.value);
    isBeyond.value = !(value >= min && value <= max);
    if (Number.isFinite(value)) setting.value = Math.min(max, Math.max(min, value));
    // What was typed may be none of the values that are taken.
    input.value = String(setting.value);
  };
  return (
    <label class="field" for={id}>
      <span id={`${id}-name`}>{props.label}</span>
      <input
        id={id}
        type="number"
        // Without the error below, which describes the field.
        aria-labelledby={`${id}-name`}
        inputMode="decimal"
        data-name={props.name}
        min={min}
        max={max}
        step={step}
        disabled={props.isDisabled ?? false}
        // The one that counts: another machine may have allowed more.
        value={Math.min(max, Math.max(min, setting.value))}
        {...(isBeyond.value ? { 'aria-describedby': `${id}-error` } : {})}
        onChange={(event) => take(event.currentTarget)}
      />
      {isBeyond.value && (
        <small id={`${id}-error`} class="field-error" role="alert">
          {t('field.range', { min, max })}
        </small>
      )}
    </label>
  );
}

/** A choice by pictures; arrows go through them. */
export function Tiles<T extends string | number>(props: {
  label: string;
  name: string;
  setting: Signal<T>;
  options: readonly (readonly [value: T, text: string, picture?: ComponentChildren])[];
  isDisabled?: boolean;
}) {
  const { label, name, setting } = props;
  return (
    <fieldset class={`tiles ${name}-tiles`} disabled={props.isDisabled ?? false}>
      <legend>{label}</legend>
      {props.options.map(([value, text, picture]) => (
        <label key={value} class="tile">
          <input
            type="radio"
            name={name}
            value={String(value)}
            checked={setting.value === value}
            onChange={() => (setting.value = value)}
          />
          <span>
            {picture}
            {text}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** A setting that is on or off. */
export function Toggle({ label, setting, name }: { label: string; setting: Signal<boolean>; name?: string }) {
  const id = useId();
  return (
    <label class="toggle" for={id}>
      <input
        id={id}
        type="checkbox"
        data-name={name}
        checked={setting.value}
        onChange={(event) => (setting.value = event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

/** A dialog over the page, closed by Escape, by the cross and by a click outside. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  /** The element on which the pointer was pressed: a selection of text may end beside the dialog. */
  const pressed = useRef<EventTarget | null>(null);
  const id = useId();
  // A layout effect ends before the dialog is taken away. A dialog closed any later would not give the focus
  // back to the element before.
  useLayoutEffect(() => {
    const dialog = element.current!;
    // A message about the page is not about the dialog.
    notice.value = null;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={(event) => {
        // Told late of one that was taken away, when another may be open.
        if (event.currentTarget.isConnected) props.onClose();
      }}
      onPointerDown={(event) => (pressed.current = event.target)}
      onClick={(event) => {
        const { current } = element;
        if (event.target === current && pressed.current === current) current?.close();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{props.title}</h2>
          <IconButton icon="close" label={t('help.close')} onClick={() => element.current?.close()} />
        </header>
        {props.children}
        <Notice />
      </div>
    </dialog>
  );
}

/** The last message, for some seconds. In a dialog it stands in the dialog: the page behind it is not spoken. */
export function Notice() {
  const shown = notice.value;
  const action = shown?.action;
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => (notice.value = null), action ? 10_000 : 5000);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div class="notice-area" role="status" aria-live="polite">
      {shown && (
        <p key={shown.key} class={shown.isError ? 'notice bad' : 'notice'} data-name="notice">
          {shown.text}
          {action && (
            <button type="button" data-name={`notice-${action.label}`} onClick={action.run}>
              {t(action.label)}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

const ICONS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  turn: 'M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5',
  mirror: 'M12 3v18M8 7v10H3zM16 7v10h5z',
  numbers: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM10 9l2.5-1.5V17',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  games: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6',
  start: 'M6 5v14M19 5 9 12l10 7z',
  fastBack: 'M12 5 3 12l9 7zM21 5l-9 7 9 7z',
  back: 'M16 5 7 12l9 7z',
  forward: 'M8 5l9 7-9 7z',
  fastForward: 'M12 5l9 7-9 7zM3 5l9 7-9 7z',
  end: 'M18 5v14M5 5l10 7-10 7z',
  close: 'M6 6l12 12M18 6 6 18',
  new: 'M12 5v14M5 12h14',
  open: 'M3 7h6l2 2h10v10H3z',
  save: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  share: 'M8.6 13.5l6.8 4M15.4 6.5l-6.8 4M21 5a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM9 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 19a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  help: 'M9.5 9a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.2 1-1.2 2.1M12 17.5h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  setup: 'M4 20l4-1L20 7l-3-3L5 16z',
} as const;

/** A sign drawn with lines; buttons around it have a name of their own. */
export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
