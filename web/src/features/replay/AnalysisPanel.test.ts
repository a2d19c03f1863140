import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnalysisState } from "../../api/messages";
import { m } from "../../i18n";
import type { TableState } from "../../table/tableState";
import AnalysisPanel from "./AnalysisPanel.svelte";

const MINUTE = 60_000;

let panel: ReturnType<typeof mount>;
/** What the server has to say of the analysis; null while it cannot be reached. */
let told: AnalysisState | null;

const running = (decisions: number): AnalysisState => ({
  match: 1,
  state: "running",
  progress: { rounds: 0, of_rounds: 2, decisions, of_decisions: 40 },
  analysis: null,
});

const button = (): HTMLButtonElement | null => document.querySelector("button");
const said = (role: "alert" | "status"): string | undefined =>
  document.querySelector(`[role=${role}]`)?.textContent?.trim();

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  flushSync();
}

describe("AnalysisPanel", () => {
  beforeEach(async () => {
    vi.useFakeTimers();
    told = { match: 1, state: "none", progress: null, analysis: null };
    vi.stubGlobal("fetch", () =>
      told ? Promise.resolve(Response.json(told)) : Promise.reject(new TypeError("no line")),
    );
    const state = { table: "a-table-of-the-tests" } as TableState;
    const props = { state, match: 1, key: null, step: 0, onjump: () => undefined };
    panel = mount(AnalysisPanel, { target: document.body, props });
    await pass(0);
    told = running(0);
    button()?.click();
    await pass(0);
  });

  afterEach(async () => {
    await unmount(panel);
  });

  it("says how far the analysis is, and offers no second one meanwhile", async () => {
    expect(said("status")).toBe(m.analysis_done_of({ n: 0, total: 40 }));
    told = running(7);
    await pass(1_000);
    expect(said("status")).toBe(m.analysis_done_of({ n: 7, total: 40 }));
    expect(button()).toBeNull();
  });

  it("says after a minute without progress that there is none, and lets the reader try again", async () => {
    await pass(MINUTE / 2);
    told = running(1);
    await pass(MINUTE - 2_000);
    expect([said("alert"), button()]).toEqual([undefined, null]);
    await pass(4_000);
    expect(said("alert")).toBe(m.analysis_stalled());
    expect(button()?.textContent?.trim()).toBe(m.try_again());
    button()?.click();
    await pass(0);
    expect(said("status")).toBe(m.analysis_done_of({ n: 1, total: 40 }));
    expect(said("alert")).toBeUndefined();
  });

  it("goes on after a short failure of the line", async () => {
    told = null;
    await pass(10_000);
    expect(said("alert")).toBe(m.error_network());
    expect(button()).toBeNull();
    told = running(3);
    await pass(5_000);
    expect([said("alert"), said("status")]).toEqual([undefined, m.analysis_done_of({ n: 3, total: 40 })]);
  });

  it("says after a minute without a line that there is none, and lets the reader try again", async () => {
    told = null;
    await pass(MINUTE + 5_000);
    expect(said("alert")).toBe(m.error_network());
    expect(button()?.textContent?.trim()).toBe(m.try_again());
  });
});
