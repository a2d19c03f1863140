import { describe, expect, it } from "vitest";
import { locales, m } from "../i18n";
import type { View } from "../messages";
import { settings } from "../settings.svelte";
import { REASONS, reasonText } from "./reasons";

const view = { trick: [[1, "7H"]] } as unknown as View;

describe.each(locales)("the reasons in %s", (locale) => {
  it("are different sentences for every code", () => {
    settings.locale = locale;
    const texts = REASONS.map((reason) => reasonText(reason, view, "french"));
    expect(new Set(texts).size).toBe(REASONS.length);
    for (const text of texts) expect(text).toMatch(/[.…]$/);
  });

  it("name the suit led in the deck at hand", () => {
    settings.locale = locale;
    for (const reason of ["follow", "follow_trump", "follow_or_trump"]) {
      expect(reasonText(reason, view, "french")).toContain(m.suit_french_H());
      expect(reasonText(reason, view, "swiss")).toContain(m.suit_swiss_H());
    }
  });

  it("has a sentence even for a code it does not know", () => {
    settings.locale = locale;
    expect(reasonText("something_new", view, "swiss")).toBe(m.reason_other());
  });
});
