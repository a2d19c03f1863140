/// <reference lib="webworker" />
// The service worker: caches the page so that it opens offline and says so. A page is always fetched from
// the server first. A cached page is marked as such: it only waits for the server and then reloads
// (browser/offlineShell.ts), so a page of an older build never talks to a newer server. It handles nothing
// else but hashed asset files: no API call, no WebSocket.
declare const self: ServiceWorkerGlobalScope;

/** Each build has its own cache; vite.config.ts fills in the build. */
const CACHE = "jasstisch-__BUILD__";
const PAGE = "/";
const MY_MATCHES_PATH = "/me";
/** Status codes of proxies whose server is unreachable. */
const GATEWAY_ERRORS: readonly number[] = [502, 504];

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (
    request.mode === "navigate" &&
    (pathname === PAGE || pathname === MY_MATCHES_PATH || pathname.startsWith("/t/"))
  ) {
    event.respondWith(page(request));
  }
});

/** A page tells which files it has fetched without this worker, in the reader's language; they are kept. */
self.addEventListener("message", (event: ExtendableMessageEvent) => {
  event.waitUntil(keepFiles(event.data as string[]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(focus(String(event.notification.data)));
});

/** Caches the page and everything it references, or nothing at all. */
async function keep(): Promise<void> {
  const cache = await caches.open(CACHE);
  // It is the same at every address, and the browser has the one that it shows.
  const [shown] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const start = await fetch(shown?.url ?? PAGE, { cache: "no-cache" });
  if (!start.ok) throw new Error(`no page to keep: status ${start.status}`);
  const named = (await start.clone().text()).match(/(?<==")\/assets\/[^"]+/g) ?? [];
  await cache.addAll([...new Set(named)]);
  await cache.put(PAGE, start);
  await self.skipWaiting();
}

/** Keeps files of the build, which the browser has in its own cache; one that is gone is left out. */
async function keepFiles(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const missing = await Promise.all(paths.map(async (path) => (await cache.match(path)) === undefined));
  await Promise.allSettled(paths.filter((_, index) => missing[index]).map((path) => cache.add(path)));
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

async function kept(path: string): Promise<Response> {
  return (await (await caches.open(CACHE)).match(path)) ?? Response.error();
}

async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function page(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => null);
  if (answer && !GATEWAY_ERRORS.includes(answer.status)) return answer;
  const own = await kept(PAGE);
  if (!own.ok) return answer ?? own;
  const headers = new Headers(own.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response((await own.text()).replace("<html", "<html data-kept"), { headers });
}

/** Focuses the window that shows the table of a notification, or opens one. */
async function focus(address: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => url === address);
  await (open ? open.focus() : self.clients.openWindow(address));
}

export {};
