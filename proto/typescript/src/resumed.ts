// Streams that are resumed where they broke.

import { Code, ConnectError } from "@connectrpc/connect";

import { errorOf } from "./errors.js";
import type { Tries } from "./tries.js";

/** The conditions under which a stream is given up. */
export interface StreamSettings {
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** A stream on which the service says nothing for this many milliseconds, not even that nothing is new, counts as
   * broken. 60 seconds unless given. */
  silence?: number | undefined;
}

const SILENCE = 60_000;

/**
 * The messages of a stream that `open` opens, after the last message that came each time. Ends when `isOver` says so.
 */
export async function* resumed<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  isOver: () => boolean,
  tries: Tries,
  { signal, silence = SILENCE }: StreamSettings,
): AsyncGenerator<T, void> {
  while (!isOver() && !signal?.aborted) {
    try {
      for await (const message of heard(open, silence, signal)) {
        tries.succeeded();
        yield message;
        if (isOver()) {
          return;
        }
      }
      throw new ConnectError("the stream ended early", Code.Unavailable);
    } catch (error) {
      try {
        await tries.failed(errorOf(error), signal);
      } catch (failed) {
        if (signal?.aborted) {
          return;
        }
        throw failed;
      }
    }
  }
}

/** The messages of one stream, which is given up when none arrives for a while. */
async function* heard<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  silence: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const line = new AbortController();
  const cut = () => line.abort();
  signal?.addEventListener("abort", cut);
  let clock = setTimeout(cut, silence);
  try {
    for await (const message of open(line.signal)) {
      clearTimeout(clock);
      yield message;
      clock = setTimeout(cut, silence);
    }
  } catch (error) {
    throw line.signal.aborted ? new ConnectError("the service was silent", Code.Unavailable) : error;
  } finally {
    clearTimeout(clock);
    signal?.removeEventListener("abort", cut);
    line.abort();
  }
}
