import type { Hash } from "./hashing";

/** The first 16 digits of a hash, in groups that can be read aloud, such as "7c42 8e23 5185 f63a …". */
export function shortHash(hash: Hash): string {
  return `${(hash.slice(0, 16).match(/.{1,4}/g) ?? []).join(" ")} …`;
}
