import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DOUBLE_TAP_MS, DoubleTapGuard, clickSource } from "./doubleTap";

describe("DoubleTapGuard and clickSource", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("blocks the same pointer for a moment after a card, and no other one", () => {
    const guard = new DoubleTapGuard();
    expect(guard.blocks("touch")).toBe(false);
    guard.played("touch");
    expect(guard.blocks("touch")).toBe(true);
    expect(guard.blocks("key")).toBe(false);
    vi.advanceTimersByTime(DOUBLE_TAP_MS - 1);
    expect(guard.blocks("touch")).toBe(true);
    vi.advanceTimersByTime(1);
    expect(guard.blocks("touch")).toBe(false);
  });

  it("begins anew with each card", () => {
    const guard = new DoubleTapGuard();
    guard.played("key");
    vi.advanceTimersByTime(300);
    guard.played("mouse");
    vi.advanceTimersByTime(300);
    expect([guard.blocks("mouse"), guard.blocks("key")]).toEqual([true, false]);
  });

  it("tells keys from pointers, also where a click has no kind of pointer", () => {
    expect(clickSource(new MouseEvent("click", { detail: 0 }))).toBe("key");
    expect(clickSource(new MouseEvent("click", { detail: 1 }))).toBe("mouse");
    const touched = Object.assign(new MouseEvent("click", { detail: 1 }), { pointerType: "touch" });
    expect(clickSource(touched)).toBe("touch");
  });
});
