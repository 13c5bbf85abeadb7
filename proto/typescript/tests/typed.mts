// A program of a user. It is only compiled: the types are what is tested.

import { act, Client, RefusedError } from "@gamekeeper/client";
import { Card, type View } from "@gamekeeper/client/dominion";

const client = new Client("http://127.0.0.1:50051", { token: async () => "secret" });
const { table } = await client.games.getGame({ gameId: "a", show: { view: true } });
const view: View | undefined = table?.view?.ruleset.case === "dominion" ? table.view.ruleset.value : undefined;
const buy = act("dominion", { case: "buyCard", value: { card: Card.GOLD } });
await client.games.applyAction({ gameId: "a", seat: 1, action: buy, expectedVersion: table?.game?.version ?? 0n });
const influence = act("kingsburg", { case: "influence", value: { advisor: 18 } });
// @ts-expect-error: there is no such action in Kingsburg
act("kingsburg", { case: "buyCard", value: { card: Card.GOLD } });
// @ts-expect-error: there is no such ruleset
act("chess", { case: "move", value: {} });
try {
  await client.games.applyAction({ gameId: "a", seat: 2, action: influence });
} catch (error) {
  if (error instanceof RefusedError && error.detail.case === "dominion" && error.detail.value.refusal.case === "cannotAfford") {
    const { cost, coins }: { cost: number; coins: number } = error.detail.value.refusal.value;
    console.log(view?.turnNumber, cost - coins, error.rule);
  }
}
for await (const { table, entry } of client.watch({ gameId: "a", show: { events: true } })) {
  console.log(table.game?.version, entry?.events.length);
}
