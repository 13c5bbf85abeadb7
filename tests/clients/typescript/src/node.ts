// Usage: node build/src/node.js http://HOST:PORT. Plays a game of Kingsburg and prints what happens.

import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { KingsburgService } from "../gen/gamekeeper/kingsburg/v1/kingsburg_service_pb.js";
import { GamesService } from "../gen/gamekeeper/v1/games_service_pb.js";
import { reasonOf } from "./errors.js";
import { play, say } from "./play.js";

const baseUrl = process.argv[2] ?? "http://127.0.0.1:50051";
const transport = createGrpcTransport({ baseUrl });
const games = createClient(GamesService, transport);
const service = createClient(KingsburgService, transport);

const { rulesets } = await games.listRulesets({});
console.log(rulesets.map(({ title }) => title).join(", "));
const { catalogue } = await service.getCatalogue({});
const created = await service.createGame({
  players: [{ name: "Ada" }, { name: "Bob" }],
  requestId: crypto.randomUUID(),
});
let game = created.game!;

// The rules refuse with a reason; nothing has changed then.
try {
  const { seat } = game.pending[0]!;
  await service.applyAction({ gameId: game.gameId, seat, action: { kind: { case: "passBuild", value: {} } } });
} catch (error) {
  const info = reasonOf(error);
  console.log(`refused: ${info?.reason}, rule ${info?.metadata.rule}`);
}

const listener = {
  onAction: (seat: number, action: Parameters<typeof say>[0]) =>
    console.log(`${game.players[seat - 1]?.name} ${say(action, catalogue!)}`),
};
for await (game of play(service, game, listener));
for (const { seat, rank, score } of game.standings) {
  console.log(`${rank}. ${game.players[seat - 1]?.name}, ${score} points`);
}
