import { describe, expect, it } from "vitest";
import { locales, m } from "../../i18n";
import type { RoomInfo, View } from "../../api/messages";
import type { TableState } from "../../table/tableState";
import { settings, type Deck } from "../../settings/settings.svelte";
import { ILLEGAL_MOVE_REASONS, reasonText } from "./illegalMoveText";

interface Moment {
  trick?: string[];
  trump?: View["trump"];
  hand?: string[];
  legal?: string[];
  undertrump?: string;
  view?: Partial<View>;
}

function table({ trick = [], trump = null, hand = [], legal = [], ...more }: Moment): TableState {
  return {
    table: "a-table-of-the-tests",
    version: 1,
    seat: 0,
    room: {
      seats: [
        { kind: "person", name: "Anna" },
        { kind: "person", name: "Reto" },
      ],
    } as RoomInfo,
    view: {
      options: { undertrump: more.undertrump ?? "strict" },
      to_act: [0],
      trick: trick.map((card, index) => [index + 1, card]),
      trump,
      hand,
      ...more.view,
    } as View,
    turn: { legal: legal.map((card) => `play ${card}`), more: false, refused: {} },
    hint: null,
    undoable: false,
    connected: [],
    preparing: [],
    missing: [],
    kept: [],
    former: null,
    spectators: 0,
    host: false,
    request: null,
    said: [],
  };
}

const say = (reason: string, moment: Moment, deck: Deck = "french"): string =>
  reasonText(reason, table(moment), deck);

describe("reasonText in English", () => {
  it("names the suit led, says that you hold it, and offers to trump", () => {
    settings.locale = "en";
    const moment: Moment = {
      trick: ["7H"],
      trump: "S",
      hand: ["8H", "6S", "6C"],
      legal: ["8H", "6S"],
    };
    expect(say("follow_or_trump", moment)).toBe(
      "Hearts were led and you hold hearts; you may follow or trump (spades).",
    );
  });

  it("does not offer trumps to a player without any", () => {
    settings.locale = "en";
    expect(say("follow_or_trump", { trick: ["7H"], trump: "S", hand: ["8H", "6C"], legal: ["8H"] })).toBe(
      "Hearts were led and you hold hearts; you must follow suit.",
    );
  });

  it("offers only higher trumps if a trump is already in the trick", () => {
    settings.locale = "en";
    const moment: Moment = {
      trick: ["7H", "9S"],
      trump: "S",
      hand: ["8H", "AS", "JS", "6C"],
      legal: ["8H", "JS"],
    };
    expect(say("undertrump", moment)).toBe(
      "Hearts were led, you hold hearts, and a higher trump lies in the trick (nine of spades); " +
        "you may follow or play a higher trump (spades).",
    );
    expect(say("follow_or_trump", moment)).toBe(
      "Hearts were led and you hold hearts; you may follow or play a higher trump (spades).",
    );
  });

  it("offers any trump if undertrumping is free", () => {
    settings.locale = "en";
    expect(
      say("follow_or_trump", {
        trick: ["7H", "6S"],
        trump: "S",
        hand: ["8H", "AS", "6C"],
        legal: ["8H", "AS"],
        undertrump: "free",
      }),
    ).toBe("Hearts were led and you hold hearts; you may follow or trump (spades).");
  });

  it("advises a player void in the suit led what to discard", () => {
    settings.locale = "en";
    const moment: Moment = { trick: ["7H", "9S"], trump: "S", hand: ["AS", "6C"], legal: ["6C"] };
    expect(say("undertrump", moment)).toBe(
      "You hold no hearts, and a higher trump lies in the trick (nine of spades); " +
        "you must discard from another suit.",
    );
    expect(say("undertrump", { ...moment, hand: ["AS", "JS", "6C"], legal: ["JS", "6C"] })).toMatch(
      /; you may discard from another suit or play a higher trump\.$/,
    );
  });

  it("states the obligations of the stricter house rules", () => {
    settings.locale = "en";
    expect(say("overtrump", { trick: ["7H", "9S"], trump: "S", hand: ["AS", "JS"], legal: ["JS"] })).toBe(
      "You hold no hearts, but a higher trump than the one in the trick (nine of spades); " +
        "you must play a higher trump.",
    );
    expect(
      say("trump_if_you_can", { trick: ["7H", "9S"], trump: "S", hand: ["AS", "6C"], legal: ["AS"] }),
    ).toBe("You hold no hearts, but trumps (spades); you must play a trump.");
  });

  it("requires a trump when trumps were led, and following suit without trump", () => {
    settings.locale = "en";
    expect(say("follow_trump", { trick: ["7S"], trump: "S", hand: ["AS", "6C"], legal: ["AS"] })).toBe(
      "Trumps (spades) were led and you hold trumps; you must play a trump.",
    );
    expect(say("follow", { trick: ["7D"], hand: ["AD", "6C"], legal: ["AD"] })).toBe(
      "Diamonds were led and you hold diamonds; you must follow suit.",
    );
  });

  it("names the player on turn and the question to answer first", () => {
    settings.locale = "en";
    expect(say("turn", { view: { to_act: [1] } })).toBe("Not yet: Reto is to play.");
    expect(say("answer", { view: { game: "jass", blind_open: true } })).toContain("take the blind");
    expect(say("answer", { view: { game: "jass", blind_open: false } })).not.toContain("blind");
    const claim = { seat: 1, rank: "J" as const, count: 3 };
    expect(say("answer", { view: { game: "i-doubt-it", claim } })).toContain("doubt");
    expect(say("rob", { trump: "H" })).toContain("six of hearts");
  });
});

const hard: Moment = {
  trick: ["7H", "9S"],
  trump: "S",
  hand: ["8H", "AS", "JS", "6C"],
  legal: ["8H", "JS"],
};
const WITH_TRICK = ["follow_or_trump", "undertrump", "overtrump", "trump_if_you_can"];

describe.each(locales)("reasonText in %s", (locale) => {
  it("has a different sentence for every reason", () => {
    settings.locale = locale;
    const texts = ILLEGAL_MOVE_REASONS.map((reason) => say(reason, hard));
    texts[ILLEGAL_MOVE_REASONS.indexOf("follow")] = say("follow", {
      trick: ["7H"],
      hand: ["8H"],
      legal: ["8H"],
    });
    expect(new Set(texts).size).toBe(ILLEGAL_MOVE_REASONS.length);
    for (const text of texts) {
      expect(text).toMatch(/^\p{Lu}.*\.$/u);
      expect(text).not.toBe(m.reason_other());
    }
  });

  it("names the suit led and trump in the terms of the chosen deck", () => {
    settings.locale = locale;
    const lower = (text: string): string => text.toLocaleLowerCase(locale);
    for (const reason of WITH_TRICK) {
      expect(lower(say(reason, hard))).toContain(lower(m.suit_french_h()));
      expect(lower(say(reason, hard, "swiss"))).toContain(lower(m.suit_swiss_h()));
      expect(lower(say(reason, hard, "swiss"))).toContain(lower(m.suit_of_swiss_s()));
    }
    expect(say("follow_trump", { trick: ["7S"], trump: "S", hand: ["8S"], legal: ["8S"] })).toContain(
      m.suit_french_s(),
    );
  });

  it("returns a sentence for an unknown reason and without a table", () => {
    settings.locale = locale;
    expect(say("something_new", hard)).toBe(m.reason_other());
    for (const reason of ILLEGAL_MOVE_REASONS) expect(reasonText(reason, null, "swiss")).not.toBe("");
  });
});
