// Usage: node build/node.js http://HOST:PORT [RULESET]. Plays a game and prints what happens.

import { Client, RefusedError } from "@gamekeeper/client";

import { play, questionsOf } from "./play.js";

const [, , address = "http://127.0.0.1:50051", ruleset = "kingsburg"] = process.argv;
const client = new Client(address);

const known = await client.rulesets.listRulesets({});
console.log(known.rulesets.map(({ title }) => title).join(", "));
const { catalogue } = await client.rulesets.getCatalogue({ ruleset });
const questions = questionsOf(catalogue!);
const created = await client.games.createGame({ ruleset, players: [{ name: "Ada" }, { name: "Bob" }] });
const game = created.table!.game!;
const nameOf = (seat: number) => game.players[seat - 1]?.name;

// What one seat may do, another may not: the rules refuse with a reason.
try {
  const { seat } = game.pending[0]!;
  const { actions } = await client.legalActions({ gameId: game.gameId, seat });
  await client.games.applyAction({ gameId: game.gameId, seat: 3 - seat, action: actions[0]!.action, validateOnly: true });
} catch (error) {
  if (!(error instanceof RefusedError)) throw error;
  const first = error.detail.case === "notYourTurn" ? `: first ${nameOf(error.detail.value.toAct)}` : "";
  console.log(`refused: ${error.reason}, rule ${error.rule}${first}`);
}

let last = game;
for await (last of play(client, game, ({ seat, decision }, { text }) => {
  console.log(`${nameOf(seat)} (${questions.get(decision) ?? decision}): ${text}`);
}));
for (const { seat, rank, score } of last.standings) {
  console.log(`${rank}. ${nameOf(seat)}, ${score} points`);
}
client.close();
