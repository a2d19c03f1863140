import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settings } from "../settings/settings.svelte";
import { notifyTurn, canNotify } from "./turnNotification";

interface Shown {
  title: string;
  tag: string;
  data: string;
  close(): void;
}

let shown: Shown[] = [];

const worker = {
  showNotification: (title: string, { tag, data }: { tag: string; data: string }) => {
    const one: Shown = { title, tag, data, close: () => (shown = shown.filter((it) => it !== one)) };
    shown = [...shown.filter((it) => it.tag !== tag), one];
    return Promise.resolve();
  },
  getNotifications: ({ tag }: { tag: string }) => Promise.resolve(shown.filter((it) => it.tag === tag)),
};

/** Shows or hides the page and waits until its handlers have run. */
async function see(state: DocumentVisibilityState): Promise<void> {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
}

const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

beforeEach(async () => {
  shown = [];
  vi.stubGlobal("Notification", { permission: "granted" });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: () => Promise.resolve(worker) },
  });
  settings.alerts = true;
  await see("hidden");
});

afterEach(() => {
  settings.alerts = false;
  Reflect.deleteProperty(navigator, "serviceWorker");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("notifyTurn", () => {
  it("shows a notification that links to the table while the page is hidden", async () => {
    notifyTurn("Your turn", "Schieber");
    await settle();
    expect(shown).toMatchObject([{ title: "Your turn", data: location.href }]);
  });

  it("closes the notification when the page becomes visible", async () => {
    notifyTurn("Your turn", "Schieber");
    await see("visible");
    expect(shown).toEqual([]);
  });

  it("closes the notification when the turn ends, even if it was not shown yet", async () => {
    notifyTurn("Your turn", "Schieber")();
    await settle();
    expect(shown).toEqual([]);
  });

  it("shows nothing if the page is visible, alerts are off or permission is missing", async () => {
    await see("visible");
    notifyTurn("Your turn", "Schieber");
    await see("hidden");
    settings.alerts = false;
    notifyTurn("Your turn", "Schieber");
    settings.alerts = true;
    for (const permission of ["default", "denied"]) {
      vi.stubGlobal("Notification", { permission });
      notifyTurn("Your turn", "Schieber");
    }
    await settle();
    expect(shown).toEqual([]);
  });

  it("shows nothing without service workers, as over plain HTTP", async () => {
    expect(canNotify()).toBe(true);
    Reflect.deleteProperty(navigator, "serviceWorker");
    expect(canNotify()).toBe(false);
    notifyTurn("Your turn", "Schieber");
    await settle();
    expect(shown).toEqual([]);
  });
});
