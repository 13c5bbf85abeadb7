// Which of the legal actions to play. This is the only place that opens actions: each ruleset has its own type in
// the oneof, and the compiler knows them all.

import type { LegalAction } from "@gamekeeper/client";
import { type Action as DominionAction, Card } from "@gamekeeper/client/dominion";
import type { Action as KingsburgAction } from "@gamekeeper/client/kingsburg";

/** Gives numbers from 0 inclusive to 1 exclusive. */
export type Random = () => number;

/** Picks a kind among the actions with the highest value, then any of that kind: that ends games sooner than any action. */
export function choose(actions: LegalAction[], random: Random = Math.random): LegalAction {
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!;
  const values = actions.map(valueOf);
  const highest = Math.max(...values);
  const best = actions.filter((_, index) => values[index] === highest);
  const chosen = pick([...new Set(best.map(({ kind }) => kind))]);
  return pick(best.filter(({ kind }) => kind === chosen));
}

/** Returns the estimated value of an action. All actions of an unknown ruleset are equal. */
function valueOf({ action }: LegalAction): number {
  const ruleset = action?.ruleset;
  switch (ruleset?.case) {
    case "dominion":
      return inDominion(ruleset.value);
    case "kingsburg":
      return inKingsburg(ruleset.value);
    default:
      return 0;
  }
}

/** Builds where possible, otherwise influences the highest advisor that the dice reach. */
function inKingsburg({ kind }: KingsburgAction): number {
  switch (kind.case) {
    case "build":
      return 100;
    case "influence":
      return kind.value.advisor;
    default:
      return 0;
  }
}

/** The value of buying each card; others are not bought. */
const CARDS = new Map([
  [Card.PROVINCE, 30],
  [Card.GOLD, 20],
  [Card.SILVER, 10],
]);

/** Buys treasures and Provinces. */
function inDominion({ kind }: DominionAction): number {
  switch (kind.case) {
    case "playAllTreasures":
      return 100;
    case "buyCard":
      return CARDS.get(kind.value.card) ?? -1;
    default:
      return 0;
  }
}
