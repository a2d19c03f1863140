// Where the focus is; keepFocus.ts says where it goes.

export const CONTROLS = "button, a[href], input, select, textarea";

/** Where the focus was put without a decision: the reader did not choose to be there. */
export const parked: { at: Element | null } = { at: null };

/**
 * The element with the focus. A panel that closes keeps it until the next frame if nothing had it before: keys
 * pressed meanwhile are meant for the page.
 */
export function focusedElement(): Element | null {
  const active = document.activeElement;
  return active?.closest("dialog:not([open])") ? document.body : active;
}

/** Whether the reader is on no control: on the body, or where the focus was put for want of one. */
export function isFocusFree(): boolean {
  const active = focusedElement();
  return active === document.body || (active === parked.at && !active?.matches(CONTROLS));
}
