import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchWithLimit } from "./fetchWithLimit";

/** A response whose body sends a part every `pause` milliseconds, `count` times, and then ends or hangs. */
function slow(pause: number, count: number, ends: boolean, signal: AbortSignal): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(new DOMException("aborted", "AbortError")));
    },
    async pull(controller) {
      if (count-- > 0) {
        await new Promise((done) => setTimeout(done, pause));
        controller.enqueue(new TextEncoder().encode("x"));
      } else if (ends) controller.close();
      else await new Promise(() => undefined);
    },
  });
  return new Response(body, { status: 200, headers: { "Content-Type": "text/plain" } });
}

function stub(answer: (signal: AbortSignal) => Promise<Response>): void {
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => answer(signal));
}

/** The outcome of a fetch, once it has one. */
function outcome(asked: Promise<Response>): { of: string | null } {
  const found: { of: string | null } = { of: null };
  asked.then(
    async (response) => (found.of = await response.text()),
    (error: unknown) => (found.of = (error as Error).name),
  );
  return found;
}

describe("fetchWithLimit", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("gives up when no answer comes", async () => {
    stub(
      (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
        ),
    );
    const found = outcome(fetchWithLimit("/api/games"));
    await vi.advanceTimersByTimeAsync(7_900);
    expect(found.of).toBeNull();
    await vi.advanceTimersByTimeAsync(200);
    expect(found.of).toBe("AbortError");
  });

  it("gives up when an answer stops in the middle", async () => {
    stub(async (signal) => slow(1_000, 2, false, signal));
    const found = outcome(fetchWithLimit("/api/games"));
    await vi.advanceTimersByTimeAsync(9_900);
    expect(found.of).toBeNull();
    await vi.advanceTimersByTimeAsync(200);
    expect(found.of).toBe("AbortError");
  });

  it("waits for a slow line as long as something arrives", async () => {
    stub(async (signal) => slow(5_000, 6, true, signal));
    const found = outcome(fetchWithLimit("/api/games"));
    await vi.advanceTimersByTimeAsync(31_000);
    expect(found.of).toBe("xxxxxx");
  });

  it("keeps status, headers and an empty body", async () => {
    stub(async () => new Response(null, { status: 204, headers: { "X-Kind": "none" } }));
    const response = await fetchWithLimit("/api/games");
    expect([response.status, response.headers.get("X-Kind"), await response.text()]).toEqual([
      204,
      "none",
      "",
    ]);
  });
});
