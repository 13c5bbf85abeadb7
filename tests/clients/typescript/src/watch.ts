// Following a game across disconnects.

import type { Client } from "@connectrpc/connect";

import type { KingsburgService, WatchVersion } from "../gen/gamekeeper/kingsburg/v1/kingsburg_service_pb.js";
import type { ViewerKind } from "../gen/gamekeeper/v1/game_pb.js";
import { sleep } from "./again.js";
import { isPassing } from "./errors.js";

/** What to follow. */
export interface Watched {
  gameId: string;
  viewer: { kind: ViewerKind; seat?: number };
  /** The last version that the caller has. */
  afterVersion: bigint;
}

/**
 * Every version after `afterVersion`, in order and each once. A watch that is cut goes on after the
 * last version that came. It never ends by itself: leave the loop when the game is over.
 */
export async function* watch(
  service: Client<typeof KingsburgService>,
  { gameId, viewer, afterVersion }: Watched,
  onCut?: () => void,
): AsyncGenerator<WatchVersion> {
  let last = afterVersion;
  for (;;) {
    try {
      const stream = service.watchGame({ gameId, viewer, afterVersion: last, withText: true });
      for await (const { update } of stream) {
        if (update.case === "version") {
          last = update.value.game!.version;
          yield update.value;
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
