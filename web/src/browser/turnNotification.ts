// A notification of the device for whoever looks elsewhere when it is his turn. It comes from this page,
// by its service worker, and from no server: only while the page is open, and only where it was allowed.
import { settings } from "../settings/settings.svelte";

const TAG = "jasstisch-turn";
const ICON = "/icon-192.png";

/** Whether this browser shows notifications of pages; some do only over TLS, or once installed. */
export function canNotify(): boolean {
  return "Notification" in window && "serviceWorker" in navigator;
}

/** Asks the person, unless he has answered already, whether he allows notifications; what holds then. */
export async function requestNotificationPermission(): Promise<NotificationPermission> {
  await Notification.requestPermission();
  return Notification.permission;
}

/**
 * Calls the reader to this page, if he wants that and does not see it. The call ends when he does, or
 * when it is ended by what is returned.
 */
export function notifyTurn(title: string, body: string): () => void {
  if (!settings.alerts || !canNotify() || Notification.permission !== "granted") return () => undefined;
  if (document.visibilityState === "visible") return () => undefined;
  const called = call(title, body);
  const seen = (): void => {
    if (document.visibilityState === "visible") end();
  };
  const end = (): void => {
    document.removeEventListener("visibilitychange", seen);
    void called.then(close);
  };
  document.addEventListener("visibilitychange", seen);
  return end;
}

async function call(title: string, body: string): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  const { lang } = document.documentElement;
  await worker?.showNotification(title, { body, lang, tag: TAG, icon: ICON, data: location.href });
}

async function close(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  for (const one of (await worker?.getNotifications({ tag: TAG })) ?? []) one.close();
}
