import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { m } from "../../i18n";
import { settings } from "../../settings/settings.svelte";
import NotificationSetting from "./NotificationSetting.svelte";

let permission: NotificationPermission;
let answer: NotificationPermission;
let asked = 0;
let shown: ReturnType<typeof mount> | undefined;

const box = (): HTMLInputElement => document.querySelector("input") as HTMLInputElement;
const said = (): string => document.querySelector("[role=status]")?.textContent ?? "";

function show(): void {
  shown = mount(NotificationSetting, { target: document.body });
  flushSync();
}

async function click(): Promise<void> {
  box().click();
  await new Promise((done) => setTimeout(done));
  flushSync();
}

beforeEach(() => {
  [permission, answer, asked] = ["default", "granted", 0];
  vi.stubGlobal("Notification", {
    get permission() {
      return permission;
    },
    requestPermission: () => {
      asked += 1;
      return Promise.resolve((permission = answer));
    },
  });
  settings.alerts = false;
});

afterEach(async () => {
  if (shown) await unmount(shown);
  settings.alerts = false;
  vi.unstubAllGlobals();
});

it("NotificationSetting asks for permission only when it is switched on", async () => {
  show();
  expect([asked, box().checked]).toEqual([0, false]);
  await click();
  expect([asked, box().checked, settings.alerts]).toEqual([1, true, true]);
  await click();
  expect([asked, box().checked, settings.alerts]).toEqual([1, false, false]);
});

it("NotificationSetting stays off and says so if permission is refused", async () => {
  answer = "denied";
  show();
  expect(said()).toBe(m.alerts_note());
  await click();
  expect([box().checked, settings.alerts]).toEqual([false, false]);
  expect(said()).toBe(m.alerts_refused());
});

it("NotificationSetting stays off if the permission prompt is dismissed", async () => {
  answer = "default";
  show();
  await click();
  expect([box().checked, settings.alerts, said()]).toEqual([false, false, m.alerts_note()]);
});

it("NotificationSetting is off once the permission is revoked", () => {
  settings.alerts = true;
  permission = "denied";
  show();
  expect(box().checked).toBe(false);
  expect(said()).toBe(m.alerts_refused());
});
