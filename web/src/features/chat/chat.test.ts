import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventInfo, RoomInfo } from "../../api/messages";
import { mutedNames } from "../../table/mutedNames.svelte";
import type { TableState } from "../../table/tableState";
import { settings } from "../../settings/settings.svelte";
import { PHRASES } from "../../table/phrases";
import { Chat } from "./chat.svelte";

function event(kind: EventInfo["kind"], seat: number, words: string): EventInfo {
  return { kind, seat, action: null, by: null, pack: null, other: null, words };
}

const seats = ["Anna", "Reto", "Cla"].map((name) => ({ kind: "person", name }));
const table = { seat: 0, room: { seats } as RoomInfo } as TableState;

describe("Chat", () => {
  let talk: Chat;

  beforeEach(() => {
    vi.useFakeTimers();
    talk = new Chat();
  });

  afterEach(() => {
    talk.close();
    mutedNames.set("Reto", false);
    settings.talk = true;
    vi.useRealTimers();
  });

  it("returns a phrase in the reader's language and shows it for some seconds", () => {
    expect(talk.receive(event("said", 1, "thanks"), table)).toContain(PHRASES.thanks());
    expect(talk.remarkOf(1)?.words).toBe(PHRASES.thanks());
    vi.advanceTimersByTime(4_000);
    expect(talk.remarkOf(1)).toBeDefined();
    vi.advanceTimersByTime(3_000);
    expect(talk.remarkOf(1)).toBeUndefined();
  });

  it("shows the latest remark of each seat for its full time", () => {
    talk.receive(event("said", 1, "oops"), table);
    vi.advanceTimersByTime(4_000);
    talk.receive(event("said", 1, "sorry"), table);
    talk.receive(event("said", 2, "bravo"), table);
    vi.advanceTimersByTime(2_000);
    expect(talk.remarks.map(({ seat }) => seat)).toEqual([1, 2]);
    expect(talk.remarkOf(1)?.words).toBe(PHRASES.sorry());
  });

  it("shows written text unchanged, even if it equals a phrase id", () => {
    talk.receive(event("wrote", 2, "hello <b>"), table);
    expect(talk.remarkOf(2)?.words).toBe("hello <b>");
    talk.receive(event("wrote", 1, "hello"), table);
    expect(talk.remarkOf(1)?.words).toBe("hello");
  });

  it("hides muted players, and everybody but the reader when talk is off", () => {
    mutedNames.set("Reto", true);
    expect(talk.receive(event("said", 1, "hello"), table)).toBeNull();
    expect(talk.receive(event("said", 2, "hello"), table)).not.toBeNull();
    settings.talk = false;
    expect(talk.receive(event("wrote", 2, "Sali"), table)).toBeNull();
    expect(talk.receive(event("said", 0, "hello"), table)).not.toBeNull();
    expect(talk.remarks.map(({ seat }) => seat)).toEqual([2, 0]);
  });

  it("ignores phrases that this page does not know", () => {
    expect(talk.receive(event("said", 1, "a_phrase_of_tomorrow"), table)).toBeNull();
    expect(talk.receive(event("said", 1, "toString"), table)).toBeNull();
    expect(talk.remarks).toEqual([]);
  });
});
