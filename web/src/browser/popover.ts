// Popovers: small panels over the page that Escape or a tap elsewhere closes. Safari has them since 17;
// for older ones a module that is loaded only there gives a panel the same methods and events.

export const hasPopover = "popover" in HTMLElement.prototype;

const OPEN = hasPopover ? "dialog[open], :popover-open" : "dialog[open], [popover]:not([hidden])";

/** Whether a panel or a popover is open, which Escape closes. */
export function isPanelOpen(): boolean {
  return document.querySelector(OPEN) !== null;
}

/** Makes an element a popover that its button opens, where the browser does not; returns how to undo it. */
export function providePopover(panel: HTMLElement, button: HTMLElement): (() => void) | undefined {
  if (hasPopover) return undefined;
  let undo: (() => void) | undefined;
  // A press before the module is there opens the panel as soon as it is.
  let pressed = false;
  const press = (): void => void (pressed = !pressed);
  button.addEventListener("click", press);
  const module = import("./popoverFallback");
  void module
    .then(({ popoverFallback }) => {
      button.removeEventListener("click", press);
      undo = popoverFallback(panel, button);
      if (pressed) panel.showPopover();
    })
    .catch(() => undefined);
  return () => void module.then(() => undo?.()).catch(() => undefined);
}
