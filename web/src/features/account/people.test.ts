import { beforeEach, describe, expect, it } from "vitest";
import { seatName } from "../../table/playerNames";
import type { Room, SeatInfo } from "../../api/messages";
import { codeIn, linkOf, takeCodeFromAddress } from "./deviceLink";
import { muted, readMuted } from "../../table/mutedNames.svelte";

const person = (name: string): SeatInfo => ({
  kind: "person",
  name,
  bot: null,
  left: false,
  away: false,
  ready: false,
  asks: null,
});

describe("a link for another device", () => {
  it("holds the code where no server sees it", () => {
    const link = new URL(linkOf("7K3M-P0QX"));
    expect(link.pathname + link.search).toBe("/");
    expect(codeIn(link.hash)).toBe("7K3M-P0QX");
  });

  it("holds nothing else", () => {
    for (const hash of ["", "#", "#content", "#device=", "#device=short", "#device=<b>xxxxxxx"]) {
      expect(codeIn(hash)).toBeNull();
    }
  });

  it("leaves the address as soon as it is read", () => {
    history.replaceState(null, "", "/#device=7K3M-P0QX");
    expect(takeCodeFromAddress()).toBe("7K3M-P0QX");
    expect(location.hash).toBe("");
    expect(takeCodeFromAddress()).toBeNull();
  });
});

describe("a muted name", () => {
  beforeEach(() => muted.set("Rüpel", false));

  it("is shown as its seat, and again when it is no longer muted", () => {
    const room = { seats: [person("Anna"), person("Rüpel")] } as unknown as Room;
    muted.set("Rüpel", true);
    expect(seatName(room, 0)).toBe("Anna");
    expect(seatName(room, 1)).toMatch(/ 2$/);
    muted.set("Rüpel", false);
    expect(seatName(room, 1)).toBe("Rüpel");
  });

  it("stays muted on this device", () => {
    muted.set("Rüpel", true);
    expect(readMuted(localStorage.getItem("jasstisch.muted"))).toContain("Rüpel");
  });

  it("is not read from what makes no sense", () => {
    for (const text of [null, "", "{", "{}", '"x"']) expect(readMuted(text)).toEqual([]);
    expect(readMuted('["a", 1, null]')).toEqual(["a"]);
  });
});
