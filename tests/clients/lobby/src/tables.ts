// Where people meet: tables that wait for players, and the games that they become.

import { randomUUID } from "node:crypto";

import { fromJson, GameStatus, type JsonValue, OptionsSchema, TableOptionsSchema, TimeoutAction, TimeoutClaim, toJson } from "@gamekeeper/client";

import { nameOf } from "./accounts.js";
import { DurableMap } from "./durable.js";
import { gamekeeper, LABELS, optionsOf, ownGame } from "./games.js";
import { need } from "./refusal.js";

/** The maximum number of waiting tables of one account. */
const MAX_WAITING = 3;

interface Options {
  ruleset: string;
  seats: number;
  /** For each decision; 0: no clock. */
  seconds: number;
  /** Of the game, under the name of the ruleset, such as `{"goofspiel": {"cards": 5}}`. */
  options?: JsonValue | undefined;
  /** The level of bots in empty seats: `easy`, `medium` or `strong`. */
  level?: string;
}

/** A rematch, as far as it takes over from the game before it. */
interface Rematch {
  /** The accounts that want it. */
  agreed: string[];
  seating: { name: string; user?: string; bot?: { policy: string } }[];
  labels: Record<string, string>;
  table: JsonValue;
}

interface Table extends Options {
  /** Accounts, those that have waited longest first. */
  players: string[];
  /** The players are fixed. */
  isClosed: boolean;
  game?: string;
  rematch?: Rematch;
}

const tables = new DurableMap<Table>("tables");

/** Tables that wait for players. */
export function waiting(): (Options & { id: string; players: string[] })[] {
  const open = [...tables].filter(([, { players, isClosed, rematch }]) => !isClosed && !rematch && players.length > 0);
  return open.map(([id, { ruleset, seats, seconds, options, level, players }]) => {
    return { id, ruleset, seats, seconds, ...(options && { options }), ...(level && { level }), players: players.map(nameOf) };
  });
}

/** A new table. Gamekeeper says whether there can be such a game. */
export async function open(host: string, options: Options): Promise<string> {
  const [id, table] = [randomUUID(), { ...options, players: [host], isClosed: false }];
  await gamekeeper.games.createGame({ ...request(id, table), validateOnly: true });
  const own = [...tables.values()].filter(({ players, isClosed, rematch }) => players[0] === host && !isClosed && !rematch);
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

/**
 * Another game of the same people and bots, with names, options and labels as before, and each one seat further. It begins when
 * all of them want it; gives its id then, and otherwise the names of those who have not answered. The id of its table follows from the
 * game, so it is one game, however many ask at once.
 */
export async function rematch(of: string, account: string): Promise<{ game: string | null; waits: string[] }> {
  const id = `again-${of}`;
  const proposed = tables.get(id) ?? (await propose(of));
  need(proposed.players.includes(account), 403, "Only those who played this game can play it again.");
  // Another call may have come first while this one waited.
  const table = tables.get(id) ?? proposed;
  const agreed = [...new Set([...table.rematch!.agreed, account])];
  const waits = table.players.filter((player) => !agreed.includes(player)).map(nameOf);
  if (!table.isClosed) {
    tables.set(id, { ...table, rematch: { ...table.rematch!, agreed }, isClosed: waits.length === 0 });
  }
  return { game: waits.length === 0 ? await begin(id) : null, waits };
}

/** The table of a rematch, which nobody has agreed to yet. */
async function propose(of: string): Promise<Table> {
  const { ruleset, players, labels, table, status } = await ownGame(of);
  need(status === GameStatus.FINISHED, 409, "This game is not over.");
  const seating = players.map(({ name, user, bot }) => ({ name, ...(user && { user }), ...(bot && { bot: { policy: bot.policy } }) }));
  const people = players.map(({ user }) => user).filter((user) => user !== "");
  return {
    ruleset,
    seats: seating.length,
    seconds: table?.clock?.decisionSeconds ?? 0,
    options: await optionsOf(of),
    players: [...new Set(people)],
    isClosed: false,
    rematch: { agreed: [], seating: [...seating.slice(1), ...seating.slice(0, 1)], labels, table: table ? toJson(TableOptionsSchema, table) : {} },
  };
}

/** The accounts that play a game of this lobby. */
export function playersOf(game: string): string[] {
  const table = [...tables.values()].find((one) => one.game === game);
  need(table, 404, "There is no such game.");
  return table.players;
}

/** Begins what was closed, and whose game this lobby had not heard of when it stopped. */
export async function resume(): Promise<void> {
  const closed = [...tables].filter(([, { isClosed, game }]) => isClosed && game === undefined);
  await Promise.all(closed.map(([id]) => begin(id)));
}

function find(id: string): Table {
  const table = tables.get(id);
  need(table && !table.rematch && table.players.length > 0, 404, "There is no such table.");
  return table;
}

/** The id of the table is the id of the request: however often it is sent, it is one game. */
async function begin(id: string): Promise<string> {
  const table = tables.get(id)!;
  if (table.game !== undefined) {
    return table.game;
  }
  const { table: made } = await gamekeeper.games.createGame(request(id, table));
  const game = made!.game!.gameId;
  tables.set(id, { ...table, game });
  return game;
}

function request(id: string, { ruleset, seats, seconds, options, level, players, rematch }: Table) {
  const people = players.map((user) => ({ user, name: nameOf(user) }));
  // No ruleset has nine seats: Gamekeeper refuses what is too many.
  const empty = Math.max(0, Math.min(seats, 9) - players.length);
  const bots = Array.from({ length: empty }, (_, at) => ({ name: `Bot ${at + 1}`, bot: { policy: level ?? "medium" } }));
  const clock = { decisionSeconds: seconds, onTimeout: TimeoutAction.FALLBACK, claim: TimeoutClaim.AUTOMATIC };
  const table = rematch ? fromJson(TableOptionsSchema, rematch.table) : seconds > 0 ? { clock } : {};
  return {
    ruleset,
    players: rematch?.seating ?? [...people, ...bots],
    table,
    labels: { ...LABELS, ...rematch?.labels, table: id },
    requestId: id,
    ...(options && { options: optionsFrom(options) }),
  };
}

function optionsFrom(json: JsonValue) {
  try {
    return fromJson(OptionsSchema, json);
  } catch (error) {
    need(false, 400, `These are no options: ${error instanceof Error ? error.message : error}`);
  }
}
