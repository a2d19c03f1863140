// The list of the keys of the page: whether it is open, and which key opens it.

class Shortcuts {
  open = $state(false);
}

export const shortcuts = new Shortcuts();

/** What is typed here is text. */
const FIELDS = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";

/** Whether a key asks for the list: not while somebody types, nor over another panel. */
export function asksForShortcuts(event: KeyboardEvent): boolean {
  if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey) return false;
  const typing = document.activeElement?.matches(FIELDS) ?? false;
  return !typing && document.querySelector("dialog[open]") === null;
}
