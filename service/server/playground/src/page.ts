// The page as a whole: its panels, and the game that they show.

import { Acting } from "./acting.js";
import { fragment, type Table as Address, tableOf, type Viewer } from "./address.js";
import { Beginning } from "./beginning.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { each, inside, text } from "./calls.js";
import type { Contract } from "./contract.js";
import { Creation } from "./creation.js";
import { Desk, type Facts } from "./desk.js";
import { place, submit } from "./dom.js";
import { isDrawerOpen, serveDrawer } from "./drawer.js";
import { Drawing } from "./drawing.js";
import { Editor } from "./editor.js";
import { Events } from "./events.js";
import { Feed } from "./feed.js";
import { Game, seatsOfPeople, seatsOfUser, tokenOf } from "./game.js";
import { Games } from "./games.js";
import { Importing } from "./importing.js";
import { Legal } from "./legal.js";
import { Life } from "./life.js";
import { Seats, tableFor } from "./seats.js";
import { Table } from "./table.js";
import { Users } from "./users.js";

export class Page {
  readonly #desk: Desk;
  readonly #creation: Creation;
  readonly #seats: Seats;
  readonly #table: Table;
  readonly #drawing: Drawing;
  readonly #choices: Choices;
  readonly #board: Board;
  readonly #legal: Legal;
  readonly #life: Life;
  readonly #acting: Acting;
  readonly #editor: Editor;
  readonly #events: Events;
  readonly #games: Games;
  readonly #feed: Feed;
  #game: Game | undefined;
  /** Counts the games that were asked for: what comes too late for an earlier one is not shown. */
  #asked = 0;
  #refreshing: Promise<void> = Promise.resolve();
  /** A refresh that has not begun yet serves everybody who wants one. */
  #waiting: Promise<void> | undefined;

  constructor(contract: Contract, facts: Facts) {
    const refresh = () => void this.#refresh();
    this.#desk = new Desk(contract, facts);
    serveDrawer(refresh);
    const beginning = new Beginning(this.#desk);
    this.#creation = new Creation(this.#desk, beginning, (game) => this.#play(game, undefined));
    new Importing(this.#desk, (game) => this.#play(game, undefined));
    this.#seats = new Seats(facts.tokens, refresh);
    this.#table = new Table(this.#desk, beginning, refresh);
    this.#board = new Board(this.#desk, refresh);
    this.#acting = new Acting(this.#desk, () => this.#refresh());
    this.#editor = new Editor(this.#desk, this.#acting);
    const play = (seat: number, action: Parameters<Editor["edit"]>[0], words: string) => this.#acting.apply({ seat, action, words });
    this.#drawing = new Drawing(refresh);
    this.#choices = new Choices(this.#desk, this.#drawing, play, refresh);
    this.#legal = new Legal(this.#desk, { play, edit: (action) => this.#editor.edit(action) }, refresh);
    this.#events = new Events(this.#desk, (components) => this.#drawing.point(components));
    this.#life = new Life(this.#desk, refresh, (game) => this.#play(game, undefined), (position) => this.#creation.from(position));
    const open = (id: string) => void this.#open(id);
    this.#games = new Games(this.#desk, open);
    this.#feed = new Feed(this.#desk, open);
    new Users(this.#desk, (token) => this.#use(token));
    submit("key-form", () => this.begin());
    submit("open-form", () => this.#open(place<HTMLInputElement>("game-id").value.trim()));
    addEventListener("hashchange", () => void this.#arrive());
    place("server").textContent = `${facts.url}, version ${facts.version}`;
    place("key-panel").hidden = !facts.tokens;
    place("share").addEventListener("click", () => {
      place<HTMLDetailsElement>("links-panel").open = true;
      place("links-panel").scrollIntoView({ block: "nearest" });
      place("links-panel").querySelector("input")?.focus();
    });
  }

  /** Goes on with another key. */
  async #use(key: string): Promise<void> {
    place<HTMLInputElement>("key").value = key;
    await this.begin();
    place("games-panel").querySelector("summary")?.focus();
  }

  /** Asks the server what it keeps, and opens the game that the address names. */
  async begin(): Promise<void> {
    const key = place<HTMLInputElement>("key").value.trim();
    if (key !== this.#desk.service.key) {
      this.#feed.stop();
      this.#desk.service.key = key;
    }
    const table = tableOf(location.hash);
    const token = tokenOf(table ?? { seats: new Map(), spectator: "" }, 0, this.#desk.service.key);
    if (this.#desk.facts.tokens && token === "") {
      place("key").focus();
      return;
    }
    const asked = this.#asked;
    const begun = await this.#desk.attempt(async () => {
      await this.#tryKey();
      const rulesets = await this.#creation.begin();
      await this.#games.begin(rulesets);
      // Users create no games.
      place("create-panel").hidden = this.#games.isUser;
      this.#feed.begin(rulesets);
    });
    if (begun && asked === this.#asked) {
      await this.#arrive();
    }
  }

  /** A wrong key is reported at once, even where the first calls need none. */
  async #tryKey(): Promise<void> {
    const { service } = this.#desk;
    if (service.key === "") {
      return;
    }
    try {
      await service.call(service.games, "ListGames", { pageSize: 1 });
    } catch (error) {
      // Not every key may list games.
      if (service.refusal(error).status === "UNAUTHENTICATED") {
        throw error;
      }
    }
  }

  /** The address has changed: it may name another game. */
  async #arrive(): Promise<void> {
    const table = tableOf(location.hash);
    if (table === undefined) {
      this.#leave();
    } else if (this.#game === undefined || location.hash !== `#${fragment(tableFor(this.#game, this.#seats.viewer))}`) {
      await this.#openTable(table);
    }
  }

  /** Opens a game by its id alone: all seats, with the key of the page. */
  async #open(game: string): Promise<void> {
    await this.#openTable({ ruleset: "", game, seats: undefined, spectator: "", viewer: undefined });
  }

  async #openTable(table: Omit<Address, "seats"> & { seats: Address["seats"] | undefined }): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    await this.#desk.attempt(async () => {
      const { service, rulesets } = this.#desk;
      const token = tokenOf({ seats: table.seats ?? new Map(), spectator: table.spectator }, 0, service.key);
      const { answer } = await service.call(service.games, "GetGame", { gameId: table.game }, token);
      const info = inside(inside(answer, "table"), "game");
      await rulesets.learn(text(info, "ruleset"));
      if (asked !== this.#asked) {
        return;
      }
      const players = each(info, "players").length;
      const seats = table.seats ?? (this.#games.isUser ? seatsOfUser(info) : seatsOfPeople(info));
      const game = new Game(service, info, { seats: known(seats, players), spectator: table.spectator });
      this.#play(game, table.viewer);
    });
  }

  /** Shows a game, and follows it. */
  #play(game: Game, viewer: Viewer | undefined): void {
    this.#asked += 1;
    this.#game?.close();
    this.#game = game;
    if (tableOf(location.hash)?.game !== game.id) {
      history.pushState(null, "", `#${fragment(tableFor(game, viewer))}`);
    }
    delete place("game").dataset.version;
    place("game").hidden = false;
    place<HTMLDetailsElement>("create-panel").open = false;
    place<HTMLInputElement>("game-id").value = game.id;
    this.#seats.begin(game, viewer);
    this.#choices.begin();
    this.#drawing.begin();
    this.#legal.begin(game);
    this.#acting.begin(game);
    this.#editor.begin(game);
    this.#events.begin();
    this.#life.begin(game);
    game.follow(() => void this.#refresh());
    void this.#refresh();
    place("game-title").focus();
  }

  /** Back to the page without a game. */
  #leave(): void {
    this.#asked += 1;
    this.#game?.close();
    this.#game = undefined;
    place("game").hidden = true;
    place<HTMLDetailsElement>("create-panel").open = true;
    place("create-panel").hidden = this.#games.isUser;
    document.title = "Gamekeeper playground";
  }

  /** Shows the game as it is now. One after the other: an older answer never hides a newer one. */
  #refresh(): Promise<void> {
    const refresh = async () => {
      this.#waiting = undefined;
      const game = this.#game;
      if (game === undefined) {
        return;
      }
      const version = game.version;
      this.#table.showFacts(game);
      this.#acting.showFacts(game);
      this.#seats.show(game);
      const { viewer } = this.#seats;
      this.#editor.show(game, viewer);
      this.#life.show(game, viewer);
      const developer = isDrawerOpen();
      const panels = [this.#drawing, this.#choices, this.#events, ...(developer ? [this.#board, this.#legal] : [])];
      await this.#desk.attempt(() => Promise.all([...panels.map((panel) => panel.show(game, viewer)), developer && this.#table.showViews(game)]));
      this.#drawing.happened(this.#events.touched());
      Object.assign(place("game").dataset, { version, viewer, developer });
    };
    this.#waiting ??= this.#refreshing = this.#refreshing.then(refresh, refresh);
    return this.#waiting;
  }
}

/** The seats that the table has. */
function known(seats: Map<number, string>, players: number): Map<number, string> {
  return new Map([...seats].filter(([seat]) => seat <= players));
}
