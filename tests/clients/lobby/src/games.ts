// The games of people: whose turn it is, tokens to play and to watch, and news as they come.

import { type Client, type GameInfo, GameStatus } from "@gamekeeper/client";

import { LobbyError } from "./journal.js";
import { LABEL } from "./tables.js";

/** A game, as a list shows it to a person. */
export interface Shown {
  game: string;
  ruleset: string;
  players: string[];
  isOver: boolean;
  /** The seats of the reader that must act, and until when, if there is a clock. */
  myTurns: { seat: number; decision: string; due: string | null }[];
}

export class Games {
  constructor(
    private readonly client: Client,
    private readonly lobby: string,
  ) {}

  /** What anybody may watch. */
  async all(): Promise<Shown[]> {
    return this.#list({ status: GameStatus.ACTIVE, labels: { [LABEL]: this.lobby } }, "");
  }

  async of(user: string, onlyMyTurn: boolean): Promise<Shown[]> {
    return this.#list(onlyMyTurn ? { awaitingUser: user } : { user }, user);
  }

  async #list(filter: object, user: string): Promise<Shown[]> {
    const { games } = await this.client.games.listGames({ filter, pageSize: 100 });
    return games.map((game) => shown(game, user));
  }

  /** A token for the person's seat, or for a spectator. With it, clients call Gamekeeper themselves. */
  async token(gameId: string, user: string): Promise<{ seat: number | null; token: string }> {
    const { table } = await this.client.games.getGame({ gameId });
    const { labels, players } = table?.game ?? {};
    if (labels?.[LABEL] !== this.lobby) {
      throw new LobbyError(404, "There is no such game.");
    }
    const seat = players?.find((player) => player.user === user)?.seat;
    const kind =
      seat === undefined
        ? { case: "spectator" as const, value: { gameId } }
        : { case: "seat" as const, value: { gameId, seat } };
    const { token } = await this.client.access.issueToken({ holder: { holder: kind } });
    return { seat: seat ?? null, token };
  }

  /** Every change of a person's games from now on. Survives whatever happens to the connection, and ends with `signal`. */
  async *news(user: string, signal: AbortSignal): AsyncGenerator<Shown> {
    for await (const { case: kind, value } of this.client.feed({ user }, { signal })) {
      if (kind === "change" && value.table?.game !== undefined) {
        yield shown(value.table.game, user);
      }
    }
  }
}

function shown({ gameId, ruleset, players, status, pending }: GameInfo, user: string): Shown {
  const own = new Set(players.filter((player) => player.user === user && user !== "").map(({ seat }) => seat));
  const turns = pending.filter(({ seat }) => own.has(seat));
  return {
    game: gameId,
    ruleset,
    players: players.map(({ name }) => name),
    isOver: status === GameStatus.FINISHED,
    myTurns: turns.map(({ seat, decision, due }) => {
      return { seat, decision, due: due === undefined ? null : new Date(Number(due.seconds) * 1_000).toISOString() };
    }),
  };
}
