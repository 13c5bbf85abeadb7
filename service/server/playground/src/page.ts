// The page as a whole: its panels, and the game that they show.

import { Acting } from "./acting.js";
import type { Contract } from "./contract.js";
import { Creation } from "./creation.js";
import { Desk, type Facts } from "./desk.js";
import { fill, h, place } from "./dom.js";
import { Events } from "./events.js";
import type { Game } from "./game.js";
import { Legal } from "./legal.js";
import { Table } from "./table.js";

export class Page {
  readonly #desk: Desk;
  readonly #creation: Creation;
  readonly #table: Table;
  readonly #legal: Legal;
  readonly #acting: Acting;
  readonly #events: Events;
  #game: Game | undefined;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(contract: Contract, facts: Facts) {
    this.#desk = new Desk(contract, facts);
    this.#creation = new Creation(this.#desk, (game) => this.#play(game));
    this.#table = new Table(this.#desk);
    this.#acting = new Acting(this.#desk, () => this.#refresh());
    this.#legal = new Legal(this.#desk, (seat, action) => this.#acting.apply(seat, action, false));
    this.#events = new Events(this.#desk);
    place("seat").addEventListener("change", () => this.#desk.attempt(() => this.#legal.list(this.#game!)));
    place("events-viewer").addEventListener("change", () => this.#refresh());
    place("server").textContent = `${facts.url}, version ${facts.version}`;
    place("key-panel").hidden = !facts.tokens;
  }

  /** Asks the server what it keeps. */
  begin(): Promise<void> {
    return this.#creation.begin();
  }

  /** Shows a game, and follows it. */
  #play(game: Game): void {
    this.#game?.close();
    this.#game = game;
    place("game").hidden = false;
    place<HTMLInputElement>("game-id").value = game.id;
    const seats = game.seats.map((seat) => h("option", { value: seat }, game.named(seat)));
    fill(place("seat"), ...seats.map((seat) => seat.cloneNode(true)));
    fill(place("compose-seat"), ...seats.map((seat) => seat.cloneNode(true)));
    fill(place("events-viewer"), h("option", { value: 0 }, "a spectator"), ...seats);
    this.#acting.begin(game);
    this.#events.begin();
    void game.follow(() => void this.#refresh());
    void this.#refresh();
    place("game-title").focus();
  }

  /** Shows the game as it is now. One after the other: an older answer never hides a newer one. */
  #refresh(): Promise<void> {
    const refresh = async () => {
      const game = this.#game;
      if (game !== undefined) {
        this.#table.showFacts(game, this.#creation.title(game.ruleset));
        this.#acting.showFacts(game);
        const shown = () => Promise.all([this.#table.showViews(game), this.#legal.show(game), this.#events.show(game)]);
        await this.#desk.attempt(shown);
        place("game").dataset.version = String(game.version);
      }
    };
    this.#refreshing = this.#refreshing.then(refresh, refresh);
    return this.#refreshing;
  }
}
