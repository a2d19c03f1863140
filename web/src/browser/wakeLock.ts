// Keeps the screen of a phone awake. Browsers release a lock when the page is hidden.

/** Keeps the screen awake while the page is seen; returns a function that lets it sleep again. */
export function keepScreenAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let ended = false;

  async function take(): Promise<void> {
    if (ended || document.visibilityState !== "visible" || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      // Saving power is more important to the device, or it is no secure page: the screen may sleep.
      return;
    }
    if (ended) void lock.release();
  }

  const seen = (): void => void take();
  // Older browsers have no wake lock at all.
  if ("wakeLock" in navigator) {
    document.addEventListener("visibilitychange", seen);
    void take();
  }
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", seen);
    void lock?.release();
  };
}
