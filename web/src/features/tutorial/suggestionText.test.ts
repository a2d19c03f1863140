import { describe, expect, it } from "vitest";
import { suggestionBefore } from "./suggestionText";
import { fillTemplate } from "../../cards/richText";

describe("what to do, before the sentence that says why", () => {
  it("is named when the sentence begins otherwise", () => {
    const why = fillTemplate("On average {card2} is as good.", { card2: "7C" });
    expect(suggestionBefore("play 8D", why, "jass")).toEqual([{ kind: "card", card: "8D" }]);
    expect(suggestionBefore("play 8D", fillTemplate("{card} follows.", { card: "7C" }), "jass")).toHaveLength(
      1,
    );
    expect(suggestionBefore("play 8D", [], "jass")).toHaveLength(1);
  });

  it("is not named twice when the sentence begins with the card", () => {
    expect(suggestionBefore("play 8D", fillTemplate("{card} takes it.", { card: "8D" }), "jass")).toEqual([]);
  });

  it("keeps the Weis that is announced with the card", () => {
    const why = fillTemplate("{card} takes it.", { card: "8D" });
    expect(suggestionBefore("play 8D weis", why, "jass")).toHaveLength(2);
  });
});
