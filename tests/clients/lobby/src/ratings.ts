// How strong people are: Elo, from the games that are over. Each game counts once, whatever crashes when.

import { type Client, type GameInfo, GameStatus } from "@gamekeeper/client";

import type { Entry, Journal } from "./journal.js";
import { BOT, LABEL } from "./tables.js";

/** Everybody begins here. */
const START = 1500;
/** The most that one opponent can cost. */
const STEP = 24;

export interface Rating {
  /** An account, or `bot:greedy`. */
  who: string;
  rating: number;
  games: number;
}

export class Ratings {
  readonly #rated = new Set<string>();
  readonly #ratings = new Map<string, Rating>();
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly journal: Journal<Entry>,
    private readonly client: Client,
    private readonly lobby: string,
  ) {
    journal.each((entry) => {
      if (entry.kind === "rated") {
        this.#rated.add(entry.game);
        Object.entries(entry.changes).forEach(([who, change]) => this.#change(who, change));
      }
    });
  }

  /** The best first, with every game that is over. */
  async all(): Promise<Rating[]> {
    // One after the other: two that look at the same time would both find the same game.
    const work = this.#last.then(() => this.#catchUp());
    this.#last = work.catch(() => {});
    await work;
    return [...this.#ratings.values()].sort((one, other) => other.rating - one.rating);
  }

  /** Rates what has ended since, oldest first. Lists begin with the newest, so a page of known games ends the search. */
  async #catchUp(): Promise<void> {
    const ended: GameInfo[] = [];
    const filter = { status: GameStatus.FINISHED, labels: { [LABEL]: this.lobby } };
    let pageToken = "";
    do {
      const page = await this.client.games.listGames({ filter, pageToken });
      const fresh = page.games.filter(({ gameId }) => !this.#rated.has(gameId));
      ended.push(...fresh);
      pageToken = page.games.length > 0 && fresh.length === 0 ? "" : page.nextPageToken;
    } while (pageToken !== "");
    for (const game of ended.reverse()) {
      this.journal.append({ kind: "rated", game: game.gameId, changes: this.#changes(game) });
    }
  }

  /** Each pair of players has played a game of two. Games without a result change nothing. */
  #changes({ players, standings }: GameInfo): Record<string, number> {
    const who = new Map(players.map(({ seat, user, bot }) => [seat, bot === undefined ? user : `bot:${BOT}`]));
    const places = standings.map(({ seat, rank }) => ({ who: who.get(seat) ?? "", rank }));
    const changes: Record<string, number> = Object.fromEntries(places.map((place) => [place.who, 0]));
    for (const one of places) {
      for (const other of places.filter((place) => place.who !== one.who)) {
        const expected = 1 / (1 + 10 ** ((this.#rating(other.who) - this.#rating(one.who)) / 400));
        const result = one.rank < other.rank ? 1 : one.rank > other.rank ? 0 : 0.5;
        changes[one.who] = (changes[one.who] ?? 0) + (STEP * (result - expected)) / (places.length - 1);
      }
    }
    return changes;
  }

  #rating(who: string): number {
    return this.#ratings.get(who)?.rating ?? START;
  }

  #change(who: string, change: number): void {
    const { rating, games } = this.#ratings.get(who) ?? { rating: START, games: 0 };
    this.#ratings.set(who, { who, rating: rating + change, games: games + 1 });
  }
}
