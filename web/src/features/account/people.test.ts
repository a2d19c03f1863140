import { beforeEach, describe, expect, it } from "vitest";
import { seatName } from "../../table/playerNames";
import type { Room, SeatInfo } from "../../api/messages";
import { codeInHash, deviceLink, takeCodeFromAddress } from "./deviceLink";
import { mutedNames, parseMutedNames } from "../../table/mutedNames.svelte";

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
    const link = new URL(deviceLink("7K3M-P0QX"));
    expect(link.pathname + link.search).toBe("/");
    expect(codeInHash(link.hash)).toBe("7K3M-P0QX");
  });

  it("holds nothing else", () => {
    for (const hash of ["", "#", "#content", "#device=", "#device=short", "#device=<b>xxxxxxx"]) {
      expect(codeInHash(hash)).toBeNull();
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
  beforeEach(() => mutedNames.set("Rüpel", false));

  it("is shown as its seat, and again when it is no longer muted", () => {
    const room = { seats: [person("Anna"), person("Rüpel")] } as unknown as Room;
    mutedNames.set("Rüpel", true);
    expect(seatName(room, 0)).toBe("Anna");
    expect(seatName(room, 1)).toMatch(/ 2$/);
    mutedNames.set("Rüpel", false);
    expect(seatName(room, 1)).toBe("Rüpel");
  });

  it("stays muted on this device", () => {
    mutedNames.set("Rüpel", true);
    expect(parseMutedNames(localStorage.getItem("jasstisch.muted"))).toContain("Rüpel");
  });

  it("is not read from what makes no sense", () => {
    for (const text of [null, "", "{", "{}", '"x"']) expect(parseMutedNames(text)).toEqual([]);
    expect(parseMutedNames('["a", 1, null]')).toEqual(["a"]);
  });
});
