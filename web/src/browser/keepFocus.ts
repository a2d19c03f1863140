// The one rule for where the focus goes when its element is gone: to the reader's next decision, else to
// their hand, else to the heading of the page. It never leaves a control that can hold it, and nothing
// scrolls.
import { CONTROLS, focusedElement, parked } from "./focus";

/**
 * A decision that the table asks of the reader: the panel, form or heading with this attribute. A text field
 * in it takes the focus, so that one can type at once.
 */
const DECISION = "[data-decision]";
/** Where the focus goes without a decision at a table, best first. A card that can be played comes before the others. */
const HAND = ["#hand [aria-disabled=false]", "#hand button[tabindex='0']", "#hand"];
/** Where a new page begins. */
const HEADINGS = ["h1", "main"];
/** If a control of such a group is disabled or removed, the one beside it takes the focus. */
const GROUP = "[role=group], fieldset, li";
/** A control of a decision whose action has been sent. It keeps the focus, which one that is disabled loses. */
const UNDER_WAY = "[aria-disabled=true]";
const TEXT_FIELD = "input[type=text]";

/** Safari has had it since 17.4. */
const hasCheck = "checkVisibility" in Element.prototype;

function isVisible(element: Element): boolean {
  if (!element.isConnected) return false;
  return hasCheck
    ? element.checkVisibility({ visibilityProperty: true })
    : element.getClientRects().length > 0;
}

function isUsable(element: Element): boolean {
  return !element.matches(":disabled") && isVisible(element);
}

/** The topmost panel, since all else is inert, or the page. */
function scope(): ParentNode {
  return [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
}

/** The decision that the reader can make now; none while the answer to an action is awaited. */
function openDecision(): HTMLElement | null {
  const all = [...scope().querySelectorAll<HTMLElement>(DECISION)];
  return all.find((one) => isVisible(one) && !one.querySelector(UNDER_WAY)) ?? null;
}

/** With touch only, a field would open the keyboard over the cards: the form has to do. */
function entryOf(decision: HTMLElement): HTMLElement {
  const touchOnly = matchMedia("(any-pointer: coarse)").matches && !matchMedia("(any-pointer: fine)").matches;
  return (!touchOnly && decision.querySelector<HTMLElement>(TEXT_FIELD)) || decision;
}

function landmark(anew: boolean): HTMLElement | null {
  const inside = scope();
  const page = anew ? HEADINGS : [...HAND, ...HEADINGS];
  const places = inside === document ? page : ["h2"];
  for (const place of places) {
    const found = [...inside.querySelectorAll<HTMLElement>(place)].find(isUsable);
    if (found) return found;
  }
  return null;
}

/** The control of a group that is now in a place or the next one after it, else the nearest before it. */
function nearest(group: Element, place: number): HTMLElement | null {
  const controls = [...group.querySelectorAll<HTMLElement>(CONTROLS)];
  return controls.slice(place).find(isUsable) ?? controls.slice(0, place).findLast(isUsable) ?? null;
}

/** What had the focus at a time, and the path of the page then. */
export interface FocusNote {
  element: Element;
  path: string;
}

/**
 * Keeps the focus from falling to the body; `noted` is what had it before. Returns a function that ends this.
 */
export function keepFocus(noted: FocusNote | null = null): () => void {
  /** What had the focus last, unless the reader has left it, and its place in its group. */
  let last: Element | null = null;
  let group: Element | null = null;
  let place = 0;
  let path = "";
  /** Whether the last element is disabled for the time of a request. */
  let waits = false;
  /** The decision that was offered last; one that is closed may be taken up later. */
  let offered: Element | null = null;
  /** Whether the focus was moved while a key is held down. */
  let moved = false;
  let frame = 0;

  function move(goal: HTMLElement, keeps: boolean): void {
    if (!goal.matches(`${CONTROLS}, [tabindex]`)) goal.tabIndex = -1;
    parked.at = keeps ? null : goal;
    moved = true;
    goal.focus({ preventScroll: true });
  }

  function note(active: Element): void {
    waits = false;
    if (active !== parked.at) parked.at = null;
    last = active;
    path = location.pathname;
    group = active.closest(DECISION) ? null : active.closest(GROUP);
    place = group ? [...group.querySelectorAll(CONTROLS)].indexOf(active) : 0;
  }

  function settle(): void {
    frame = 0;
    const decision = openDecision();
    const fresh = decision !== null && decision !== offered;
    offered = decision;
    const active = focusedElement();
    if (active && active !== document.body && isUsable(active)) {
      // Its place may have changed.
      note(active);
      if (fresh && active === parked.at) move(entryOf(decision), true);
    } else if (fresh) move(entryOf(decision), true);
    else if (last) restore(last, decision);
  }

  function restore(gone: Element, decision: HTMLElement | null): void {
    if (isUsable(gone)) {
      if (waits) move(gone as HTMLElement, true);
      else last = null;
      return;
    }
    const beside = group && isVisible(group) ? nearest(group, place) : null;
    if (beside) return move(beside, true);
    waits = isVisible(gone) && !gone.closest(DECISION);
    if (waits) return;
    if (decision) return move(entryOf(decision), true);
    // Also if the page was still being fetched.
    const found = landmark(location.pathname !== path || gone.matches(HEADINGS.join()));
    if (found) move(found, false);
  }

  function soon(): void {
    if (frame === 0) frame = requestAnimationFrame(settle);
  }

  /** A key held down on what is gone was not meant for what has the focus now. */
  function keydown(event: KeyboardEvent): void {
    if (!event.repeat) moved = false;
    else if (moved && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  }

  const watch = new MutationObserver(soon);
  watch.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["disabled", "aria-disabled", "class", "open", "hidden", "data-decision"],
  });
  const ended = new AbortController();
  const { signal } = ended;
  document.addEventListener("focusin", ({ target }) => note(target as Element), { signal });
  document.addEventListener("focusout", soon, { signal });
  document.addEventListener("keydown", keydown, { signal, capture: true });
  const active = document.activeElement;
  if (active && active !== document.body) note(active);
  else if (noted) {
    last = noted.element;
    path = noted.path;
  }
  soon();
  return () => {
    cancelAnimationFrame(frame);
    watch.disconnect();
    ended.abort();
  };
}
