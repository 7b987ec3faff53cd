/** Whether a key is pressed together with one that makes it the browser's: Alt with an arrow goes back. */
export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
