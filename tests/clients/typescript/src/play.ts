// A whole game of any ruleset, as a front end or a bot would play it.

import type { Client } from "@connectrpc/connect";

import type { GameInfo, PendingDecision } from "../gen/gamekeeper/v1/game_pb.js";
import type { GameService } from "../gen/gamekeeper/v1/game_service_pb.js";
import type { Catalogue, LegalAction } from "../gen/gamekeeper/v1/messages_pb.js";
import { again } from "./again.js";
import { choose } from "./choose.js";

/** What players are asked, by decision. The catalogue of a ruleset does not change while a server runs. */
export function questionsOf(catalogue: Catalogue): Map<string, string> {
  return new Map(catalogue.terms.map(({ id, question }) => [id, question]));
}

/** What the caller may hear of a game that is played. */
export interface Listener {
  onAction?(decision: PendingDecision, chosen: LegalAction): void;
  onRetry?(): void;
}

/** Plays all seats to the end. Gives the facts of the game after every action. */
export async function* play(
  games: Client<typeof GameService>,
  game: GameInfo,
  listener: Listener = {},
): AsyncGenerator<GameInfo> {
  const { gameId } = game;
  const onRetry = () => listener.onRetry?.();
  while (game.pending[0] !== undefined) {
    const [decision] = game.pending;
    const { seat } = decision;
    const listed = { gameId, seat, show: { text: true } };
    const { actions, version } = await again(() => games.listLegalActions(listed), onRetry);
    const chosen = choose(actions);
    listener.onAction?.(decision, chosen);
    // The same request every time: it is played once, even if the first answer was lost.
    const request = { gameId, seat, action: chosen.action, expectedVersion: version, requestId: crypto.randomUUID() };
    const { table } = await again(() => games.applyAction(request), onRetry);
    game = table!.game!;
    yield game;
  }
}
