import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RoomInfo, Turn, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import { onlyLegalLastCard, playLastCard } from "./playLastCard.svelte";

const turn = (...legal: string[]): Turn => ({ legal, more: false, refused: {} }) as unknown as Turn;

function table(hand: string[], more: Partial<RoomInfo> = {}, game = "differenzler"): TableState {
  return {
    version: 7,
    seat: 0,
    room: { game, number: 1, phase: "playing", guided: false, ...more } as RoomInfo,
    view: { game, hand, rounds: [] } as unknown as View,
    turn: null,
  } as unknown as TableState;
}

describe("onlyLegalLastCard", () => {
  it("returns the play if it is the only legal action", () => {
    expect(onlyLegalLastCard(table(["JC"]), turn("play JC"))).toBe("play JC");
  });

  it("returns null while the reader is not on turn", () => {
    expect(onlyLegalLastCard(table(["JC"]), null)).toBeNull();
  });

  it("returns null with several cards in hand, even if only one is legal", () => {
    expect(onlyLegalLastCard(table(["JC", "6H"]), turn("play JC"))).toBeNull();
  });

  it("returns null if the reader may announce or bid", () => {
    expect(onlyLegalLastCard(table(["JC"]), turn("play JC", "play JC weis"))).toBeNull();
    expect(onlyLegalLastCard(table(["JC"]), turn("play JC weis"))).toBeNull();
    expect(onlyLegalLastCard(table(["JC"]), turn("bid 0"))).toBeNull();
  });

  it("returns null in a guided match, but not in the next match", () => {
    const guided = table(["JC"], { guided: true });
    expect(onlyLegalLastCard(guided, turn("play JC"))).toBeNull();
    expect(onlyLegalLastCard({ ...guided, room: { ...guided.room, number: 2 } }, turn("play JC"))).toBe(
      "play JC",
    );
  });

  it("returns null in I Doubt It", () => {
    expect(onlyLegalLastCard(table(["JC"], {}, "i-doubt-it"), turn("play JC"))).toBeNull();
  });
});

describe("playLastCard", () => {
  const act = vi.fn(() => Promise.resolve(true));
  let now = $state.raw(table(["JC"]));
  let due = $state.raw<Turn | null>(turn("play JC"));
  const session = $state({ actAutomatically: act, current: true, sent: null as string | null });
  let end = (): void => undefined;

  beforeEach(() => {
    vi.useFakeTimers();
    act.mockClear();
    settings.lastCard = true;
    [now, due, session.current, session.sent] = [table(["JC"]), turn("play JC"), true, null];
  });
  afterEach(() => {
    end();
    settings.lastCard = true;
    vi.useRealTimers();
  });

  function sit(): void {
    end = $effect.root(() =>
      playLastCard(
        session,
        () => now,
        () => due,
      ),
    );
    flushSync();
  }

  function pass(time: number): void {
    vi.advanceTimersByTime(time);
    flushSync();
  }

  it("plays the card after a short delay", () => {
    sit();
    pass(600);
    expect(act).not.toHaveBeenCalled();
    pass(200);
    expect(act.mock.calls).toEqual([["play JC"]]);
  });

  it("plays the card only once, even if the action was refused or lost", () => {
    sit();
    pass(800);
    session.sent = "play JC";
    flushSync();
    session.sent = null;
    session.current = false;
    pass(800);
    session.current = true;
    now = { ...now };
    flushSync();
    pass(5000);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("does nothing once the reader has played the card", () => {
    sit();
    pass(400);
    session.sent = "play JC";
    flushSync();
    pass(5000);
    expect(act).not.toHaveBeenCalled();
  });

  it("waits longer while an undo is possible, and never answers an undo request", () => {
    now = { ...table(["JC"]), undoable: true };
    sit();
    pass(2000);
    expect(act).not.toHaveBeenCalled();
    pass(1000);
    expect(act).toHaveBeenCalledTimes(1);
    const asked = table(["JC"]);
    const undo = { seat: 1, awaited: [0] };
    expect(onlyLegalLastCard({ ...asked, room: { ...asked.room, undo } }, turn("play JC"))).toBeNull();
  });

  it("does not play again after an undo, but does in the next match", () => {
    sit();
    pass(800);
    due = null;
    flushSync();
    now = { ...table(["JC"]), version: 9 };
    due = turn("play JC");
    flushSync();
    pass(5000);
    expect(act).toHaveBeenCalledTimes(1);
    now = { ...now, room: { ...now.room, number: now.room.number + 1 } };
    flushSync();
    pass(800);
    expect(act).toHaveBeenCalledTimes(2);
  });

  it("does nothing while disconnected", () => {
    session.current = false;
    sit();
    pass(5000);
    expect(act).not.toHaveBeenCalled();
  });

  it("does nothing if the setting is off", () => {
    settings.lastCard = false;
    sit();
    pass(5000);
    expect(act).not.toHaveBeenCalled();
  });
});
