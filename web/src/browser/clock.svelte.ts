// The current time for countdowns; it ticks only while something reads it.
import { createSubscriber } from "svelte/reactivity";

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 250);
  return () => clearInterval(timer);
});

/** Milliseconds of the clock; whoever reads it in an effect or a template is updated. */
export function now(): number {
  subscribe();
  return Date.now();
}
