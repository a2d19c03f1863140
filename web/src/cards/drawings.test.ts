import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";
import { SUITS } from "./cards";
import { settings } from "../settings/settings.svelte";
import CardFace from "./CardFace.svelte";
import SvgSymbols from "./SvgSymbols.svelte";

const page = document.createElement("main");
let mounted: object[] = [];

function show(card: string): Element {
  const target = document.createElement("div");
  page.append(target);
  mounted.push(mount(CardFace, { target, props: { card } }));
  flushSync();
  return target;
}

/** The ids that a card's drawing refers to, and whether the page contains them. */
function drawn(card: Element): { href: string; there: boolean }[] {
  const hrefs = [...card.querySelectorAll("use")].map((use) => use.getAttribute("href") ?? "");
  return [...new Set(hrefs)].map((href) => ({ href, there: page.querySelector(href) !== null }));
}

afterEach(async () => {
  await Promise.all(mounted.map((one) => unmount(one)));
  mounted = [];
  page.replaceChildren();
  settings.deck = "french";
  settings.colours = "two";
});

it("CardFace draws index, suit sign and pips at once, and the picture once it is loaded", async () => {
  settings.deck = "swiss";
  mounted.push(mount(SvgSymbols, { target: page }));
  const [nine, under] = [show("9H"), show("JH")];
  expect(drawn(nine)).toEqual([{ href: "#suit-swiss-H", there: true }]);
  expect(nine.querySelectorAll("use").length).toBe(9 + 2);
  expect(drawn(under)).toContainEqual({ href: "#suit-swiss-H", there: true });
  expect(under.querySelectorAll('path[d^="M0 0V21"]').length).toBe(2);
  await vi.waitFor(() => {
    expect(drawn(under)).toContainEqual({ href: "#half-swiss-JH", there: true });
  });
});

it("CardFace draws French suits in two colours, or in four if so set", () => {
  settings.deck = "french";
  const colours = (): Set<string> => {
    const faces = SUITS.map((suit) => show(`7${suit}`));
    return new Set(
      faces.map((face) => face.querySelector("[stroke-width='7.4']")?.getAttribute("stroke") ?? ""),
    );
  };
  expect(colours().size).toBe(2);
  settings.colours = "four";
  expect(colours().size).toBe(4);
});
