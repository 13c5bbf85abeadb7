// The legal actions of a seat, fetched page by page and only as far as they are looked for.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, inside, text, texts } from "./calls.js";
import type { Asked, Game } from "./game.js";
import { opened } from "./joined.js";

/** As many actions are fetched at once. */
const FETCHED = 500;

/** No more actions than this are kept: a list of every way to pay may have hundreds of thousands. */
const MOST = 10_000;

/** One legal action. */
export interface Entry {
  /** The name of its field in the ruleset's `Action`. */
  kind: string;
  /** The action in words. */
  words: string;
  /** The components that it touches. */
  components: string[];
  /** The action of the ruleset. */
  action: ReflectMessage;
}

/** Actions that were found. */
export interface Found {
  entries: Entry[];
  /** Whether more entries follow, or may follow. */
  more: boolean;
}

export class Listing {
  readonly #entries: Entry[] = [];
  #next: string;
  /** The page that is on its way: whoever needs more waits for it. */
  #coming: Promise<void> | undefined;

  private constructor(
    private readonly game: Game,
    readonly asked: Asked,
    /** The first call, with what the server says of the whole list. */
    readonly first: Call,
  ) {
    this.#next = this.#add(first);
  }

  /** Asks for the first actions. */
  static async begin(game: Game, asked: Asked): Promise<Listing> {
    return new Listing(game, asked, await game.legal(asked, FETCHED, ""));
  }

  /** The number of actions that are known, and whether the server has more. */
  get size(): { known: number; more: boolean; full: boolean } {
    return { known: this.#entries.length, more: this.#next !== "", full: this.#entries.length >= MOST };
  }

  /** Actions that contain these words, from one place on; fetches what is needed, within bounds. */
  async find(sought: string, from: number, count: number): Promise<Found> {
    const needed = from + count + 1;
    let found = this.#matching(sought);
    while (found.length < needed && this.#next !== "" && !this.size.full) {
      await this.#fetch();
      found = this.#matching(sought);
    }
    return { entries: found.slice(from, from + count), more: found.length > from + count };
  }

  #matching(sought: string): Entry[] {
    const wanted = sought.toLowerCase().split(/\s+/);
    return this.#entries.filter(({ words }) => wanted.every((word) => words.toLowerCase().includes(word)));
  }

  async #fetch(): Promise<void> {
    const fetch = async () => {
      try {
        this.#next = this.#add(await this.game.legal(this.asked, FETCHED, this.#next));
      } finally {
        this.#coming = undefined;
      }
    };
    this.#coming ??= fetch();
    await this.#coming;
  }

  /** Keeps what a call has listed; the token of the page after it. */
  #add({ answer }: Call): string {
    for (const legal of each(answer, "actions")) {
      const action = opened(inside(legal, "action"))!;
      this.#entries.push({ kind: text(legal, "kind"), words: text(legal, "text"), components: texts(legal, "components"), action });
    }
    return text(answer, "next_page_token");
  }
}
