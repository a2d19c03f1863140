// All unit tests share one page: each finds it as if it had just been opened by an English reader.
import { afterEach, beforeEach, vi } from "vitest";
import { settings } from "../src/lib/settings.svelte";

beforeEach(() => {
  settings.locale = "en";
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
