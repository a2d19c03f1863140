import { describe, expect, it } from "vitest";
import { parseSheet } from "./parseSheet";

const SHEET = `# A Game

Three players, **each alone**.

## The cards

The last trick is worth 5: 0 + 11 + 10 = **21** [C2,
C3]. Strokes stand as \`||Ø\`.

| suit | points |
|---|---|
| plain | ace 11 |
| trump | **J 9** first |

1. A plays.
2. B *follows*.

## House rules

The value named first holds.

- \`players\` (wie viele): 4; von 3 bis 6.
- \`undertrump\`: what you may play. \`if_void\`, as above. \`strict\`: no lower one [C9]. Never.
- \`bonus\` (prime)\u202f: 0, aucune\u202f; 10, il retire 10 [DF8].
- \`bids\`: \`hidden\`; \`open\`, in turn.

Cards are written so: \`JC\`.
`;

const sheet = parseSheet(SHEET);
const text = (value: string) => ({ kind: "text", text: value });

describe("parseSheet", () => {
  it("splits a sheet into title, lead and sections", () => {
    expect(sheet.title).toBe("A Game");
    expect(sheet.lead).toEqual([
      {
        kind: "paragraph",
        parts: [text("Three players, "), { kind: "strong", parts: [text("each alone")] }, text(".")],
      },
    ]);
    expect(sheet.sections.map(({ title }) => title)).toEqual(["The cards"]);
    expect(sheet.house.title).toBe("House rules");
  });

  it("drops clause numbers, reads marks as code, and keeps a sum on one line", () => {
    expect(sheet.sections[0]?.blocks[0]).toEqual({
      kind: "paragraph",
      parts: [
        text("The last trick is worth 5: 0\u00a0+\u00a011\u00a0+\u00a010\u00a0=\u00a0"),
        { kind: "strong", parts: [text("21")] },
        text(". Strokes stand as "),
        { kind: "code", text: "||Ø" },
        text("."),
      ],
    });
  });

  it("reads tables and lists", () => {
    const [, table, list] = sheet.sections[0]?.blocks ?? [];
    expect(table).toMatchObject({ kind: "table", head: [[text("suit")], [text("points")]] });
    expect(table?.kind === "table" && table.rows.length).toBe(2);
    expect(list).toMatchObject({ kind: "list", ordered: true });
    expect(list?.kind === "list" && list.items[0]).toEqual([text("A plays.")]);
  });

  it("splits a house rule into its values with their explanations", () => {
    const [players, undertrump, bonus, bids] = sheet.house.entries;
    expect(players).toEqual({ name: "players", intro: [text("4; von 3 bis 6")], alternatives: [] });
    expect(undertrump).toEqual({
      name: "undertrump",
      intro: [text("what you may play")],
      alternatives: [
        { value: "if_void", parts: [text("as above")] },
        { value: "strict", parts: [text("no lower one. Never")] },
      ],
    });
    expect(bonus?.alternatives).toEqual([
      { value: "0", parts: [text("aucune")] },
      { value: "10", parts: [text("il retire 10")] },
    ]);
    expect(bids?.alternatives).toEqual([
      { value: "hidden", parts: [] },
      { value: "open", parts: [text("in turn")] },
    ]);
  });

  it("keeps the text before the house rules and drops the text after them", () => {
    expect(sheet.house.before).toHaveLength(1);
    expect(JSON.stringify(sheet)).not.toContain("JC");
  });

  it.each([
    ["a link", "# A\n\nSee [here](x).\n\n## B\n\n- `a`: 1.\n", /no link/],
    ["HTML", "# A\n\n<b>x</b>\n\n## B\n\n- `a`: 1.\n", /no html/],
    ["no title", "## B\n\n- `a`: 1.\n", /begins with its title/],
    ["no house rules", "# A\n\n## B\n\nNothing.\n", /ends with the list of house rules/],
    ["an entry of two paragraphs", "# A\n\n## B\n\n- `a`: 1.\n\n  More.\n", /one paragraph/],
    ["an entry without a name", "# A\n\n## B\n\n- a: 1.\n", /begins with its name/],
  ])("rejects a sheet with %s", (_, markdown, reason) => {
    expect(() => parseSheet(markdown)).toThrow(reason);
  });
});
