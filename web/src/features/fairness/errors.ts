/** Something about the deals of a match does not hold; `pack` is which one, 0 for the whole match. */
export class FairError extends Error {
  constructor(
    readonly pack: number,
    message: string,
  ) {
    super(message);
  }
}
