// One device at one table, for programs that play a dishonest server: bench/attacks/fair_deals. It is the page's own
// code, without the page.
import type { EventInfo, RoomInfo, View } from "../../src/api/messages";
import { contributionStorage } from "../../src/features/fairness/contributionStorage";
import type { PackShares } from "../../src/features/fairness/compareEvidence";
import type { Hash } from "../../src/features/fairness/hashing";
import { Participant, type Contribution } from "../../src/features/fairness/participant";
import { judgeRecord, type Witness } from "../../src/features/fairness/verdict";
import { SeenMatch } from "../../src/features/witness/seenMatch";

/** What a state shows of the play, and the event that led to it, null for a snapshot. */
interface Step {
  event: EventInfo | null;
  view: View;
  /** For each seat its last action besides cards since the last pack. */
  said: (string | null)[];
  /** How many packs have been dealt. */
  packs: number;
  /** The game and its options, as the room tells them. */
  room: Pick<RoomInfo, "game" | "options">;
}

export type Command =
  /** `chance`: what the device draws; by default it is random. */
  | { do: "start"; table: string; seats: number; chance?: Hash[] | null }
  | { do: "reload"; table: string; seats: number }
  | { do: "react"; deals: unknown; match: number; seat: number | null }
  | { do: "show"; steps: Step[]; match: number; seat: number | null }
  | { do: "reconnect" }
  /** Which matches another one has replaced, so that their records are to be judged. */
  | { do: "replaced" }
  /** `seen`: whether the device compares the record with what it has seen. */
  | { do: "judge"; record: string; seen: boolean };

export type Answer =
  /** `trouble`: the number of the pack, 0 for the whole match; null for no trouble. */
  | { messages: Contribution[]; trouble: number | null }
  | {
      kind: string;
      pack: number | null;
      own: number;
      alone: number;
      shares?: PackShares;
      missing?: number[][];
    }
  | { matches: number[] }
  | Record<string, never>;

let participant: Participant;
let seen: SeenMatch;
/** The version of the table that was shown last. */
let version = 0;

/** What the device is to draw, kept where a reload does not lose it. */
const CHANCE = "chance";

function draw(): Hash {
  const [drawn = "", ...left] = JSON.parse(sessionStorage.getItem(CHANCE) ?? "[]") as Hash[];
  sessionStorage.setItem(CHANCE, JSON.stringify(left));
  return drawn;
}

function show({ event, view, said, packs, room: told }: Step, number: number, seat: number | null): void {
  version += 1;
  const room = { ...told, number, fair: { next_pack: packs + 1 } };
  seen.note({ version, seat, view, said, room: room as unknown as RoomInfo }, event);
}

function witness(): Witness | null {
  const { latest } = participant;
  return latest && { ...latest, seen: seen.of(latest.number) };
}

export function handle(command: Command): Answer {
  switch (command.do) {
    case "start":
      sessionStorage.clear();
      if (command.chance) sessionStorage.setItem(CHANCE, JSON.stringify(command.chance));
      return handle({ ...command, do: "reload" });
    case "reload": {
      const random = sessionStorage.getItem(CHANCE) === null ? undefined : draw;
      participant = new Participant(command.table, command.seats, contributionStorage(command.table), random);
      seen = new SeenMatch(command.table);
      return {};
    }
    case "show":
      for (const step of command.steps) show(step, command.match, command.seat);
      return {};
    case "reconnect":
      participant.repeat();
      return {};
    case "replaced":
      return {
        matches: participant.replaced.map(({ number }) => number),
      };
    case "react": {
      const messages = participant.react(command.deals, command.match, command.seat);
      return { messages, trouble: participant.latest?.trouble?.pack ?? null };
    }
    case "judge": {
      const verdict = judgeRecord(command.record, command.seen ? witness() : null, true);
      if (verdict?.kind === "verified") {
        return {
          kind: verdict.kind,
          pack: null,
          own: verdict.shares.own.length,
          alone: verdict.findings.alone,
          shares: verdict.shares,
          missing: verdict.findings.misses.map(({ pack: missed, attempt, seat }) => [missed, attempt, seat]),
        };
      }
      // Of another hand only the page says with which pack it was dealt.
      const pack = verdict && "pack" in verdict ? ("otherMatch" in verdict ? 0 : verdict.pack) : null;
      return { kind: verdict?.kind ?? "none", pack, own: 0, alone: 0 };
    }
  }
}
