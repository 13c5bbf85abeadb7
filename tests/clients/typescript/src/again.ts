// Retrying a call. With a request id, it is played once however often it is sent.

import { isPassing } from "./errors.js";

const MAX_WAIT = 2_000;
const MAX_TRIES = 10;

/** Waits this many milliseconds. */
export function sleep(wait: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, wait));
}

/** The answer of a call that is sent until there is one. `onRetry` hears of every repetition. */
export async function again<T>(call: () => Promise<T>, onRetry?: () => void): Promise<T> {
  let wait = 50;
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries === MAX_TRIES || !isPassing(error)) {
        throw error;
      }
    }
    onRetry?.();
    await sleep(wait);
    wait = Math.min(wait * 2, MAX_WAIT);
  }
}
