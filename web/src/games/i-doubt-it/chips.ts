// Splits a number into chips.

/** The values of chips, the largest first. */
export const CHIP_VALUES = [25, 5, 1] as const;

/** The fewest chips that add up to a number, largest first; for a debt, the chips owed. */
export function splitIntoChips(chips: number): number[] {
  let rest = Math.abs(chips);
  return CHIP_VALUES.flatMap((value) => {
    const count = Math.floor(rest / value);
    rest -= count * value;
    return Array.from({ length: count }, () => value);
  });
}
