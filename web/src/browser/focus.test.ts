import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { focusedElement, isFocusFree } from "./focus";
import { keepFocus } from "./keepFocus";

const find = <T extends HTMLElement = HTMLButtonElement>(selector: string): T => {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};

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

describe("keepFocus", () => {
  let end: () => void;
  beforeEach(() => (end = keepFocus()));
  afterEach(() => {
    end();
    document.body.replaceChildren();
  });

  /** The page after a change, once the focus has found its place. */
  async function after(change: () => void): Promise<Element | null> {
    change();
    await new Promise((done) => setTimeout(done));
    await new Promise((done) => requestAnimationFrame(done));
    await new Promise((done) => requestAnimationFrame(done));
    return focusedElement();
  }

  const PAGE = `
    <h1>Schieber</h1>
    <main><button id="other"></button><div id="hand">
      <button aria-disabled="true" tabindex="0"></button><button id="open" aria-disabled="false" tabindex="-1"></button>
    </div></main>`;

  it("moves the focus from what is removed to the reader's decision, and without one to the hand", async () => {
    document.body.innerHTML = `<section id="next" tabindex="-1" data-decision></section>${PAGE}`;
    find("#other").focus();
    expect(await after(() => find("#other").remove())).toBe(find("#next"));
    expect(await after(() => find("#next").remove())).toBe(find("#open"));
    expect(await after(() => find("#hand").remove())).toBe(find("h1"));
    expect(isFocusFree()).toBe(true);
  });

  it("also replaces what had the focus, and went, before it was begun", async () => {
    document.body.innerHTML = PAGE;
    const element = find("#other");
    element.remove();
    end();
    end = keepFocus({ element, path: location.pathname });
    expect(await after(() => undefined)).toBe(find("#open"));
    end();
    find("#open").blur();
    end = keepFocus({ element, path: "/elsewhere" });
    expect(await after(() => undefined)).toBe(find("h1"));
  });

  it("leaves the focus on a control that can hold it when a decision appears", async () => {
    document.body.innerHTML = PAGE;
    find("#other").focus();
    const decision = `<section tabindex="-1" data-decision><button></button></section>`;
    expect(await after(() => find("main").insertAdjacentHTML("beforeend", decision))).toBe(find("#other"));
    expect(isFocusFree()).toBe(false);
  });

  it("passes over a decision while its answer is awaited, and takes it up again when it is refused", async () => {
    const decision = `<button id="step"></button><button id="yes" aria-disabled="false"></button>`;
    document.body.innerHTML = `<section tabindex="-1" data-decision>${decision}</section>${PAGE}`;
    find("#step").focus();
    expect(await after(() => find("#yes").setAttribute("aria-disabled", "true"))).toBe(find("#step"));
    expect(await after(() => find("#step").remove())).toBe(find("#open"));
    expect(await after(() => find("#yes").setAttribute("aria-disabled", "false"))).toBe(
      find("[data-decision]"),
    );
  });

  it("leaves the focus on a control whose action is under way", async () => {
    document.body.innerHTML = `<section tabindex="-1" data-decision><button id="yes"></button></section>${PAGE}`;
    find("#yes").focus();
    expect(await after(() => find("#yes").setAttribute("aria-disabled", "true"))).toBe(find("#yes"));
    expect(await after(() => find("#yes").setAttribute("aria-disabled", "false"))).toBe(find("#yes"));
  });

  it("gives the focus back to a control that was disabled for the time of a request", async () => {
    document.body.innerHTML = `<button id="busy"></button>${PAGE}`;
    find("#busy").focus();
    await after(() => (find("#busy").disabled = true));
    find("#busy").blur();
    expect(await after(() => (find("#busy").disabled = false))).toBe(find("#busy"));
  });

  it("moves the focus within a group to the control now in its place, or else to the one before", async () => {
    document.body.innerHTML = `<div role="group"><button id="a"></button><button id="b"></button><button id="c"></button></div>`;
    find("#b").focus();
    expect(await after(() => find("#b").remove())).toBe(find("#c"));
    expect(await after(() => (find("#c").disabled = true))).toBe(find("#a"));
  });

  it("stays within an open panel", async () => {
    document.body.innerHTML = `<dialog open><h2></h2><button id="gone"></button></dialog>${PAGE}`;
    find("#gone").focus();
    expect(await after(() => find("#gone").remove())).toBe(find("h2"));
  });

  it("leaves the focus on the body if the reader put it there", async () => {
    document.body.innerHTML = PAGE;
    find("#other").focus();
    await after(() => find("#other").blur());
    expect(await after(() => find("#other").remove())).toBe(document.body);
  });

  it("ignores a key that was held down before the focus moved", async () => {
    document.body.innerHTML = PAGE;
    find("#other").focus();
    await after(() => find("#other").remove());
    const press = (repeat: boolean): boolean =>
      find("#open").dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", repeat, bubbles: true, cancelable: true }),
      );
    expect(press(true)).toBe(false);
    expect(press(false)).toBe(true);
    expect(press(true)).toBe(true);
  });
});
