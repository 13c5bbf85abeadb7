// Following a game across disconnects.

import type { Client } from "@connectrpc/connect";

import type { ViewerKind } from "../gen/gamekeeper/v1/game_pb.js";
import type { GameService, LogEntry, Table, WatchGameResponse } from "../gen/gamekeeper/v1/game_service_pb.js";
import { sleep } from "./again.js";
import { isPassing } from "./errors.js";

/** What to follow. */
export interface Watched {
  gameId: string;
  viewer: { kind: ViewerKind; seat?: number };
  /** The last version that the caller has. */
  afterVersion: bigint;
}

/** A version: the table, and what led to it. */
export interface Change {
  table: Table;
  entry: LogEntry;
}

/**
 * Every version after `afterVersion`, in order and each once. A watch that is cut goes on after the
 * last version that came. It never ends by itself: leave the loop when the game is over.
 */
export async function* watch(
  games: Client<typeof GameService>,
  { gameId, viewer, afterVersion }: Watched,
  onCut?: () => void,
): AsyncGenerator<Change> {
  const show = { events: true, text: true };
  let last: WatchGameResponse | undefined;
  for (;;) {
    const after = { afterVersion: last?.version ?? afterVersion, afterTime: last?.table?.game?.updateTime };
    try {
      for await (const message of games.watchGame({ gameId, viewer, show, ...after })) {
        const { table, entry } = message;
        // A message without a table only shows that the watch is alive.
        if (table === undefined) {
          continue;
        }
        last = message;
        if (entry !== undefined) {
          yield { table, entry };
        }
      }
    } catch (error) {
      if (!isPassing(error)) {
        throw error;
      }
    }
    onCut?.();
    await sleep(50);
  }
}
