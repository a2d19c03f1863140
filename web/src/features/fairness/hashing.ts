// The hash functions of docs/fair-deals.md. `crypto.subtle` is missing on http:// pages, as clubs serve
// them in their own network, so they are computed here. Elsewhere bytes are hexadecimal strings: they are
// compared and sent as such.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export const FORMAT = "jasstisch-fair/1";

/** The number of secrets in a chain. */
export const CHAIN_LENGTH = 256;

/** 32 bytes as 64 digits. */
export type Hash = string;

/** A whole number, or bytes as hexadecimal digits. */
export type HashInput = number | string;

/** Identifies a match: the hash of the table's id, and the number of the match. */
export interface MatchId {
  table: Hash;
  number: number;
}

/** A whole number as four bytes, the highest first. */
export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function field(bytes: Uint8Array): Uint8Array {
  return concatBytes(uint32(bytes.length), bytes);
}

/** The byte encoding of a list of values that are hashed for a purpose. */
export function encode(purpose: string, ...parts: HashInput[]): string {
  const name = utf8ToBytes(`${FORMAT} ${purpose}`);
  const values = parts.map((part) => (typeof part === "number" ? uint32(part) : hexToBytes(part)));
  return bytesToHex(concatBytes(...[name, ...values].map(field)));
}

/** The SHA-256 of a list of values. */
export function digest(purpose: string, ...parts: HashInput[]): Hash {
  return bytesToHex(sha256(hexToBytes(encode(purpose, ...parts))));
}

/** The identifier of a match, by the table's id and the number of the match. */
export function matchId(table: string, number: number): MatchId {
  return { table: digest("table", bytesToHex(utf8ToBytes(table))), number };
}

/** The hash of a chain's link: the secret that was used before it, or the chain's end. */
export function nextLink(match: MatchId, link: Hash): Hash {
  return digest("link", match.table, match.number, link);
}

/** The commitment of a seat for one attempt at one pack. */
export function commitment(
  match: MatchId,
  pack: number,
  attempt: number,
  seat: number,
  contribution: Hash,
): Hash {
  return digest("contribution", match.table, match.number, pack, attempt, seat, contribution);
}

/** 32 unguessable bytes. */
export function randomHash(): Hash {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}
