/** The commitment that a device was told, and that of the record. */
export interface ReplacedCommitment {
  told: string;
  found: string;
}

/** A failed check of a match's deals; `pack` is the number of the pack, 0 for the whole match. */
export class FairError extends Error {
  constructor(
    readonly pack: number,
    message: string,
    readonly replaced?: ReplacedCommitment,
  ) {
    super(message);
  }
}
