// The keys that work alone, without Ctrl or Alt (WCAG 2.1.4): each can be changed, and all can be turned off.

export type KeyAction = "list" | "rest";
export type SingleKeys = Record<KeyAction, string>;

export const USUAL_KEYS: Readonly<SingleKeys> = { list: "?", rest: "r" };

/** Whether a key may be chosen: a small letter or a sign, since digits choose cards and the space presses buttons. */
export function isSingleKey(key: unknown): key is string {
  return typeof key === "string" && key === key.toLowerCase() && /^[^\s\d\p{C}]$/u.test(key);
}

/** The keys in a stored value; those that are invalid, and one that has two actions, are the usual ones. */
export function parseSingleKeys(raw: unknown): SingleKeys {
  const { list, rest } = { ...(raw as object) } as Partial<Record<KeyAction, unknown>>;
  const keys = {
    list: isSingleKey(list) ? list : USUAL_KEYS.list,
    rest: isSingleKey(rest) ? rest : USUAL_KEYS.rest,
  };
  return keys.list === keys.rest ? USUAL_KEYS : keys;
}
