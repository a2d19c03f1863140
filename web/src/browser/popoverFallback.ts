// What a browser without popovers lacks: a panel at the end of the page, above all else, that its button
// opens, and Escape or a tap elsewhere closes. It is hidden by its attribute while it is closed.

/** Gives a panel the methods and the event of a popover; returns a function that removes it. */
export function popoverFallback(panel: HTMLElement, button: HTMLElement): () => void {
  document.body.append(panel);
  panel.style.zIndex = "100";

  function set(open: boolean): void {
    if (panel.hidden !== open) return;
    panel.hidden = !open;
    panel.dispatchEvent(Object.assign(new Event("toggle"), { newState: open ? "open" : "closed" }));
  }

  function hide(): void {
    if (panel.hidden) return;
    const inside = panel.contains(document.activeElement);
    set(false);
    if (inside) button.focus({ preventScroll: true });
  }

  Object.assign(panel, { showPopover: () => set(true), hidePopover: hide });
  const ended = new AbortController();
  const { signal } = ended;
  button.addEventListener("click", () => (panel.hidden ? set(true) : hide()), { signal });
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || panel.hidden) return;
      event.preventDefault();
      hide();
    },
    { signal, capture: true },
  );
  window.addEventListener(
    "pointerdown",
    ({ target }) => {
      const own = target instanceof Node && (panel.contains(target) || button.contains(target));
      if (!own) hide();
    },
    { signal, capture: true },
  );
  return () => {
    ended.abort();
    panel.remove();
  };
}
