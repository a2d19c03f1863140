// The panels that App shows over both the start page and a table. They belong to neither: a panel opened
// over the start page while a table is being created stays open over that table.
import type { ChosenOptions } from "../../games/newTable";
import type { TableState } from "../../table/tableState";

/** The game and options whose rules the rules panel shows. */
export interface RulesSubject {
  game: string;
  /** Every option with its value. */
  chosen: ChosenOptions;
  /** The names by seat, "" for free seats; absent before there is a table. */
  players?: readonly string[];
  /** What the server has committed itself to in the deals of the match; absent before it, and where it need not. */
  commitment?: string | undefined;
}

class OpenPanels {
  settings = $state(false);
  rules = $state(false);
  account = $state(false);
  /** Null while no game is known. */
  rulesSubject = $state.raw<RulesSubject | null>(null);
  /** The table that the page shows, for panels about its people; null on other pages. */
  table = $state.raw<TableState | null>(null);

  close(): void {
    this.settings = false;
    this.rules = false;
    this.account = false;
  }
}

export const openPanels = new OpenPanels();
