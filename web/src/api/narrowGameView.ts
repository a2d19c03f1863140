// Narrows a view to the type of its game. Views are discriminated by `game`.
import type {
  CoiffeurView,
  DifferenzlerView,
  IDoubtItView,
  HandjassView,
  MolotovView,
  MolotowView,
  SchieberView,
  View,
} from "./messages";

export type Round = View["rounds"][number];
export type Standing = View["standing"][number];

/** A view of a game with two sides and announced contracts. */
export type ContractView = SchieberView | CoiffeurView;

/** A view of a game with Weis and Stöck. */
export type WeisView = HandjassView | ContractView;

type Seen = View | null | undefined;

/** The view if it is one of Handjass. */
export function handjassView(view: Seen): HandjassView | null {
  return view?.game === "jass" ? view : null;
}

/** The view if it is one of Differenzler. */
export function differenzlerView(view: Seen): DifferenzlerView | null {
  return view?.game === "differenzler" ? view : null;
}

/** The view if it is one of Molotov or Offenbach Molotov. */
export function molotovView(view: Seen): MolotovView | null {
  return view?.game === "molotov" || view?.game === "offenbach" ? view : null;
}

/** The view if it is one of Molotow. */
export function molotowView(view: Seen): MolotowView | null {
  return view?.game === "molotow" ? view : null;
}

/** The view if it is one of I Doubt It. */
export function doubtView(view: Seen): IDoubtItView | null {
  return view?.game === "i-doubt-it" ? view : null;
}

/** The view if it is one of Schieber. */
export function schieberView(view: Seen): SchieberView | null {
  return view?.game === "schieber" ? view : null;
}

/** The view if it is one of Coiffeur. */
export function coiffeurView(view: Seen): CoiffeurView | null {
  return view?.game === "coiffeur" ? view : null;
}

/** The view if its game has contracts. */
export function contractView(view: Seen): ContractView | null {
  return schieberView(view) ?? coiffeurView(view);
}

/** The view if its game has Weis and Stöck. */
export function weisView(view: Seen): WeisView | null {
  return handjassView(view) ?? contractView(view);
}
