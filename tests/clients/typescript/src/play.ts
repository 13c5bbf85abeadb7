// A whole game of any ruleset, as a front end or a bot would play it.

import { TermKind } from "@gamekeeper/client";
import type { Catalogue, Client, GameInfo, LegalAction, PendingDecision } from "@gamekeeper/client";

import { type Random, choose } from "./choose.js";

/** Returns the questions to players, by decision. The catalogue of a ruleset does not change while a server runs. */
export function questionsOf(catalogue: Catalogue): Map<string, string> {
  const decisions = catalogue.terms.filter(({ kind }) => kind === TermKind.DECISION);
  return new Map(decisions.map(({ id, question }) => [id, question]));
}

/** Hears of every action before it is sent. */
export type OnAction = (decision: PendingDecision, chosen: LegalAction) => void;

/** Plays all seats to the end. Gives the facts of the game after every action. */
export async function* play(
  client: Client,
  game: GameInfo,
  onAction?: OnAction,
  random?: Random,
): AsyncGenerator<GameInfo> {
  const { gameId } = game;
  while (game.pending[0] !== undefined) {
    const [decision] = game.pending;
    const { seat } = decision;
    const { actions, version } = await client.legalActions({ gameId, seat, show: { text: true } });
    const chosen = choose(actions, random);
    onAction?.(decision, chosen);
    const { table } = await client.games.applyAction({ gameId, seat, action: chosen.action, expectedVersion: version });
    game = table!.game!;
    yield game;
  }
}
