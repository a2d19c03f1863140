// Warnings before the time of a turn runs out, at a third of it and ten seconds before its end.
const LAST_WARNING_S = 10;
/** Two warnings are at least so many seconds apart, and the first comes so long after the turn began. */
const MIN_GAP_S = 3;

/**
 * Calls `warn` with the seconds that are left, at each moment for a warning that is still to come.
 *
 * @param deadline - when the turn ends, as from `Date.now()`.
 * @param total - the seconds of the whole turn.
 * @returns a function that cancels the warnings.
 */
export function scheduleTimeWarnings(
  deadline: number,
  total: number,
  warn: (seconds: number) => void,
): () => void {
  const third = Math.round(total / 3);
  const moments = third >= LAST_WARNING_S + MIN_GAP_S ? [third, LAST_WARNING_S] : [LAST_WARNING_S];
  const left = (deadline - Date.now()) / 1000;
  const timers = moments
    .filter((seconds) => seconds <= total - MIN_GAP_S && seconds <= left)
    .map((seconds) => setTimeout(() => warn(seconds), (left - seconds) * 1000));
  return () => timers.forEach(clearTimeout);
}
