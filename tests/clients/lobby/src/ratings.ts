// How strong people are: Elo, from the feed of what happens in all games. Each game counts once, whatever crashes when.

import { type GameInfo, GamekeeperError, GameStatus } from "@gamekeeper/client";

import { DurableMap } from "./durable.js";
import { gamekeeper, LABELS } from "./games.js";

/** Everybody begins here; one opponent costs at most a step. */
const [START, STEP] = [1500, 24];
/** However long Gamekeeper is away, the feed goes on. */
const patient = gamekeeper.with({ patience: Infinity });
/** The interval at which the cursor of the feed is stored, in milliseconds: far below the age at which a cursor expires. */
const NOTE = 3_600_000;

/** By game: what it changed for whom, an account or `bot:medium`. */
const rated = new DurableMap<Record<string, number>>("rated");
/** The cursor up to which the feed was read. */
const cursors = new DurableMap<string>("cursors");
const ratings = new Map<string, { rating: number; games: number }>();
rated.forEach(apply);

/** The best first. */
export function ranking(): { who: string; rating: number; games: number }[] {
  const all = [...ratings].map(([who, rating]) => ({ who, ...rating }));
  return all.sort((one, other) => other.rating - one.rating);
}

/** Rates every game that ends while the lobby runs, and those that ended while it did not. */
export async function followGames(): Promise<never> {
  for (;;) {
    try {
      await readFeed(cursors.get("ratings") ?? "");
    } catch (error) {
      if (!(error instanceof GamekeeperError && error.reason === "CURSOR_EXPIRED")) {
        throw error;
      }
      cursors.set("ratings", "");
    }
  }
}

/** From a cursor, or from now if it is empty; then lists tell what ended before. */
async function readFeed(begin: string): Promise<void> {
  let noted = begin === "" ? 0 : Date.now();
  const feed = patient.tenantFeed({ filter: { labels: LABELS }, cursor: begin });
  for await (const { update, cursor } of feed) {
    const game = update.case === "change" ? update.value.table?.game : undefined;
    const ended = noted === 0 ? await allEnded() : game?.status === GameStatus.FINISHED ? [game] : [];
    ended.forEach(rate);
    // What comes again after a crash is known already.
    if (ended.length > 0 || Date.now() - noted > NOTE) {
      cursors.set("ratings", cursor);
      noted = Date.now();
    }
  }
}

/** All games that are over, the first one first. */
async function allEnded(): Promise<GameInfo[]> {
  const all = [];
  let pageToken = "";
  do {
    const page = await patient.games.listGames({ filter: { status: GameStatus.FINISHED, labels: LABELS }, pageToken });
    all.push(...page.games);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return all.reverse();
}

/** Each pair of players has played a game of two. Games without a result change nothing. */
function rate({ gameId, players, standings }: GameInfo): void {
  if (rated.has(gameId)) {
    return;
  }
  const who = new Map(players.map(({ seat, user, bot }) => [seat, bot ? `bot:${bot.policy}` : user]));
  const places = standings.map(({ seat, rank }) => ({ who: who.get(seat) ?? "", rank }));
  const changes: Record<string, number> = {};
  for (const one of places) {
    changes[one.who] ??= 0;
    for (const other of places.filter((place) => place.who !== one.who)) {
      const expected = 1 / (1 + 10 ** ((ratingOf(other.who) - ratingOf(one.who)) / 400));
      const result = one.rank < other.rank ? 1 : one.rank > other.rank ? 0 : 0.5;
      changes[one.who]! += (STEP * (result - expected)) / (places.length - 1);
    }
  }
  rated.set(gameId, changes);
  apply(changes);
}

function ratingOf(who: string): number {
  return ratings.get(who)?.rating ?? START;
}

function apply(changes: Record<string, number>): void {
  for (const [who, change] of Object.entries(changes)) {
    ratings.set(who, { rating: ratingOf(who) + change, games: (ratings.get(who)?.games ?? 0) + 1 });
  }
}
