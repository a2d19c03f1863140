import { describe, expect, it } from "vitest";
import { notices } from "./notices.svelte";

describe("a place for notices", () => {
  it("has them while no panel lies over it, and again when that is closed", () => {
    const closePage = notices.addPlace("page");
    expect(notices.isActive("page")).toBe(true);
    const closePanel = notices.addPlace("panel");
    expect(notices.isActive("page")).toBe(false);
    expect(notices.isActive("panel")).toBe(true);
    closePanel();
    expect(notices.isActive("page")).toBe(true);
    closePage();
    expect(notices.isActive("page")).toBe(false);
  });
});
