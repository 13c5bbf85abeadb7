// How long to wait between the tries of one call.

import type { GamekeeperError } from "./errors.js";

/** The first pause, and the longest that is not asked for by the service. Both in milliseconds. */
const [FIRST, LONGEST] = [50, 2_000];

/** Waits between the tries of one call: longer each time, with some luck, and as long as the service asks. */
export class Tries {
  #begun: number | undefined;
  #pause = FIRST;

  /** `patience` is how many milliseconds a call is tried again; `onRetry` hears of every repetition. */
  constructor(
    private readonly patience: number,
    private readonly onRetry: (error: GamekeeperError) => void,
  ) {}

  /** The next failure is the first of a new series. */
  succeeded(): void {
    this.#begun = undefined;
    this.#pause = FIRST;
  }

  /** Waits, or throws the error if another try is useless, too late, or no longer wanted. */
  async failed(error: GamekeeperError, signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    if (error.isPlanned) {
      this.succeeded();
    } else {
      this.#begun ??= now;
    }
    const pause = Math.max(error.retryAfter ?? 0, this.#pause * (0.5 + Math.random() / 2));
    const isLate = this.#begun !== undefined && now + pause - this.#begun > this.patience;
    if (!error.isPassing || signal?.aborted || isLate) {
      throw error;
    }
    this.onRetry(error);
    await sleep(pause, signal);
    if (signal?.aborted) {
      throw error;
    }
    if (!error.isPlanned) {
      this.#pause = Math.min(2 * this.#pause, LONGEST);
    }
  }
}

/** Waits this many milliseconds, or until the signal comes. */
function sleep(pause: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, pause);
    signal?.addEventListener("abort", done);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}
