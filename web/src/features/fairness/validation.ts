// Validates plain JSON of an untrusted server or file; each throws a `FairError` if the form is another.
import { FairError } from "./errors";
import type { Hash } from "./hashing";

export const MAX_SEATS = 16;
export const MAX_NUMBER = 2 ** 32 - 1;
const HASH = /^[0-9a-f]{64}$/;

export function fieldsOf<Key extends string>(
  plain: unknown,
  keys: readonly Key[],
  pack: number,
): Record<Key, unknown> {
  const found = typeof plain === "object" && plain !== null ? Object.keys(plain) : [];
  const fits = found.length === keys.length && keys.every((key) => found.includes(key));
  if (!fits || Array.isArray(plain)) throw new FairError(pack, `needed are ${keys.join(", ")}`);
  return plain as Record<Key, unknown>;
}

export function list(plain: unknown, pack: number): unknown[] {
  if (!Array.isArray(plain)) throw new FairError(pack, "a list is needed");
  return plain;
}

export function hash(plain: unknown, pack: number): Hash {
  if (typeof plain !== "string" || !HASH.test(plain)) {
    throw new FairError(pack, "64 digits of 0-9 and a-f are needed");
  }
  return plain;
}

export function whole(plain: unknown, low: number, high: number, pack: number): number {
  const fits = Number.isInteger(plain) && (plain as number) >= low && (plain as number) <= high;
  if (!fits) throw new FairError(pack, `a whole number from ${low} to ${high} is needed`);
  return plain as number;
}
