// Registers the service worker, and tells it which files the page has fetched, so that it keeps them: only
// those, and without fetching them again.

/** Milliseconds after which it is registered even if the page is never idle. */
const REGISTERED_WITHIN_MS = 10_000;

/** The addresses of the built files that this page has used. */
function usedFiles(): string[] {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"))
    .map(({ pathname }) => pathname);
}

async function register(container: ServiceWorkerContainer): Promise<void> {
  // A new worker takes over: of the first visit, or of a new build.
  container.addEventListener("controllerchange", () => container.controller?.postMessage(usedFiles()));
  await container.register("/sw.js").catch(() => undefined);
}

/** Registers the worker once the page has what it needs first, which must not wait for it. */
export function registerServiceWorker(): void {
  // Browsers have service workers only over TLS or on this machine; the page does without.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container) return;
  const idle = (done: () => void): unknown =>
    "requestIdleCallback" in window
      ? requestIdleCallback(done, { timeout: REGISTERED_WITHIN_MS })
      : setTimeout(done);
  addEventListener("load", () => idle(() => void register(container)));
}
