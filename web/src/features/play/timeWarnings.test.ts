import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scheduleTimeWarnings } from "./timeWarnings";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The warnings of a turn, each with the seconds since its beginning. */
function warned(total: number, left = total): [at: number, told: number][] {
  const found: [number, number][] = [];
  const began = Date.now();
  scheduleTimeWarnings(began + left * 1000, total, (seconds) =>
    found.push([Math.round((Date.now() - began) / 1000), seconds]),
  );
  vi.advanceTimersByTime(total * 1000);
  return found;
}

describe("scheduleTimeWarnings", () => {
  it("warns at a third of the time and ten seconds before its end", () => {
    expect(warned(60)).toEqual([
      [40, 20],
      [50, 10],
    ]);
  });

  it("warns once where both moments are close together, and not right at the beginning", () => {
    expect(warned(30)).toEqual([[20, 10]]);
    expect(warned(15)).toEqual([[5, 10]]);
    expect(warned(12)).toEqual([]);
    expect(warned(5)).toEqual([]);
  });

  it("leaves out the moments that have passed, as after a reload", () => {
    expect(warned(60, 15)).toEqual([[5, 10]]);
    expect(warned(60, 8)).toEqual([]);
  });

  it("is cancelled when the turn ends", () => {
    const warn = vi.fn();
    scheduleTimeWarnings(Date.now() + 60_000, 60, warn)();
    vi.advanceTimersByTime(60_000);
    expect(warn).not.toHaveBeenCalled();
  });
});
