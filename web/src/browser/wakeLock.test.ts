import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepScreenAwake } from "./wakeLock";

/** The locks that the page has taken. */
let locks: { released: boolean; release: () => Promise<void> }[];
let visible: DocumentVisibilityState;

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

function show(state: DocumentVisibilityState): Promise<void> {
  visible = state;
  // The browser releases locks of a hidden page.
  if (state === "hidden") for (const one of locks) one.released = true;
  document.dispatchEvent(new Event("visibilitychange"));
  return settled();
}

function stubWakeLock(request: () => Promise<unknown>): void {
  vi.stubGlobal("navigator", { wakeLock: { request } });
}

beforeEach(() => {
  locks = [];
  visible = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visible);
  stubWakeLock(async () => {
    const lock = {
      released: false,
      async release() {
        lock.released = true;
      },
    };
    locks.push(lock);
    return lock;
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("keepScreenAwake", () => {
  it("holds a lock until it is ended", async () => {
    const end = keepScreenAwake();
    await settled();
    expect(locks.map(({ released }) => released)).toEqual([false]);
    end();
    expect(locks.map(({ released }) => released)).toEqual([true]);
    await show("visible");
    expect(locks).toHaveLength(1);
  });

  it("takes another lock when the page is seen again, and none while it is hidden", async () => {
    const end = keepScreenAwake();
    await settled();
    await show("hidden");
    expect(locks).toHaveLength(1);
    await show("visible");
    await show("visible");
    expect(locks.map(({ released }) => released)).toEqual([true, false]);
    end();
  });

  it("releases a lock that comes after the end", async () => {
    keepScreenAwake()();
    await settled();
    expect(locks.map(({ released }) => released)).toEqual([true]);
  });

  it("does without where the browser has none or refuses", async () => {
    stubWakeLock(() => Promise.reject(new DOMException("low battery", "NotAllowedError")));
    keepScreenAwake()();
    vi.stubGlobal("navigator", {});
    keepScreenAwake()();
    await settled();
    expect(locks).toEqual([]);
  });
});
