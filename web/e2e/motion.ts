// Motion in pages that are opened with reduced motion, of which there must be none.
import type { BrowserContext } from "@playwright/test";

/**
 * Logs every transition, animation and smooth scrolling as an error of the page. CSS animations of no
 * duration are none: they show one thing after the other.
 */
export async function reportMotion(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const report = (what: string, element: unknown): void =>
      reportError(`${what} in spite of reduced motion: ${(element as Element).outerHTML?.slice(0, 120)}`);
    document.addEventListener("transitionrun", (event) =>
      report(`transition of ${event.propertyName}`, event.target),
    );
    document.addEventListener("animationstart", (event) => {
      const lasts = document
        .getAnimations()
        .filter((one) => one instanceof CSSAnimation && one.animationName === event.animationName)
        .some((one) => Number(one.effect?.getTiming().duration) > 0);
      if (lasts) report(`animation ${event.animationName}`, event.target);
    });

    function watch(method: "animate" | "scroll" | "scrollBy" | "scrollTo" | "scrollIntoView"): void {
      const original = Element.prototype[method] as (...args: unknown[]) => unknown;
      Object.assign(Element.prototype, {
        [method](this: Element, ...args: unknown[]) {
          const moves = args.some(
            (one) =>
              one instanceof Object &&
              ((one as ScrollOptions).behavior === "smooth" || Number((one as EffectTiming).duration) > 0),
          );
          if (moves) report(method, this);
          return original.apply(this, args);
        },
      });
    }
    for (const method of ["animate", "scroll", "scrollBy", "scrollTo", "scrollIntoView"] as const)
      watch(method);
  });
}
