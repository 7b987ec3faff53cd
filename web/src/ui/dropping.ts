import { signal } from '@preact/signals';
import { openBytes } from '../state/files';
import { notice } from '../state/store';
import { dialog } from '../state/view';

/** True while something is held over the page that can be dropped there. */
export const isDragging = signal(false);

/** Opens what is dropped on the page, or pasted outside of fields: a file, or a text. */
export function listenToDrops(): void {
  let last = new AbortController();
  const open = async (data: DataTransfer | null): Promise<void> => {
    // The data of the event is gone once the event is over.
    const file = data?.files[0];
    const text = data?.getData('text/plain') ?? '';
    if (!file && text.trim() === '') return;
    notice.value = null;
    last.abort();
    const { signal: wanted } = (last = new AbortController());
    const bytes = file ? await file.arrayBuffer() : (new TextEncoder().encode(text).buffer as ArrayBuffer);
    const isOpened = await openBytes(bytes, file?.name ?? 'moves.txt', wanted);
    if (isOpened && (dialog.value === 'open' || dialog.value === 'games')) dialog.value = null;
  };
  /** A text of the page itself is held: who selects one may come over the board. */
  let isOwn = false;
  addEventListener('dragstart', () => (isOwn = true));
  addEventListener('dragend', () => (isOwn = false));
  const mayDrop = ({ dataTransfer, target }: DragEvent) =>
    !isOwn &&
    (dataTransfer?.types ?? []).some((type) => type === 'Files' || type === 'text/plain') &&
    !(target as Element).closest?.('input, textarea');
  addEventListener('dragover', (event) => {
    if (!mayDrop(event)) return;
    event.preventDefault();
    isDragging.value = true;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) isDragging.value = false;
  });
  addEventListener('drop', (event) => {
    isDragging.value = false;
    if (!mayDrop(event)) return;
    event.preventDefault();
    void open(event.dataTransfer);
  });
  addEventListener('paste', (event) => {
    if ((event.target as Element).closest?.('input:not([type="checkbox"]), textarea')) return;
    if (dialog.value !== null && dialog.value !== 'open' && dialog.value !== 'games') return;
    event.preventDefault();
    void open(event.clipboardData);
  });
}
