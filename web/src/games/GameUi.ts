// What a game shows at its table. The `gameUi.ts` in a game's folder says what differs from the generic
// display; the screens only compose these parts.
import type { MatchFigure } from "./finalPlaces";
import type { Component } from "svelte";
import type { View } from "../api/messages";
import type { TableState } from "../table/tableState";
import type { Direction } from "../table/seatGeometry";
import type { PlayState } from "../features/play/playState.svelte.ts";

/** The props of a part of the table in play. */
export interface PlayProps {
  play: PlayState;
}

/** The props of a part at the seat of a player. */
export interface SeatProps extends PlayProps {
  seat: number;
}

/** The props of a part of the mat: also the seat at the bottom, and the direction of play. */
export interface MatProps extends PlayProps {
  bottom: number;
  direction: Direction;
}

/** The props of a slate; `framed` if it is next to the table. */
export interface SlateProps {
  state: TableState;
  framed?: boolean;
}

/** The props of a round result; `index` counts the rounds of the view from 0. */
export interface RoundProps {
  state: TableState;
  index: number;
}

/** The history panel of a game, such as the last trick: its title and content. */
export interface HistoryPanel {
  title: () => string;
  icon: "trick" | "list";
  /** Whether the button on the mat has no room for its title. */
  small: boolean;
  body: Component<PlayProps>;
}

/** A seat's entry for one round in the list of all rounds. */
export interface ScoreEntry {
  /** The points of the seat. */
  points: string;
  /** The mark written for them. */
  mark: string;
  /** The meaning of an open `0`, which is then drawn as a sack. */
  sack?: string;
  /** Whether the seat took no part. */
  absent?: boolean;
}

export interface GameUi {
  /** The trump, in the upper corner of the mat. */
  trumpCorner: Component<PlayProps>;
  /** The centre of the mat in a game without tricks. */
  centre: Component<MatProps> | null;
  /** On the mat next to the trick. */
  beside: Component<MatProps> | null;
  /** Prompts of the game's own phases, shown over the mat when due. */
  actionPanels: Component<PlayProps> | null;
  /** First words of the actions that the game's own panels and hand offer; other actions that play no card
   * appear on the generic panel. */
  ownVerbs: readonly string[];
  /** Below the mat: the reader's status bar and hand. */
  statusBarAndHand: Component<PlayProps>;
  /** Next to the table or behind a button: the last trick, or earlier events. */
  history: HistoryPanel;
  /** The standing of the match. */
  slate: Component<SlateProps>;
  /** The result of a finished round, in the summary at its end. */
  roundResult: Component<RoundProps>;
  /** All rounds of a match, at its end. */
  allRounds: Component<{ state: TableState }>;
  /** A seat's entry for a round in the list of all rounds; `index` counts from 0. */
  scoreEntry: (view: View, index: number, seat: number) => ScoreEntry;
  /** The title of that list; empty if it needs none. */
  allRoundsTitle: () => string;
  /** What ranks the seats at the end of a match; null if nothing does. */
  matchFigure: MatchFigure | null;
  /** Whether the points of the round in progress are shown at the seats. */
  pointsAtSeats: boolean;
  /** The last action of a player besides the play of a card, at their seat; null where other parts show it. */
  said: Component<SeatProps> | null;
  /** Whether a seat only watches this round. */
  isWatching: (view: View | null, seat: number | null) => boolean;
}

/** What a game declares of its display: slate and result of a round, and what differs from the generic display. */
export type OwnUi = Partial<GameUi> & Pick<GameUi, "slate" | "roundResult">;
