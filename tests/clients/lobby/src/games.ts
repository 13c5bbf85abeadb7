// Gamekeeper, at GAMEKEEPER with the key GAMEKEEPER_KEY: tokens with which pages call it, and what can be watched.

import { Client, GameStatus, timestampFromMs } from "@gamekeeper/client";

import { need } from "./refusal.js";

/** The lifetime of a token, in milliseconds. */
const LIFETIME = 3_600_000;

/** The labels of the games of this lobby. */
export const LABELS = { lobby: "main" };

export const gamekeeper = new Client(process.env["GAMEKEEPER"] ?? "http://127.0.0.1:50051", { token: process.env["GAMEKEEPER_KEY"] });

const person = (user: string) => ({ holder: { case: "user" as const, value: { user } } });
const spectator = (gameId: string) => ({ holder: { case: "spectator" as const, value: { gameId } } });

async function issue(holder: ReturnType<typeof person | typeof spectator>): Promise<string> {
  const expireTime = timestampFromMs(gamekeeper.now() + LIFETIME);
  return (await gamekeeper.access.issueToken({ holder, expireTime })).token;
}

/** A token for all games of a person, those to come too. */
export const userToken = (user: string) => issue(person(user));

/** Ends all tokens that a person has. */
export const revoke = (user: string) => gamekeeper.access.revokeTokens({ holder: person(user) });

/** A token that shows what everybody may see of a game. */
export async function spectatorToken(gameId: string): Promise<string> {
  const { table } = await gamekeeper.games.getGame({ gameId });
  need(table?.game?.labels["lobby"] === LABELS.lobby, 404, "There is no such game.");
  return issue(spectator(gameId));
}

/** The games that are being played: the 100 that changed last. */
export async function watchable(): Promise<{ game: string; ruleset: string; players: string[] }[]> {
  const { games } = await gamekeeper.games.listGames({ filter: { status: GameStatus.ACTIVE, labels: LABELS }, pageSize: 100 });
  return games.map(({ gameId, ruleset, players }) => ({ game: gameId, ruleset, players: players.map(({ name }) => name) }));
}
