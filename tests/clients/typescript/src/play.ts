// A whole game of Kingsburg, as a front end or a bot would play it.

import type { Client } from "@connectrpc/connect";

import type { Action } from "../gen/gamekeeper/kingsburg/v1/action_pb.js";
import type { Catalogue } from "../gen/gamekeeper/kingsburg/v1/catalogue_pb.js";
import type { KingsburgService } from "../gen/gamekeeper/kingsburg/v1/kingsburg_service_pb.js";
import { type GameInfo, ViewMode } from "../gen/gamekeeper/v1/game_pb.js";
import { again } from "./again.js";

type Service = Client<typeof KingsburgService>;

/** Builds where it can, then asks the mightiest advisor that the dice reach, then takes what comes first. */
export function choose(actions: Action[]): Action {
  const build = actions.find(({ kind }) => kind.case === "build");
  const reach = actions
    .filter(({ kind }) => kind.case === "influence")
    .sort((one, other) => advisorOf(other) - advisorOf(one));
  return build ?? reach[0] ?? actions[0]!;
}

function advisorOf({ kind }: Action): number {
  return kind.case === "influence" ? kind.value.advisor : 0;
}

/** An action for people to read; the names come from the catalogue, none is written down here. */
export function say({ kind }: Action, catalogue: Catalogue): string {
  switch (kind.case) {
    case "build": {
      const { building } = kind.value;
      return `builds ${catalogue.buildings.find((info) => info.building === building)?.name}`;
    }
    case "influence": {
      const { advisor } = kind.value;
      return `asks the ${catalogue.advisors.find((info) => info.number === advisor)?.name}`;
    }
    default:
      return `chooses ${kind.case}`;
  }
}

/** What the caller may hear of a game that is played. */
export interface Listener {
  onAction?(seat: number, action: Action): void;
  onRetry?(): void;
}

/** Plays all seats to the end. Gives the facts of the game after every action. */
export async function* play(service: Service, game: GameInfo, listener: Listener = {}): AsyncGenerator<GameInfo> {
  const { gameId } = game;
  const onRetry = () => listener.onRetry?.();
  while (game.pending[0] !== undefined) {
    const { seat } = game.pending[0];
    const { actions, version } = await again(() => service.listLegalActions({ gameId, seat }), onRetry);
    const action = choose(actions);
    listener.onAction?.(seat, action);
    // The same request every time: it is played once, even if the first answer was lost.
    const request = {
      gameId,
      seat,
      action,
      expectedVersion: version,
      requestId: crypto.randomUUID(),
      viewMode: ViewMode.NONE,
    };
    const answer = await again(() => service.applyAction(request), onRetry);
    game = answer.game!;
    yield game;
  }
}
