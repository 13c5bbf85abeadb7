// Gamekeeper, at GAMEKEEPER with the key GAMEKEEPER_KEY: tokens with which pages call it, and what can be watched.

import { Client, type GameInfo, GameStatus, type JsonValue, OptionsSchema, timestampFromMs, toJson } from "@gamekeeper/client";

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

/** A game of this lobby, as it is now. */
export async function ownGame(gameId: string): Promise<GameInfo> {
  const game = (await gamekeeper.games.getGame({ gameId })).table?.game;
  need(game?.labels["lobby"] === LABELS.lobby, 404, "There is no such game.");
  return game;
}

/** The options of a game that is over: its record begins with them. */
export async function optionsOf(gameId: string): Promise<JsonValue | undefined> {
  for await (const { part } of gamekeeper.export({ gameId })) {
    if (part.case === "header") {
      return part.value.options && toJson(OptionsSchema, part.value.options);
    }
  }
  return undefined;
}

/** A token that shows what everybody may see of a game of the tenant. */
export const spectatorOf = (gameId: string) => issue(spectator(gameId));

/** A token that shows what everybody may see of a game of this lobby. */
export async function spectatorToken(gameId: string): Promise<string> {
  await ownGame(gameId);
  return spectatorOf(gameId);
}

/** The games that are being played: the 100 that changed last. */
export async function watchable(): Promise<{ game: string; ruleset: string; players: string[] }[]> {
  return (await newest(GameStatus.ACTIVE)).map(({ gameId, ruleset, players }) => ({ game: gameId, ruleset, players: players.map(({ name }) => name) }));
}

interface Result {
  game: string;
  ruleset: string;
  /** Best first; without rank and score where the game ended without a result. */
  players: { name: string; rank?: number; score?: number }[];
}

/** The results of the 100 games that ended last. */
export async function results(): Promise<Result[]> {
  return (await newest(GameStatus.FINISHED)).map(({ gameId, ruleset, players, standings }) => {
    const name = (seat: number) => players.find((player) => player.seat === seat)?.name ?? "";
    const ranked = standings.map(({ seat, rank, score }) => ({ name: name(seat), rank, score }));
    return { game: gameId, ruleset, players: ranked.length > 0 ? ranked : players.map((player) => ({ name: player.name })) };
  });
}

async function newest(status: GameStatus): Promise<GameInfo[]> {
  return (await gamekeeper.games.listGames({ filter: { status, labels: LABELS }, pageSize: 100 })).games;
}
