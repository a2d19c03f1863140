// The current time for countdowns; it ticks only while something reads it.
import { createSubscriber } from "svelte/reactivity";

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 250);
  return () => clearInterval(timer);
});

/** Milliseconds since the epoch; effects and templates that read it are updated. */
export function now(): number {
  subscribe();
  return Date.now();
}
