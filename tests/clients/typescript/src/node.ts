// Usage: node build/src/node.js http://HOST:PORT [RULESET]. Plays a game and prints what happens.

import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { GameService } from "../gen/gamekeeper/v1/game_service_pb.js";
import { RulesetService } from "../gen/gamekeeper/v1/ruleset_service_pb.js";
import { detailOf, reasonOf } from "./errors.js";
import { play, questionsOf } from "./play.js";

const [, , baseUrl = "http://127.0.0.1:50051", ruleset = "kingsburg"] = process.argv;
const transport = createGrpcTransport({ baseUrl });
const games = createClient(GameService, transport);
const rulesets = createClient(RulesetService, transport);

const known = await rulesets.listRulesets({});
console.log(known.rulesets.map(({ title }) => title).join(", "));
const { catalogue } = await rulesets.getCatalogue({ ruleset });
const questions = questionsOf(catalogue!);
const created = await games.createGame({
  ruleset,
  players: [{ name: "Ada" }, { name: "Bob" }],
  requestId: crypto.randomUUID(),
});
let game = created.table!.game!;
const nameOf = (seat: number) => game.players[seat - 1]?.name;

// What one seat may do, another may not: the rules refuse with a reason.
try {
  const { seat } = game.pending[0]!;
  const { actions } = await games.listLegalActions({ gameId: game.gameId, seat });
  await games.applyAction({ gameId: game.gameId, seat: 3 - seat, action: actions[0]?.action, validateOnly: true });
} catch (error) {
  const [info, detail] = [reasonOf(error), detailOf(error)];
  const first = detail.case === "notYourTurn" ? `: first ${nameOf(detail.value.toAct)}` : "";
  console.log(`refused: ${info?.reason}, rule ${info?.metadata.rule}${first}`);
}

for await (game of play(games, game, {
  onAction: ({ seat, decision }, { text }) => console.log(`${nameOf(seat)} (${questions.get(decision) ?? decision}): ${text}`),
}));
for (const { seat, rank, score } of game.standings) {
  console.log(`${rank}. ${nameOf(seat)}, ${score} points`);
}
