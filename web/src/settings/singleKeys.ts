// The keys that work alone, without Ctrl or Alt (WCAG 2.1.4): each can be changed, and all can be turned off.

/** The actions that choose a card of the hand, from the first to the tenth. */
export const CARD_ACTIONS = [
  ...(["card1", "card2", "card3", "card4", "card5"] as const),
  ...(["card6", "card7", "card8", "card9", "card10"] as const),
] as const;

export type KeyAction = "list" | "rest" | (typeof CARD_ACTIONS)[number];
export type SingleKeys = Record<KeyAction, string>;

const DIGITS = Object.fromEntries(CARD_ACTIONS.map((action, index) => [action, String((index + 1) % 10)]));

export const USUAL_KEYS = { list: "?", rest: "r", ...DIGITS } as Readonly<SingleKeys>;

const ACTIONS = Object.keys(USUAL_KEYS) as KeyAction[];

/** Whether a key may be chosen: a small letter, a digit or a sign, since the space presses buttons. */
export function isSingleKey(key: unknown): key is string {
  return typeof key === "string" && key === key.toLowerCase() && /^[^\s\p{C}]$/u.test(key);
}

/** Whether a key has another action than this one. */
export function isTaken(keys: SingleKeys, key: string, by: KeyAction): boolean {
  return ACTIONS.some((action) => action !== by && keys[action] === key);
}

/** Whether all keys are the usual ones. */
export function areUsual(keys: SingleKeys): boolean {
  return ACTIONS.every((action) => keys[action] === USUAL_KEYS[action]);
}

/** The keys in a stored value; those that are invalid are the usual ones, and all if one has two actions. */
export function parseSingleKeys(raw: unknown): SingleKeys {
  const stored = { ...(raw as object) } as Partial<Record<KeyAction, unknown>>;
  const found = ACTIONS.map((action) => {
    const key = stored[action];
    return [action, isSingleKey(key) ? key : USUAL_KEYS[action]] as const;
  });
  const distinct = new Set(found.map(([, key]) => key)).size === found.length;
  return distinct ? (Object.fromEntries(found) as SingleKeys) : USUAL_KEYS;
}
