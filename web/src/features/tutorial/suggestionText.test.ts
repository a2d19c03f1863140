import { describe, expect, it } from "vitest";
import { suggestionBefore } from "./suggestionText";
import { fillTemplate } from "../../cards/richText";

describe("suggestionBefore", () => {
  it("returns the action if the explanation does not begin with it", () => {
    const why = fillTemplate("On average {card2} is as good.", { card2: "7C" });
    expect(suggestionBefore("play 8D", why, "jass")).toEqual([{ kind: "card", card: "8D" }]);
    expect(suggestionBefore("play 8D", fillTemplate("{card} follows.", { card: "7C" }), "jass")).toHaveLength(
      1,
    );
    expect(suggestionBefore("play 8D", [], "jass")).toHaveLength(1);
  });

  it("returns nothing if the explanation begins with the card", () => {
    expect(suggestionBefore("play 8D", fillTemplate("{card} takes it.", { card: "8D" }), "jass")).toEqual([]);
  });

  it("keeps a Weis announced with the card", () => {
    const why = fillTemplate("{card} takes it.", { card: "8D" });
    expect(suggestionBefore("play 8D weis", why, "jass")).toHaveLength(2);
  });
});
