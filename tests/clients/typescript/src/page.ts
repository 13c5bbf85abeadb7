// A page that plays a game over gRPC-Web: index.html?server=http://HOST:PORT&ruleset=dominion. Only the transport
// differs from the client on Node.

import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { type GameInfo, GameStatus, ViewerKind } from "../gen/gamekeeper/v1/game_pb.js";
import { GameService } from "../gen/gamekeeper/v1/game_service_pb.js";
import { again } from "./again.js";
import { reasonOf } from "./errors.js";
import { play } from "./play.js";
import { watch } from "./watch.js";

const parameters = new URLSearchParams(location.search);
const baseUrl = parameters.get("server") ?? "http://127.0.0.1:50051";
const ruleset = parameters.get("ruleset") ?? "kingsburg";
const games = createClient(GameService, createGrpcWebTransport({ baseUrl }));

const place = (id: string) => document.getElementById(id)!;
const tell = (text: string) => (place("status").textContent = text);

/** Shows every version in the log, until the game is over. */
async function follow(gameId: string): Promise<void> {
  const viewer = { kind: ViewerKind.SPECTATOR };
  for await (const { table, entry } of watch(games, { gameId, viewer, afterVersion: 1n })) {
    const line = document.createElement("li");
    line.value = Number(entry.version);
    line.textContent = entry.events.map(({ text }) => text).join(" ");
    place("log").append(line);
    if (table.game?.status === GameStatus.FINISHED) {
      return;
    }
  }
}

/** What one seat may do is refused to the other, and the page says why. */
async function beRefused({ gameId, pending }: GameInfo): Promise<void> {
  const { seat } = pending[0]!;
  const { actions } = await games.listLegalActions({ gameId, seat });
  try {
    await games.applyAction({ gameId, seat: 3 - seat, action: actions[0]?.action, validateOnly: true });
  } catch (error) {
    const info = reasonOf(error);
    place("refusal").textContent = `Refused: ${info?.reason}, rule ${info?.metadata.rule}`;
  }
}

async function playGame(): Promise<void> {
  const request = { ruleset, players: [{ name: "Ada" }, { name: "Bob" }], requestId: crypto.randomUUID() };
  const { table } = await again(() => games.createGame(request));
  const game = table!.game!;
  await beRefused(game);
  const followed = follow(game.gameId);
  for await (const { version, standings } of play(games, game)) {
    tell(`Version ${version}.`);
    if (standings[0] !== undefined) {
      await followed;
      tell(`${game.players[standings[0].seat - 1]?.name} wins at version ${version}.`);
    }
  }
}

place("play").addEventListener("click", () => {
  playGame().catch((error: unknown) => tell(String(error)));
});
