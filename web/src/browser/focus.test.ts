import { afterEach, describe, expect, it } from "vitest";
import { focusedElement } from "./focus";

describe("focusedElement", () => {
  afterEach(() => document.body.replaceChildren());

  it("returns the element with the focus, and the body in place of one in a closed panel", () => {
    document.body.innerHTML = "<dialog open><button></button></dialog><input />";
    expect(focusedElement()).toBe(document.body);
    const [dialog, button] = [document.querySelector("dialog"), document.querySelector("button")];
    button?.focus();
    expect(focusedElement()).toBe(button);
    dialog?.removeAttribute("open");
    expect(document.activeElement).toBe(button);
    expect(focusedElement()).toBe(document.body);
    document.querySelector("input")?.focus();
    expect(focusedElement()).toBe(document.querySelector("input"));
  });
});
