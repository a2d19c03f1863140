import { describe, expect, it } from "vitest";
import { notices } from "./notices.svelte";

describe("notices", () => {
  it("shows notices only in the topmost open place", () => {
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
