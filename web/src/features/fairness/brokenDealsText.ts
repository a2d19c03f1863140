import { m } from "../../i18n";

/** Tells that the server did not keep to what it had told, for a pack, or 0 for the match as a whole. */
export function brokenDealsText(pack: number): string {
  return pack > 0 ? m.deals_broken_pack({ n: pack }) : m.deals_broken();
}
