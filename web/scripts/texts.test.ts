import { describe, expect, it } from "vitest";
import { firstKeys } from "./texts";

describe("the texts that come first", () => {
  const first = firstKeys("src");

  it("are those of the page, of the table, and of every game", () => {
    for (const key of ["skip_to_content", "leave_table", "suit_french_s", "claim_which"]) {
      expect(first).toContain(key);
    }
  });

  it("are none that is shown only when something has been opened", () => {
    for (const key of ["preview_title", "own_title", "text_entry", "sound_loud"]) expect(first).not.toContain(key);
  });
});
