// What this tab remembers of the deals at a table of which the server tells nothing any more.
import { contributionStorage } from "../fairness/contributionStorage";
import { Participant } from "../fairness/participant";
import type { Witness } from "../fairness/verdict";
import { SeenMatch } from "./seenMatch";

export function rememberedWitness(table: string): Witness | null {
  const { latest } = new Participant(table, 0, contributionStorage(table));
  return latest && { ...latest, seen: new SeenMatch(table).of(latest.number) };
}
