/** True if a modifier makes the key the browser's: Alt with an arrow goes back. */
export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
