// A page that plays a game over gRPC-Web: index.html?server=http://HOST:PORT&ruleset=dominion. The client is the one
// that Node has.

import { Client, type GameInfo, RefusedError, ViewerKind } from "@gamekeeper/client";

import { play } from "./play.js";

const parameters = new URLSearchParams(location.search);
const client = new Client(parameters.get("server") ?? "http://127.0.0.1:50051");
const ruleset = parameters.get("ruleset") ?? "kingsburg";

const place = (id: string) => document.getElementById(id)!;
const tell = (text: string) => (place("status").textContent = text);

/** Shows every version in the log, until the game is over. */
async function follow(gameId: string): Promise<void> {
  const viewer = { kind: ViewerKind.SPECTATOR };
  const show = { events: true, text: true };
  for await (const { entry } of client.watch({ gameId, viewer, afterVersion: 1n, show })) {
    const line = document.createElement("li");
    line.value = Number(entry?.version);
    line.textContent = entry?.events.map(({ text }) => text).join(" ") ?? "";
    place("log").append(line);
  }
}

/** Sends one seat's action for another seat: it is refused, and the page says why. */
async function beRefused({ gameId, pending }: GameInfo): Promise<void> {
  const { seat } = pending[0]!;
  const { actions } = await client.legalActions({ gameId, seat });
  try {
    await client.games.applyAction({ gameId, seat: 3 - seat, action: actions[0]!.action, validateOnly: true });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    place("refusal").textContent = `Refused: ${error.reason}, rule ${error.rule}`;
  }
}

async function playGame(): Promise<void> {
  const { table } = await client.games.createGame({ ruleset, players: [{ name: "Ada" }, { name: "Bob" }] });
  const game = table!.game!;
  await beRefused(game);
  const followed = follow(game.gameId);
  for await (const { version, standings } of play(client, game)) {
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
