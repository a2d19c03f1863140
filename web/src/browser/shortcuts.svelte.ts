// Keyboard shortcuts: whether their list is open, and which keys do what.

import { settings } from "../settings/settings.svelte";
import type { KeyAction } from "../settings/singleKeys";
import { focusedElement } from "./focus";

class Shortcuts {
  open = $state(false);
}

export const shortcuts = new Shortcuts();

/** Elements that take text input. */
const FIELDS = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";

/** Whether shortcuts are active: not in text fields, and not while a panel is open. */
function isFree(event: KeyboardEvent): boolean {
  const typing = focusedElement()?.matches(FIELDS) ?? false;
  return !event.defaultPrevented && !typing && document.querySelector("dialog[open]") === null;
}

/** Whether a key alone is that of an action, and such keys are on. */
function isSingleKey(event: KeyboardEvent, action: KeyAction): boolean {
  const chord = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
  const hit = event.key.toLowerCase() === settings.keys[action];
  return settings.singleKeys && hit && !chord && !event.repeat && isFree(event);
}

/** Whether a key opens the list of shortcuts. */
export function isShortcutsKey(event: KeyboardEvent): boolean {
  return isSingleKey(event, "list");
}

/** Whether a key focuses the button that claims the rest of the round. */
export function isClaimRestKey(event: KeyboardEvent): boolean {
  return isSingleKey(event, "rest");
}

/** Whether a key requests an undo. */
export function isUndoKey(event: KeyboardEvent): boolean {
  const chord = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  return chord && event.key.toLowerCase() === "z" && !event.repeat && isFree(event);
}
