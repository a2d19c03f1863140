// Parses the Markdown of a rule sheet: for built-in games at build time (vite.config.ts), where forbidden
// content such as HTML or a link fails the build; for third-party games in the page.
import { lexer, type Token, type Tokens } from "marked";
import type { Alternative, Block, Entry, Inline, Section, Sheet } from "./ruleSheet";

/** References to clauses of the rule book, such as ` [C2, C3]`, which mean nothing to players. */
const CLAUSES = / ?\[(?:[A-Z]{1,3}\d+[a-z]?(?:, )?)+\]/g;

/** Parses a sheet: a title, sections, and the list of house rules in the last section. */
export function parseSheet(markdown: string): Sheet {
  const tokens = lexer(markdown).filter(({ type }) => type !== "space");
  const [top, ...rest] = tokens;
  if (top?.type !== "heading" || (top as Tokens.Heading).depth !== 1) {
    throw new Error("a rule sheet begins with its title");
  }
  const lead: Block[] = [];
  const sections: Section[] = [];
  const lists = new Map<Section, Tokens.List>();
  for (const token of rest) {
    const section = sections.at(-1);
    if (token.type === "heading") sections.push({ title: plain(token), blocks: [] });
    else {
      (section?.blocks ?? lead).push(block(token));
      if (section && token.type === "list") lists.set(section, token as Tokens.List);
    }
  }
  const last = sections.pop();
  const list = last && lists.get(last);
  if (!last || !list) throw new Error("a rule sheet ends with the list of house rules");
  const place = last.blocks.findIndex(({ kind }) => kind === "list");
  return {
    title: plain(top),
    lead,
    sections,
    house: {
      title: last.title,
      before: last.blocks.slice(0, place),
      entries: list.items.map((item) => entry(inlines(paragraphOf(item)))),
    },
  };
}

function plain(token: Token): string {
  const parts = inlines((token as Tokens.Heading).tokens);
  return parts.map((part) => ("text" in part ? part.text : "")).join("");
}

function block(token: Token): Block {
  switch (token.type) {
    case "paragraph":
      return { kind: "paragraph", parts: inlines((token as Tokens.Paragraph).tokens) };
    case "list": {
      const { ordered, items } = token as Tokens.List;
      return { kind: "list", ordered, items: items.map((item) => inlines(paragraphOf(item))) };
    }
    case "table": {
      const { header, rows } = token as Tokens.Table;
      const cells = (row: Tokens.TableCell[]): Inline[][] => row.map(({ tokens }) => inlines(tokens));
      return { kind: "table", head: cells(header), rows: rows.map(cells) };
    }
    default:
      throw new Error(`a rule sheet holds no ${token.type}: ${token.raw}`);
  }
}

/** The text of a list entry, which is one paragraph. */
function paragraphOf(item: Tokens.ListItem): Token[] {
  const [only, more] = item.tokens;
  if (!only || more) throw new Error(`an entry of a list is one paragraph: ${item.raw}`);
  return (only as Tokens.Text).tokens ?? [];
}

function inlines(tokens: readonly Token[]): Inline[] {
  const parts: Inline[] = [];
  for (const token of tokens) {
    switch (token.type) {
      case "text":
      case "escape":
        addText(parts, whole((token as Tokens.Text).text));
        break;
      case "codespan":
        parts.push({ kind: "code", text: (token as Tokens.Codespan).text.replaceAll("\n", " ") });
        break;
      case "strong":
      case "em":
        parts.push({ kind: token.type, parts: inlines((token as Tokens.Strong).tokens) });
        break;
      default:
        throw new Error(`a rule sheet holds no ${token.type}: ${token.raw}`);
    }
  }
  for (const part of parts) if (part.kind === "text") part.text = part.text.replace(CLAUSES, "");
  return dropEmpty(parts);
}

/** Text on one line, with no-break spaces in sums such as `0 + 11 = `. */
function whole(text: string): string {
  return text.replaceAll("\n", " ").replace(/(?<=\d) ([+=]) /g, "\u00a0$1\u00a0");
}

/** Joins texts that the lexer has split, for instance at brackets. */
function addText(parts: Inline[], text: string): void {
  const before = parts.at(-1);
  if (before?.kind === "text") before.text += text;
  else parts.push({ kind: "text", text });
}

/** A house rule: its name, its translation in most languages, and its values. */
function entry(parts: Inline[]): Entry {
  const [name, ...rest] = parts;
  if (name?.kind !== "code") throw new Error(`a house rule begins with its name: ${String(name)}`);
  const told = trimStart(rest, /^(?: \([^)]*\))?\u202f?: /);
  const found = numbered(told) ?? coded(told);
  return { name: name.text, ...found };
}

/** Parses values in code spans, each followed by its description. */
function coded(parts: Inline[]): Omit<Entry, "name"> {
  const intro: Inline[] = [];
  const alternatives: Alternative[] = [];
  for (const part of parts) {
    if (part.kind === "code") alternatives.push({ value: part.text, parts: [] });
    else (alternatives.at(-1)?.parts ?? intro).push(part);
  }
  return { intro: trim(intro), alternatives: alternatives.map(tidy) };
}

/** Parses numeric values, each with a description: `0, none; 10, it takes 10 off`. */
function numbered(parts: Inline[]): Omit<Entry, "name"> | null {
  const [text, ...more] = parts;
  if (text?.kind !== "text") return null;
  const pieces = text.text.split(/\u202f?; /).map((piece) => /^(\d+), (.*)$/s.exec(piece));
  const alternatives = pieces.map((piece) => ({
    value: piece?.[1] ?? "",
    parts: [{ kind: "text", text: piece?.[2] ?? "" }] as Inline[],
  }));
  if (alternatives.length < 2 || pieces.includes(null)) return null;
  alternatives.at(-1)?.parts.push(...more);
  return { intro: [], alternatives: alternatives.map(tidy) };
}

function tidy({ value, parts }: Alternative): Alternative {
  return { value, parts: trim(trimStart(parts, /^(?:\u202f?[,:;.]) ?/)) };
}

function trimStart(parts: Inline[], what: RegExp): Inline[] {
  const [first, ...rest] = parts;
  if (first?.kind !== "text") return parts;
  return dropEmpty([{ kind: "text", text: first.text.replace(what, "").trimStart() }, ...rest]);
}

/** Removes the spaces and punctuation that joined these parts to their neighbours. */
function trim(parts: Inline[]): Inline[] {
  const last = parts.at(-1);
  if (last?.kind !== "text") return parts;
  const text = last.text.replace(/[\s\u202f]*[;:,.]?\s*$/, "");
  return dropEmpty([...parts.slice(0, -1), { kind: "text", text }]);
}

function dropEmpty(parts: Inline[]): Inline[] {
  return parts.filter((part) => part.kind !== "text" || part.text !== "");
}
