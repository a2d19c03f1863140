import { describe, expect, it } from "vitest";
import type { EventInfo, RoomInfo } from "../../api/messages";
import type { GameEvent } from "../play/gameEvents";
import { claimRestEvents, isClaimingRest } from "./claimedRestEvents";

const happened = (kind: EventInfo["kind"]): EventInfo => ({ kind }) as EventInfo;
const room = (phase: RoomInfo["phase"]): RoomInfo => ({ phase }) as RoomInfo;

describe("isClaimingRest and claimRestEvents", () => {
  it("lasts from the claim until something other than a card follows", () => {
    expect(isClaimingRest(false, happened("acted"))).toBe(false);
    expect(isClaimingRest(false, happened("rest_taken"))).toBe(true);
    expect(isClaimingRest(true, happened("acted"))).toBe(true);
    expect(isClaimingRest(true, happened("pack"))).toBe(false);
    expect(isClaimingRest(true, happened("ready"))).toBe(false);
  });

  it("drops played cards and all tricks but the last, and keeps other events", () => {
    const played: GameEvent = { kind: "played", seat: 1, card: "KH" };
    const trick: GameEvent = { kind: "trick", cards: [], winner: 1, points: 4 };
    const stoeck: GameEvent = { kind: "stoeck", seat: 1, points: 20 } as GameEvent;
    expect(claimRestEvents([played, stoeck, trick], room("playing"))).toEqual([stoeck]);
    expect(claimRestEvents([played, trick], room("between"))).toEqual([trick]);
  });
});
