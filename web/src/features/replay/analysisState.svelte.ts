// The analysis of a match: fetched once to see whether it exists, and polled about every second while it
// is computed.
import { errorText } from "../../i18n/errorText";
import { m } from "../../i18n";
import type { AnalysisProgress, MatchAnalysis } from "../../api/messages";
import { ServerError } from "../../api/rest";
import { settings } from "../../settings/settings.svelte";
import { getAnalysis } from "./replayApi";

const POLL_INTERVAL_MS = 1_000;
/** Milliseconds until it is asked again whether the server can be reached, or is ready. */
const RETRY_DELAY_MS = 4_000;

export class AnalysisState {
  state = $state<"unknown" | "none" | "running" | "failed" | "ready">("unknown");
  progress = $state.raw<AnalysisProgress | null>(null);
  analysis = $state.raw<MatchAnalysis | null>(null);
  /** Why it cannot be had; empty while nothing is known against it. */
  trouble = $state("");

  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly table: string,
    private readonly match: number,
    private readonly key: string | null,
  ) {
    void this.#look(false);
  }

  /** Has the match analysed. */
  ask(): Promise<void> {
    this.state = "running";
    this.progress = null;
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
      this.progress = found.progress;
      this.analysis = found.analysis;
      this.state = found.state;
      if (found.state === "running") this.#again(POLL_INTERVAL_MS);
    } catch (error) {
      if (this.#closed) return;
      if (!(error instanceof ServerError)) throw error;
      this.#refused(error, ask);
    }
  }

  #refused(error: ServerError, ask: boolean): void {
    this.trouble = troubleText(error);
    // While it is worked out, a connection that is gone for a moment ends nothing.
    if (error.code === "network" && this.state === "running" && !ask) this.#again(RETRY_DELAY_MS);
    else this.state = "none";
  }

  #again(after: number): void {
    this.#timer = setTimeout(() => void this.#look(false), after);
  }
}

/** Why a match is not analysed, in a sentence. */
function troubleText({ code, message }: ServerError): string {
  if (code === "not_found") return m.analysis_not_here();
  if (code === "wrong_phase") return m.analysis_last_only();
  if (code === "not_ready") return m.analysis_not_ready();
  if (code === "limit") return m.analysis_limit();
  return errorText(code, message);
}
