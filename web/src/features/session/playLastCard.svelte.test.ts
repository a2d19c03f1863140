import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Room, Turn, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import { onlyLegalLastCard, playLastCard } from "./playLastCard.svelte";

const turn = (...legal: string[]): Turn => ({ legal, more: false, refused: {} }) as unknown as Turn;

function table(hand: string[], more: Partial<Room> = {}, game = "differenzler"): TableState {
  return {
    version: 7,
    seat: 0,
    room: { game, number: 1, phase: "playing", guided: false, ...more } as Room,
    view: { game, hand, rounds: [] } as unknown as View,
    turn: null,
  } as unknown as TableState;
}

describe("the last card of a hand", () => {
  it("can be played where nothing else may be done", () => {
    expect(onlyLegalLastCard(table(["JC"]), turn("play JC"))).toBe("play JC");
  });

  it("waits for its turn", () => {
    expect(onlyLegalLastCard(table(["JC"]), null)).toBeNull();
  });

  it("is not one of several cards, also where only that one may be played", () => {
    expect(onlyLegalLastCard(table(["JC", "6H"]), turn("play JC"))).toBeNull();
  });

  it("is left to the reader where something may be said with it, or before it", () => {
    expect(onlyLegalLastCard(table(["JC"]), turn("play JC", "play JC weis"))).toBeNull();
    expect(onlyLegalLastCard(table(["JC"]), turn("play JC weis"))).toBeNull();
    expect(onlyLegalLastCard(table(["JC"]), turn("bid 0"))).toBeNull();
  });

  it("is left to the reader in a guided round, and no longer after it", () => {
    const guided = table(["JC"], { guided: true });
    expect(onlyLegalLastCard(guided, turn("play JC"))).toBeNull();
    expect(onlyLegalLastCard({ ...guided, room: { ...guided.room, number: 2 } }, turn("play JC"))).toBe(
      "play JC",
    );
  });

  it("is never played by itself in I Doubt It", () => {
    expect(onlyLegalLastCard(table(["JC"], {}, "i-doubt-it"), turn("play JC"))).toBeNull();
  });
});

describe("playing it", () => {
  const act = vi.fn(() => Promise.resolve());
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

  it("takes a moment in which it is seen", () => {
    sit();
    pass(600);
    expect(act).not.toHaveBeenCalled();
    pass(200);
    expect(act.mock.calls).toEqual([["play JC"]]);
  });

  it("happens once, also where it was refused or lost", () => {
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

  it("does not happen once the reader has played it", () => {
    sit();
    pass(400);
    session.sent = "play JC";
    flushSync();
    pass(5000);
    expect(act).not.toHaveBeenCalled();
  });

  it("takes longer while the card before it may be taken back, and does not say no for the reader", () => {
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

  it("does not happen again once the reader has taken it back, but does in the next match", () => {
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

  it("does not happen while the connection is gone", () => {
    session.current = false;
    sit();
    pass(5000);
    expect(act).not.toHaveBeenCalled();
  });

  it("does not happen if the reader wants to play it", () => {
    settings.lastCard = false;
    sit();
    pass(5000);
    expect(act).not.toHaveBeenCalled();
  });
});
