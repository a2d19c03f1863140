// The analysis of a match: fetched once to see whether it exists, and polled about every second while it
// is computed.
import { errorText } from "../../i18n/errorText";
import { m } from "../../i18n";
import type { AnalysisProgress, MatchAnalysis } from "../../api/messages";
import { ServerError } from "../../api/rest";
import { settings } from "../../settings/settings.svelte";
import { getAnalysis } from "./replayApi";

const POLL_INTERVAL_MS = 1_000;
/** How long a decision may be thought about: 20 s at the server (`bot_seconds`), after those of others. */
const STALL_LIMIT_MS = 60_000;
/** Milliseconds before the next attempt if the server cannot be reached or is not ready. */
const RETRY_DELAY_MS = 4_000;

export class AnalysisState {
  state = $state<"unknown" | "none" | "running" | "failed" | "ready">("unknown");
  progress = $state.raw<AnalysisProgress | null>(null);
  analysis = $state.raw<MatchAnalysis | null>(null);
  /** Why there is no analysis; empty while no reason is known. */
  trouble = $state("");

  #progressAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly table: string,
    private readonly match: number,
    private readonly key: string | null,
  ) {
    this.#progressAt = performance.now();
    void this.#look(false);
  }

  /** Requests an analysis of the match. */
  ask(): Promise<void> {
    this.state = "running";
    this.progress = null;
    this.#progressAt = performance.now();
    return this.#look(true);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(ask: boolean): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const found = await getAnalysis(this.table, this.match, this.key, settings.locale, ask);
      if (this.#closed) return;
      this.trouble = "";
      if (found.progress?.decisions !== this.progress?.decisions) this.#progressAt = performance.now();
      this.progress = found.progress;
      this.analysis = found.analysis;
      this.state = found.state;
      if (found.state === "running") this.#goOn(POLL_INTERVAL_MS, m.analysis_stalled());
    } catch (error) {
      if (this.#closed) return;
      if (!(error instanceof ServerError)) throw error;
      this.#refused(error, ask);
    }
  }

  /** Looks again after some time; if nothing has come of it for too long, it ends, and `why` is told. */
  #goOn(after: number, why: string): void {
    if (performance.now() - this.#progressAt < STALL_LIMIT_MS) {
      this.#timer = setTimeout(() => void this.#look(false), after);
      return;
    }
    this.trouble = why;
    this.state = "none";
  }

  #refused(error: ServerError, ask: boolean): void {
    this.trouble = troubleText(error);
    // A short network failure does not end a running analysis.
    if (error.code === "network" && this.state === "running" && !ask)
      this.#goOn(RETRY_DELAY_MS, this.trouble);
    else this.state = "none";
  }
}

/** A sentence about why a match cannot be analysed. */
function troubleText({ code, message }: ServerError): string {
  if (code === "not_found") return m.analysis_not_here();
  if (code === "wrong_phase") return m.analysis_last_only();
  if (code === "not_ready") return m.analysis_not_ready();
  if (code === "limit") return m.analysis_limit();
  return errorText(code, message);
}
