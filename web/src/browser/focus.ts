// Where the focus is.

/**
 * The element with the focus. A panel that closes keeps it until the next frame if nothing had it before: keys
 * pressed meanwhile are meant for the page.
 */
export function focusedElement(): Element | null {
  const active = document.activeElement;
  return active?.closest("dialog:not([open])") ? document.body : active;
}
