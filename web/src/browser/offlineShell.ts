// Whether the service worker served this page from its cache because the server could not be reached
// (app/serviceWorker.ts). It may be of an older build: it connects to no table and reloads as soon as the
// server answers.
import { reachServer } from "../api/rest";

const POLL_INTERVAL_MS = 4_000;

export const isOfflineShell = "kept" in document.documentElement.dataset;

/** Reloads the page once the server answers; returns a function that stops polling. */
export function reloadWhenOnline(): () => void {
  const look = async (): Promise<void> => {
    if (document.visibilityState === "hidden") return;
    const answers = await reachServer().then(
      () => true,
      () => false,
    );
    if (answers) location.reload();
  };
  const now = (): void => void look();
  const timer = setInterval(now, POLL_INTERVAL_MS);
  addEventListener("online", now);
  document.addEventListener("visibilitychange", now);
  return () => {
    clearInterval(timer);
    removeEventListener("online", now);
    document.removeEventListener("visibilitychange", now);
  };
}
