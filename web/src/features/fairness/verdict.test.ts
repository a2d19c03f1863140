import { mount, unmount } from "svelte";
import { describe, expect, it } from "vitest";
import vectors from "../../../../docs/fair-deals.json";
import DealVerification from "./DealVerification.svelte";
import { locales } from "../../i18n";
import { settings } from "../../settings/settings.svelte";
import { compareEvidence } from "./compareEvidence";
import { FairError } from "./errors";
import { matchId } from "./hashing";
import { shortHash } from "./shortHash";
import { judgeRecord, type Verdict, type Witness } from "./verdict";
import { DealContributor } from "./dealContributor";

const NAMES = ["Anna", "Lea", "Urs", "Reto"];

const PACKS = vectors.record.packs;

const record = (fair: unknown): string =>
  JSON.stringify({ players: NAMES, log: PACKS.map((cards) => ["pack", cards]), fair, result: {} });

/** What a page has seen of the match at a table: its announcement, and trouble if there was any. */
const witness = (table: string, trouble: FairError | null = null, end = vectors.chain.ends[0] as string) => ({
  contributor: new DealContributor(
    { match: matchId(table, vectors.match.number), end },
    vectors.record.seats,
  ),
  trouble,
  seen: null,
});

/** What a page has seen that was there when the first pack was called. */
function present(): Witness {
  const seen = witness(vectors.table);
  const call = vectors.witness.steps.find((step) => step.call)?.call;
  if (call) seen.contributor.open(call, null);
  return seen;
}

const verified = judgeRecord(record(vectors.record.fair), present()) as Verdict;

/** The elements and the text that the page shows for a verdict. */
async function shown(verdict: Verdict): Promise<{ page: HTMLElement; text: string }> {
  const page = document.createElement("main");
  const component = mount(DealVerification, { target: page, props: { verdict, names: NAMES } });
  const copy = page.cloneNode(true) as HTMLElement;
  await unmount(component);
  return { page: copy, text: (copy.textContent ?? "").replace(/\s+/g, " ") };
}

describe("judgeRecord", () => {
  it("returns the verified figures and the number of packs this page contributed to", () => {
    expect(verified).toMatchObject({ kind: "verified", end: vectors.chain.ends[0] });
    const shares = { own: [], excluded: [], unseen: [1, 2, 3, 4, 5, 6] };
    expect(verified).toMatchObject({ shares, compared: true });
    expect(judgeRecord(record(vectors.record.fair), null)).toMatchObject({ shares, compared: false });
  });

  it("says that a page which was there and has seen nothing of the play has compared a part only", () => {
    expect(verified).toMatchObject({ partly: true });
    expect(judgeRecord(record(vectors.record.fair), null)).toMatchObject({ partly: false });
  });

  it("says that the commitment is the same only if it was told by the first pack", () => {
    const late = witness(vectors.table);
    expect(judgeRecord(record(vectors.record.fair), late)).toMatchObject({
      kind: "verified",
      compared: false,
    });
  });

  it("returns the number of the wrong pack, or 0 if the match as a whole is wrong", () => {
    const fair = structuredClone(vectors.record.fair);
    fair.packs[2]![0]!.secret = "0".repeat(64);
    expect(judgeRecord(record(fair), null)).toEqual({ kind: "wrong", pack: 3 });
    expect(judgeRecord(record({}), null)).toEqual({ kind: "wrong", pack: 0 });
    expect(judgeRecord("no record", null)).toEqual({ kind: "wrong", pack: 0 });
    const elsewhere = witness("another table");
    expect(judgeRecord(record(vectors.record.fair), elsewhere)).toEqual({ kind: "wrong", pack: 0 });
  });

  it("names both commitments if the record belongs to another one than was told", async () => {
    const told = "7c42".repeat(16);
    const found = vectors.chain.ends[0] as string;
    const verdict = judgeRecord(record(vectors.record.fair), witness(vectors.table, null, told)) as Verdict;
    expect(verdict).toEqual({ kind: "wrong", pack: 0, replaced: { told, found } });
    const { text } = await shown(verdict);
    expect(text).toContain(
      `committed itself to 7c42 7c42 7c42 7c42 … and the record belongs to ${shortHash(found)}`,
    );
  });

  it("names no commitments if they are the same and only the end of a later chain differs", () => {
    const [end = ""] = vectors.chain.ends;
    const { memory } = witness(vectors.table).contributor;
    const evidence = { match: memory.announcement.match, ends: [end, "aa".repeat(32)], packs: [] };
    const refusal = (): unknown => compareEvidence({ ...memory, ends: [end, "bb".repeat(32)] }, evidence);
    expect(refusal).toThrow("the server has bound itself to other secrets");
    expect(refusal).toThrow(expect.objectContaining({ pack: 0, replaced: undefined }));
  });

  it("takes a record that ends before the match is over only from a closed table", () => {
    const text = JSON.stringify({ ...JSON.parse(record(vectors.record.fair)), result: null });
    expect(judgeRecord(text, null)).toEqual({ kind: "wrong", pack: 0 });
    expect(judgeRecord(text, null, true)).toMatchObject({ kind: "verified" });
  });

  it("returns null if no evidence was announced, and takes silence for a breach otherwise", () => {
    expect(judgeRecord(record(null), null)).toBeNull();
    expect(judgeRecord(JSON.stringify({ players: NAMES, log: [] }), null)).toBeNull();
    expect(judgeRecord(record(null), witness("any"))).toEqual({ kind: "silent" });
  });

  it("verifies nothing once the server has not kept to the protocol", () => {
    const broken = witness(vectors.table, new FairError(2, "it is called a second time"));
    expect(judgeRecord(record(vectors.record.fair), broken)).toEqual({ kind: "broken", pack: 2 });
  });
});

describe("DealVerification", () => {
  it("shows verified deals with their figures", async () => {
    const { text } = await shown(verified);
    expect(text).toContain("The proof of the deals holds");
    expect(text).toContain("Of 6 packs the server alone decided 2");
    expect(text).toContain("Packs dealt 6");
    expect(text).toContain("Draws repeated 5");
    expect(text).toContain("Packs this device helped to shuffle 0 of 6");
    expect(text).toContain("Anna 4 of 6");
    expect(text).toContain("Pack 2: no answer from Lea in time");
    expect(text).toContain(shortHash(vectors.chain.ends[0] as string));
    expect(text).toContain("This device was told the same at the start of the match.");
    expect(text).toContain("Whoever runs the server can still look at the hands.");
  });

  it("calls the deals verified if this device has helped to shuffle every pack, and names the others", async () => {
    if (verified.kind !== "verified") throw new Error("the deals do not hold");
    const whole = { own: [1, 2, 3, 4, 5, 6], excluded: [], unseen: [] };
    const { text } = await shown({ ...verified, shares: whole, partly: false });
    expect(text).toContain("Deals verified");
    expect(text).not.toContain("Packs decided");
    expect(text).not.toContain("cannot compare it");
    expect((await shown({ ...verified, compared: false })).text).toContain("cannot compare it");
    const part = await shown({ ...verified, shares: { own: [3, 6], excluded: [5], unseen: [1, 2, 4] } });
    expect(part.text).toContain("The proof of the deals holds");
    expect(part.text).not.toContain("Deals verified");
    expect(part.text).toContain("helped to shuffle 2 of 6");
    expect(part.text).toContain("Packs decided while this device took no part: 1–2, 4");
    expect(part.text).toContain("although it was ready to help: 5");
  });

  it("does not call the deals verified in a match of which this page has seen a part only", async () => {
    if (verified.kind !== "verified") throw new Error("the deals do not hold");
    const shares = { own: [1, 2, 3, 4, 5, 6], excluded: [], unseen: [] };
    const { text } = await shown({ ...verified, shares, partly: true });
    expect(text).not.toContain("Deals verified");
    expect(text).toContain("could not compare what it missed");
  });

  it("claims that nobody could know a pack only if every pack had a contributor", async () => {
    if (verified.kind !== "verified") throw new Error("the deals do not hold");
    const findings = { ...verified.findings, alone: 0 };
    const { text } = await shown({ ...verified, findings });
    expect(text).toContain("before anybody could know it");
    expect((await shown(verified)).text).not.toContain("before anybody could know it");
  });

  it("shows an alert with the number of the wrong pack", async () => {
    const { page, text } = await shown({ kind: "wrong", pack: 3 });
    expect(text).toContain("Deals found wrong");
    expect(text).toContain("Pack 3 does not agree");
    expect(page.querySelector("[role=alert]")).not.toBeNull();
    expect((await shown({ kind: "wrong", pack: 0 })).text).toContain("What the server says of these deals");
  });

  it.each<[Verdict, string]>([
    [{ kind: "broken", pack: 2 }, "For pack 2 the server has not kept to what it had told."],
    [{ kind: "broken", pack: 0 }, "The server has not kept to what it had told about the deals."],
    [{ kind: "silent" }, "the proof is missing"],
  ])("shows an alert for what the server did: %o", async (verdict, words) => {
    const { page, text } = await shown(verdict);
    expect(text).toContain("Deals found wrong");
    expect(page.querySelector("[role=alert]")?.textContent).toContain(words);
  });

  it("has a text of its own in every language", async () => {
    const texts = new Set<string>();
    for (const locale of locales) {
      settings.locale = locale;
      texts.add((await shown(verified)).text);
    }
    expect(texts.size).toBe(locales.length);
  });
});
