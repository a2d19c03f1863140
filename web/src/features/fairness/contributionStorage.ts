// Stores the contributor of a table's deals for this tab, so that it survives a reload.
import type { ContributionStorage } from "./participant";
import { tabStorage } from "../../browser/tabStorage";

export const contributionStorage = (table: string): ContributionStorage => tabStorage("witness", table);
