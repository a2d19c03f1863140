// What a game shows at its table. The `gameUi.ts` in a game's folder says what differs from the generic
// display; the screens only compose these parts.
import type { Component } from "svelte";
import type { View } from "../api/messages";
import type { TableState } from "../table/tableState";
import type { Direction } from "../table/seatGeometry";
import type { Play } from "../features/play/play.svelte";

/** What a part of the table in play is given. */
export interface PlayProps {
  play: Play;
}

/** What lies on the mat is given the seat at its lower border as well, and the way round. */
export interface MatProps extends PlayProps {
  bottom: number;
  direction: Direction;
}

/** What the slate is given; `framed` where it hangs beside the table. */
export interface SlateProps {
  state: TableState;
  framed?: boolean;
}

/** What tells of a finished round is given: its place among the rounds of the view, from 0. */
export interface RoundProps {
  state: TableState;
  index: number;
}

/** What one can look at once more: how it is called, and what it shows. */
export interface HistoryPanel {
  title: () => string;
  icon: "trick" | "list";
  /** The button on the mat has no room for its title. */
  small: boolean;
  body: Component<PlayProps>;
}

/** A round in a word, as every round of a match is listed with a line. */
export interface ScoreEntry {
  /** The points of a seat, where they are listed. */
  points: string;
  /** What was written for them. */
  mark: string;
  /** What an open `0` means, which is then drawn. */
  sack?: string;
  /** The seat took no part. */
  absent?: boolean;
}

export interface GameUi {
  /** The trump, in the upper corner of the mat. */
  trumpCorner: Component<PlayProps>;
  /** In the middle of a game that is not played in tricks. */
  centre: Component<MatProps> | null;
  /** On the mat beside the trick. */
  beside: Component<MatProps> | null;
  /** Prompts of the game's own phases, shown over the mat when due. */
  actionPanels: Component<PlayProps> | null;
  /** First words of the actions that the game's own panels and its hand offer; for all others that
   * are no cards there is the panel of any game. */
  ownVerbs: readonly string[];
  /** Below the mat: the reader's status bar and hand. */
  playerArea: Component<PlayProps>;
  /** Beside the table or behind a button: the last trick, or what went before. */
  history: HistoryPanel;
  /** How the match stands. */
  slate: Component<SlateProps>;
  /** A finished round, on the sheet at its end. */
  roundResult: Component<RoundProps>;
  /** All rounds of a match, at its end. */
  allRounds: Component<{ state: TableState }>;
  /** What a round was for a seat, in the list of all rounds; the round by its place from 0. */
  scoreEntry: (view: View, index: number, seat: number) => ScoreEntry;
  /** What that list is headed with, where it does not speak for itself. */
  allRoundsTitle: () => string;
  /** Whether the points of the round in progress stand at the seats. */
  pointsAtSeats: boolean;
  /** Whether a seat only watches this round. */
  isWatching: (view: View | null, seat: number | null) => boolean;
}
