import { describe, expect, it } from "vitest";
import type { Happened, Room } from "../../api/messages";
import type { News } from "../play/events";
import { restNews, stillRests } from "./claimRest";

const happened = (kind: Happened["kind"]): Happened => ({ kind }) as Happened;
const room = (phase: Room["phase"]): Room => ({ phase }) as Room;

describe("the rest of a round", () => {
  it("is laid from when it is taken for as long as cards come", () => {
    expect(stillRests(false, happened("acted"))).toBe(false);
    expect(stillRests(false, happened("rest_taken"))).toBe(true);
    expect(stillRests(true, happened("acted"))).toBe(true);
    expect(stillRests(true, happened("pack"))).toBe(false);
    expect(stillRests(true, happened("ready"))).toBe(false);
  });

  it("tells of no card and no trick but the last one, and of all that counts besides", () => {
    const played: News = { kind: "played", seat: 1, card: "KH" };
    const trick: News = { kind: "trick", cards: [], winner: 1, points: 4 };
    const stoeck: News = { kind: "stoeck", seat: 1, points: 20 } as News;
    expect(restNews([played, stoeck, trick], room("playing"))).toEqual([stoeck]);
    expect(restNews([played, trick], room("between"))).toEqual([trick]);
  });
});
