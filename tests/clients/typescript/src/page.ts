// A page that plays Kingsburg over gRPC-Web: index.html?server=http://HOST:PORT. Only the transport
// differs from the client on Node.

import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { KingsburgService } from "../gen/gamekeeper/kingsburg/v1/kingsburg_service_pb.js";
import { type GameInfo, GameStatus, ViewerKind } from "../gen/gamekeeper/v1/game_pb.js";
import { again } from "./again.js";
import { reasonOf } from "./errors.js";
import { play } from "./play.js";
import { watch } from "./watch.js";

const baseUrl = new URLSearchParams(location.search).get("server") ?? "http://127.0.0.1:50051";
const service = createClient(KingsburgService, createGrpcWebTransport({ baseUrl }));

const place = (id: string) => document.getElementById(id)!;
const tell = (text: string) => (place("status").textContent = text);

/** Shows every version in the log, until the game is over. */
async function follow(gameId: string): Promise<void> {
  const viewer = { kind: ViewerKind.SPECTATOR };
  for await (const { game, logged } of watch(service, { gameId, viewer, afterVersion: 1n })) {
    const line = document.createElement("li");
    line.value = Number(logged!.version);
    line.textContent = logged!.events.map(({ text }) => text).join(" ");
    place("log").append(line);
    if (game!.status === GameStatus.FINISHED) {
      return;
    }
  }
}

/** An action that nobody may take now is refused, and the page says why. */
async function beRefused({ gameId, pending }: GameInfo): Promise<void> {
  try {
    const { seat } = pending[0]!;
    await service.applyAction({ gameId, seat, action: { kind: { case: "passBuild", value: {} } } });
  } catch (error) {
    const info = reasonOf(error);
    place("refusal").textContent = `Refused: ${info?.reason}, rule ${info?.metadata.rule}`;
  }
}

async function playGame(): Promise<void> {
  const request = { players: [{ name: "Ada" }, { name: "Bob" }], requestId: crypto.randomUUID() };
  const { game } = await again(() => service.createGame(request));
  const { gameId, players } = game!;
  await beRefused(game!);
  const followed = follow(gameId);
  for await (const { version, standings } of play(service, game!)) {
    tell(`Version ${version}.`);
    if (standings[0] !== undefined) {
      await followed;
      tell(`${players[standings[0].seat - 1]?.name} wins at version ${version}.`);
    }
  }
}

place("play").addEventListener("click", () => {
  playGame().catch((error: unknown) => tell(String(error)));
});
