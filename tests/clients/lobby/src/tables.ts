// Where people meet: tables that wait for players, and the games that they become.

import { randomUUID } from "node:crypto";

import { type Client, GamekeeperError, TimeoutAction, TimeoutClaim } from "@gamekeeper/client";

import type { Accounts } from "./accounts.js";
import { type Entry, type Journal, LobbyError } from "./journal.js";

/** How many tables an account may have waiting. */
const MAX_WAITING = 3;
/** How the server plays the seats that stay empty. */
export const BOT = "greedy";
/** What marks the games of this lobby, and their tables. */
export const LABEL = "lobby";
const TABLE = "table";

interface Table {
  id: string;
  ruleset: string;
  seats: number;
  /** For each decision; 0: no clock. */
  seconds: number;
  players: string[];
  isClosed: boolean;
  game?: string;
}

export class Tables {
  readonly #tables = new Map<string, Table>();

  constructor(
    private readonly journal: Journal<Entry>,
    private readonly client: Client,
    private readonly accounts: Accounts,
    private readonly lobby: string,
  ) {
    journal.each((entry) => this.#note(entry));
  }

  #note(entry: Entry): void {
    if (entry.kind === "table") {
      const { id, ruleset, seats, seconds, host } = entry;
      this.#tables.set(id, { id, ruleset, seats, seconds, players: [host], isClosed: false });
      return;
    }
    const table = "table" in entry ? this.#tables.get(entry.table) : undefined;
    if (table === undefined) {
      return;
    }
    if (entry.kind === "joined") {
      table.players.push(entry.account);
    } else if (entry.kind === "left") {
      table.players = table.players.filter((account) => account !== entry.account);
    } else if (entry.kind === "closed") {
      table.isClosed = true;
    } else if (entry.kind === "started") {
      table.game = entry.game;
    }
    if (table.players.length === 0) {
      this.#tables.delete(table.id);
    }
  }

  /** Tables that wait for players. */
  waiting(): { id: string; ruleset: string; seats: number; seconds: number; players: string[] }[] {
    const waiting = [...this.#tables.values()].filter(({ isClosed }) => !isClosed);
    return waiting.map(({ id, ruleset, seats, seconds, players }) => {
      return { id, ruleset, seats, seconds, players: players.map((account) => this.accounts.nameOf(account)) };
    });
  }

  /** A new table. Gamekeeper says whether there can be such a game. */
  async open(host: string, ruleset: string, seats: number, seconds: number): Promise<string> {
    const table: Table = { id: randomUUID(), ruleset, seats, seconds, players: [host], isClosed: true };
    await this.client.games.createGame({ ...this.#request(table), validateOnly: true }).catch((error: unknown) => {
      throw error instanceof GamekeeperError && error.fields.length > 0 ? new LobbyError(400, error.message) : error;
    });
    const own = this.waiting().filter(({ players }) => players[0] === this.accounts.nameOf(host));
    if (own.length >= MAX_WAITING) {
      throw new LobbyError(409, `You have ${MAX_WAITING} tables that wait for players.`);
    }
    this.journal.append({ kind: "table", id: table.id, ruleset, seats, seconds, host });
    return table.id;
  }

  /** Takes a seat; the last one starts the game. Gives its id then. Joining again changes nothing. */
  async join(id: string, account: string): Promise<string | undefined> {
    const table = this.#table(id);
    if (!table.players.includes(account)) {
      if (table.isClosed) {
        throw new LobbyError(409, "This table has no seat left.");
      }
      this.journal.append({ kind: "joined", table: id, account });
    }
    return table.players.length === table.seats || table.isClosed ? this.#start(table) : undefined;
  }

  leave(id: string, account: string): void {
    const table = this.#table(id);
    if (table.isClosed) {
      throw new LobbyError(409, "The game has begun: resign there.");
    }
    if (table.players.includes(account)) {
      this.journal.append({ kind: "left", table: id, account });
    }
  }

  /** Starts the game with bots in the empty seats. */
  async start(id: string, account: string): Promise<string> {
    const table = this.#table(id);
    if (table.players[0] !== account) {
      throw new LobbyError(403, "Whoever has waited longest starts the game.");
    }
    return this.#start(table);
  }

  /** Starts what was closed, and whose game this lobby had not heard of when it stopped. */
  async resume(): Promise<void> {
    const begun = [...this.#tables.values()].filter(({ isClosed, game }) => isClosed && game === undefined);
    await Promise.all(begun.map((table) => this.#start(table)));
  }

  #table(id: string): Table {
    const table = this.#tables.get(id);
    if (table === undefined) {
      throw new LobbyError(404, "There is no such table.");
    }
    return table;
  }

  /** From `closed` on the players are fixed. The id of the table is the id of the request: however often it is sent, it
   * is one game. */
  async #start(table: Table): Promise<string> {
    if (!table.isClosed) {
      this.journal.append({ kind: "closed", table: table.id });
    }
    if (table.game === undefined) {
      const { table: made } = await this.client.games.createGame(this.#request(table));
      const game = made?.game?.gameId ?? "";
      if (table.game === undefined) {
        this.journal.append({ kind: "started", table: table.id, game });
      }
    }
    return table.game ?? "";
  }

  #request({ id, ruleset, seats, seconds, players }: Table) {
    const people = players.map((user) => ({ user, name: this.accounts.nameOf(user) }));
    const bots = Array.from({ length: Math.max(0, Math.min(seats, 9) - players.length) }, (_, at) => ({
      name: `Bot ${at + 1}`,
      bot: { policy: BOT },
    }));
    const clock = { decisionSeconds: seconds, onTimeout: TimeoutAction.FALLBACK, claim: TimeoutClaim.AUTOMATIC };
    return {
      ruleset,
      players: [...people, ...bots],
      ...(seconds > 0 ? { table: { clock } } : {}),
      labels: { [LABEL]: this.lobby, [TABLE]: id },
      requestId: id,
    };
  }
}
