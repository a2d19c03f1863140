// Makes a scrollable part of the page focusable, only while it scrolls.
import type { Attachment } from "svelte/attachments";

/** Adds an element to the tab order while its content overflows. */
export const focusableScroll: Attachment<HTMLElement> = (element) => {
  const measure = (): void => {
    const longer = element.scrollHeight > element.clientHeight + 1;
    const wider = element.scrollWidth > element.clientWidth + 1;
    // It keeps the focus, which would fall to the page.
    if (longer || wider || element === document.activeElement) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  };
  const sizes = new ResizeObserver(measure);
  const follow = (): void => {
    sizes.disconnect();
    for (const one of [element, ...element.children]) sizes.observe(one);
  };
  const parts = new MutationObserver(follow);
  parts.observe(element, { childList: true });
  follow();
  element.addEventListener("blur", measure);
  return () => {
    element.removeEventListener("blur", measure);
    parts.disconnect();
    sizes.disconnect();
  };
};
