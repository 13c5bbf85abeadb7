// Where people meet: tables that wait for players, and the games that they become.

import { randomUUID } from "node:crypto";

import { TimeoutAction, TimeoutClaim } from "@gamekeeper/client";

import { nameOf } from "./accounts.js";
import { DurableMap } from "./durable.js";
import { gamekeeper, LABELS } from "./games.js";
import { need } from "./refusal.js";

/** The maximum number of waiting tables of one account. */
const MAX_WAITING = 3;

interface Options {
  ruleset: string;
  seats: number;
  /** For each decision; 0: no clock. */
  seconds: number;
}

interface Table extends Options {
  /** Accounts, those that have waited longest first. */
  players: string[];
  /** The players are fixed. */
  isClosed: boolean;
  game?: string;
}

const tables = new DurableMap<Table>("tables");

/** Tables that wait for players. */
export function waiting(): (Options & { id: string; players: string[] })[] {
  const open = [...tables].filter(([, { players, isClosed }]) => !isClosed && players.length > 0);
  return open.map(([id, { ruleset, seats, seconds, players }]) => ({ id, ruleset, seats, seconds, players: players.map(nameOf) }));
}

/** A new table. Gamekeeper says whether there can be such a game. */
export async function open(host: string, options: Options): Promise<string> {
  const [id, table] = [randomUUID(), { ...options, players: [host], isClosed: false }];
  await gamekeeper.games.createGame({ ...request(id, table), validateOnly: true });
  const own = [...tables.values()].filter(({ players, isClosed }) => players[0] === host && !isClosed);
  need(own.length < MAX_WAITING, 409, `You have ${MAX_WAITING} tables that wait for players.`);
  tables.set(id, table);
  return id;
}

/** Takes a seat; the last one starts the game. Gives its id then. Joining again changes nothing. */
export async function join(id: string, account: string): Promise<string | undefined> {
  const table = find(id);
  if (!table.players.includes(account)) {
    need(!table.isClosed, 409, "This table has no seat left.");
    const players = [...table.players, account];
    tables.set(id, { ...table, players, isClosed: players.length === table.seats });
  }
  return find(id).isClosed ? begin(id) : undefined;
}

export function leave(id: string, account: string): void {
  const table = find(id);
  need(!table.isClosed, 409, "The game has begun: resign there.");
  tables.set(id, { ...table, players: table.players.filter((player) => player !== account) });
}

/** Starts the game with bots in the empty seats. */
export async function start(id: string, account: string): Promise<string> {
  const table = find(id);
  need(table.players[0] === account, 403, "Whoever has waited longest starts the game.");
  tables.set(id, { ...table, isClosed: true });
  return begin(id);
}

/** Begins what was closed, and whose game this lobby had not heard of when it stopped. */
export async function resume(): Promise<void> {
  const closed = [...tables].filter(([, { isClosed, game }]) => isClosed && game === undefined);
  await Promise.all(closed.map(([id]) => begin(id)));
}

function find(id: string): Table {
  const table = tables.get(id);
  need(table && table.players.length > 0, 404, "There is no such table.");
  return table;
}

/** The id of the table is the id of the request: however often it is sent, it is one game. */
async function begin(id: string): Promise<string> {
  const table = find(id);
  if (table.game !== undefined) {
    return table.game;
  }
  const { table: made } = await gamekeeper.games.createGame(request(id, table));
  const game = made!.game!.gameId;
  tables.set(id, { ...table, game });
  return game;
}

function request(id: string, { ruleset, seats, seconds, players }: Table) {
  const people = players.map((user) => ({ user, name: nameOf(user) }));
  // No ruleset has nine seats: Gamekeeper refuses what is too many.
  const empty = Math.max(0, Math.min(seats, 9) - players.length);
  const bots = Array.from({ length: empty }, (_, at) => ({ name: `Bot ${at + 1}`, bot: { policy: "greedy" } }));
  const clock = { decisionSeconds: seconds, onTimeout: TimeoutAction.FALLBACK, claim: TimeoutClaim.AUTOMATIC };
  const table = seconds > 0 ? { clock } : {};
  return { ruleset, players: [...people, ...bots], table, labels: { ...LABELS, table: id }, requestId: id };
}
