// Notifies readers on their device when it is their turn and the page is out of sight. The notification
// comes from this page through its service worker, not from a push server: only while the page is open and
// notifications are allowed.
import { settings } from "../settings/settings.svelte";

const TAG = "jasstisch-turn";
const ICON = "/icon-192.png";

/** Whether this browser shows notifications of pages; some do only over TLS, or once installed. */
export function canNotify(): boolean {
  return "Notification" in window && "serviceWorker" in navigator;
}

/** Requests permission for notifications unless already decided; returns the permission. */
export async function requestNotificationPermission(): Promise<NotificationPermission> {
  await Notification.requestPermission();
  return Notification.permission;
}

/**
 * Notifies readers who have notifications enabled and do not see the page. The notification closes when
 * they see it, or when the returned function is called.
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
