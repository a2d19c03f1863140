// The panels that App shows over the start page and over a table alike. They are no part of either
// page: a panel opened over the start page while a table is being created stays open over that table.
import type { ChosenOptions } from "../../games/newTable";
import type { TableState } from "../../table/tableState";

/** Of what the rules panel shows the rules. */
export interface RulesSubject {
  game: string;
  /** Every option with its value. */
  chosen: ChosenOptions;
  /** The names by seat, "" where a seat is free; none before there is a table. */
  players?: readonly string[];
}

class OpenPanels {
  settings = $state(false);
  rules = $state(false);
  account = $state(false);
  /** Null while no game is known. */
  rulesSubject = $state.raw<RulesSubject | null>(null);
  /** The table that the page shows, for the people there; null elsewhere. */
  table = $state.raw<TableState | null>(null);

  close(): void {
    this.settings = false;
    this.rules = false;
    this.account = false;
  }
}

export const openPanels = new OpenPanels();
