import { beforeEach, describe, expect, it } from "vitest";
import { seatName } from "../../table/playerNames";
import type { RoomInfo, SeatInfo } from "../../api/messages";
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

describe("deviceLink", () => {
  it("keeps the code in the hash, which no server sees", () => {
    const link = new URL(deviceLink("7K3M-P0QX"));
    expect(link.pathname + link.search).toBe("/");
    expect(codeInHash(link.hash)).toBe("7K3M-P0QX");
  });

  it("ignores a hash without a valid code", () => {
    for (const hash of ["", "#", "#content", "#device=", "#device=short", "#device=<b>xxxxxxx"]) {
      expect(codeInHash(hash)).toBeNull();
    }
  });

  it("removes the code from the address once it is read", () => {
    history.replaceState(null, "", "/#device=7K3M-P0QX");
    expect(takeCodeFromAddress()).toBe("7K3M-P0QX");
    expect(location.hash).toBe("");
    expect(takeCodeFromAddress()).toBeNull();
  });
});

describe("mutedNames", () => {
  beforeEach(() => mutedNames.set("Rüpel", false));

  it("shows a muted player by seat number until unmuted", () => {
    const room = { seats: [person("Anna"), person("Rüpel")] } as unknown as RoomInfo;
    mutedNames.set("Rüpel", true);
    expect(seatName(room, 0)).toBe("Anna");
    expect(seatName(room, 1)).toMatch(/ 2$/);
    mutedNames.set("Rüpel", false);
    expect(seatName(room, 1)).toBe("Rüpel");
  });

  it("stores muted names on this device", () => {
    mutedNames.set("Rüpel", true);
    expect(parseMutedNames(localStorage.getItem("jasstisch.muted"))).toContain("Rüpel");
  });

  it("ignores invalid stored names", () => {
    for (const text of [null, "", "{", "{}", '"x"']) expect(parseMutedNames(text)).toEqual([]);
    expect(parseMutedNames('["a", 1, null]')).toEqual(["a"]);
  });
});
