// A rule sheet as plain data, which the build generates from the package's Markdown, so that the page
// neither parses Markdown nor inserts text as HTML.

/** A part of a line. */
export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong"; parts: Inline[] }
  | { kind: "em"; parts: Inline[] };

export type Block =
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

export interface Section {
  title: string;
  blocks: Block[];
}

/** The description of one value of a house rule. */
export interface Alternative {
  /** The value as a word: `if_void`, `10`. */
  value: string;
  parts: Inline[];
}

/** A house rule in the list at the end of a sheet. */
export interface Entry {
  name: string;
  /** The text before the first value; the whole text if the values are plain numbers or seats. */
  intro: Inline[];
  /** The values in the order of the sheet, the default first; none for plain numbers or seats. */
  alternatives: Alternative[];
}

export interface Sheet {
  title: string;
  lead: Block[];
  sections: Section[];
  /** The last section: the house rules. The text after their list, about typed actions, is left out. */
  house: { title: string; before: Block[]; entries: Entry[] };
}
