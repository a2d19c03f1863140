import { describe, expect, it } from "vitest";
import { notices } from "./notices.svelte";

describe("a place for notices", () => {
  it("has them while no panel lies over it, and again when that is closed", () => {
    const closePage = notices.open("page");
    expect(notices.at("page")).toBe(true);
    const closePanel = notices.open("panel");
    expect(notices.at("page")).toBe(false);
    expect(notices.at("panel")).toBe(true);
    closePanel();
    expect(notices.at("page")).toBe(true);
    closePage();
    expect(notices.at("page")).toBe(false);
  });
});
