// What happens at a table beside the rules: players leave, clocks run out, actions are taken back, and games
// are forked, or begun from their tables.

import type { JsonObject } from "@bufbuild/protobuf";

import type { Viewer } from "./address.js";
import { type Call, each, has, inside, number, numbers, text } from "./calls.js";
import { duration, until } from "./clock.js";
import type { Desk } from "./desk.js";
import { fill, h, place, submit } from "./dom.js";
import { asJson, Game, tokensOf } from "./game.js";
import { type Position, positionOf } from "./position.js";

/** The interval at which the clocks are drawn, in milliseconds. */
const TICK = 1_000;

export class Life {
  #game: Game | undefined;
  #viewer: Viewer = 0;
  /** The seat that was asked whether it really leaves; 0: none. */
  #leaving: Viewer = 0;
  /** Whether the key of the page sees everything, also while the game is played. */
  #isOperator = false;

  /** `changed` is called when something has happened, `play` with a fork, `describe` with a table on which a game shall begin. */
  constructor(
    private readonly desk: Desk,
    private readonly changed: () => void,
    private readonly play: (game: Game) => void,
    private readonly describe: (position: Position) => void,
  ) {
    submit("fork-form", () => this.#fork());
    place("begin-here").addEventListener("click", () => void this.#beginHere());
    place("undo").addEventListener("click", () => void this.#call("TakeBack", { seat: this.#viewer }));
    setInterval(() => this.#tick(), TICK);
  }

  /** Another game, or the same one with other tokens: then the panel stays as it is. */
  begin(game: Game): void {
    if (this.#game?.id !== game.id) {
      place<HTMLDetailsElement>("life-panel").open = false;
    }
    this.#game = game;
    this.#leaving = 0;
    place<HTMLInputElement>("fork-at").value = "";
    void this.#askWhetherOperator(game);
  }

  /** Shows the table, and what the viewer may do there. */
  show(game: Game, viewer: Viewer): void {
    if (viewer !== this.#viewer) {
      this.#leaving = 0;
    }
    [this.#game, this.#viewer] = [game, viewer];
    const gone = numbers(game.info, "resigned").map((seat) => game.player(seat));
    const origin = has(game.info, "forked_from") ? inside(game.info, "forked_from") : undefined;
    fill(
      place("life"),
      ...gone.map((name) => h("li", {}, `${name} has left the game.`)),
      proposed(game),
      origin && h("li", { class: "machine" }, `Forked from game ${text(origin, "game_id")} at version ${number(origin, "version")}.`),
    );
    fill(place("life-buttons"), ...this.#buttons(game, viewer));
    place("undo").hidden = !game.canUndo(viewer);
    const newest = game.over ? game.version - 1 : game.version;
    const at = place<HTMLInputElement>("fork-at");
    at.max = String(newest);
    at.placeholder = String(newest);
    // The owner may fork at any time, players when the game is over.
    place("fork-form").hidden = newest < 1 || (!game.over && this.desk.facts.tokens && this.desk.service.key === "");
    this.#showBeginHere(game);
    this.#tick();
  }

  #buttons(game: Game, viewer: Viewer): HTMLElement[] {
    const plays = viewer !== 0 && !game.over && !numbers(game.info, "resigned").includes(viewer);
    if (!plays) {
      return [];
    }
    const buttons = [this.#resign(viewer)];
    const { takeBack, proposal } = game;
    if (takeBack === "UNSEEN" || takeBack === "UNSEEN_OR_AGREED") {
      buttons.push(this.#button("Take back my last action", "TakeBack", { seat: viewer }));
    } else if (takeBack === "AGREED" && proposal === undefined) {
      buttons.push(this.#button("Ask to take back the last action", "TakeBack", { seat: viewer }));
    }
    if (proposal === undefined) {
      if (game.byAgreement("pause")) {
        const paused = asJson(game.info).paused === true;
        buttons.push(this.#button(paused ? "Resume the clocks" : "Ask for a pause", paused ? "ResumeGame" : "PauseGame", { seat: viewer }));
      }
      if (game.byAgreement("end")) {
        buttons.push(this.#button("Ask to end the game by points", "EndGame", { seat: viewer, scored: true }));
      }
      return buttons;
    }
    const answer = { seat: viewer, number: proposal.number };
    if (proposal.seat === viewer) {
      buttons.push(this.#button("Withdraw the proposal", "AnswerProposal", { ...answer, agrees: false }));
    } else if (!proposal.agreed.includes(viewer)) {
      buttons.push(this.#button("Agree", "AnswerProposal", { ...answer, agrees: true }));
      buttons.push(this.#button("Decline", "AnswerProposal", { ...answer, agrees: false }));
    }
    return buttons;
  }

  /** Leaving is for good: the button asks first. */
  #resign(viewer: Viewer): HTMLElement {
    if (this.#leaving === viewer) {
      return this.#button("Leave for good", "Resign", { seat: viewer });
    }
    const ask = () => {
      this.#leaving = viewer;
      fill(place("life-buttons"), ...this.#buttons(this.#game!, viewer));
      place("life-buttons").querySelector("button")?.focus();
    };
    return h("button", { type: "button", click: ask }, "Resign");
  }

  #button(words: string, method: string, json: JsonObject): HTMLElement {
    return h("button", { type: "button", click: () => void this.#call(method, json) }, words);
  }

  async #call(method: string, json: JsonObject): Promise<void> {
    const game = this.#game!;
    const request = { ...json, gameId: game.id, requestId: crypto.randomUUID() };
    await this.desk.attempt(async () => {
      const { service } = this.desk;
      const { answer } = await service.call(service.games, method, request, game.token(this.#viewer));
      game.learn(inside(answer, "game"));
    });
    this.#leaving = 0;
    this.changed();
  }

  /** Offers to begin a game from the table to those who may see all of it: operators, and all others when the game is over. */
  #showBeginHere(game: Game): void {
    const { facts, service } = this.desk;
    place("begin-here").hidden = facts.tokens && (service.key === "" || !(game.over || this.#isOperator));
  }

  /** Operators alone see everything while a game is played; the page cannot tell from a key whose it is. */
  async #askWhetherOperator(game: Game): Promise<void> {
    const { facts, service } = this.desk;
    this.#isOperator = false;
    if (game.over || !facts.tokens || service.key === "") {
      return;
    }
    const isOperator = await this.#lookAtAll(game, {}).then(
      () => true,
      () => false,
    );
    if (this.#game === game) {
      this.#isOperator = isOperator;
      this.#showBeginHere(game);
    }
  }

  #lookAtAll(game: Game, more: JsonObject): Promise<Call> {
    const { service } = this.desk;
    return service.call(service.games, "GetGame", { gameId: game.id, viewer: { kind: "VIEWER_KIND_OPERATOR" }, ...more });
  }

  /** The form for a new game with the table of a version, everything on it included. */
  async #beginHere(): Promise<void> {
    const game = this.#game!;
    const version = this.#version;
    await this.desk.attempt(async () => {
      const { answer } = await this.#lookAtAll(game, { atVersion: version, show: { view: true } });
      const view = inside(inside(answer, "table"), "view");
      this.describe(positionOf(view, `Version ${version} of the game of ${game.players.join(", ")}`, game.players));
    });
  }

  /** The version that is forked, or from which a game begins: the newest one with a decision unless another is named. */
  get #version(): string {
    const at = place<HTMLInputElement>("fork-at");
    return at.value || at.placeholder;
  }

  async #fork(): Promise<void> {
    const game = this.#game!;
    const request = { gameId: game.id, atVersion: this.#version, requestId: crypto.randomUUID() };
    await this.desk.attempt(async () => {
      const { service } = this.desk;
      const { answer } = await service.call(service.games, "ForkGame", request, service.key || game.token(this.#viewer));
      const fork = inside(answer, "game");
      this.play(new Game(service, fork, tokensOf(answer, fork)));
    });
  }

  /** The time that is left runs on the page; whether somebody is late, the server decides. */
  #tick(): void {
    const game = this.#game;
    if (game === undefined) {
      return;
    }
    const clocks = each(game.info, "clocks");
    place("clocks").hidden = clocks.length === 0;
    if (clocks.length === 0) {
      return;
    }
    const paused = game.info.get(game.info.desc.field.paused!) === true;
    const rows = clocks.map((clock) => {
      const seat = number(clock, "seat");
      const owed = each(game.info, "pending").find((owed) => number(owed, "seat") === seat);
      const left = owed === undefined || paused ? undefined : until(owed, this.desk.service.now());
      const late = left !== undefined && left <= 0;
      const words = `${game.player(seat)}: ${told(left, paused && owed !== undefined, number(clock, "bank_ms"))}`;
      const claim = late && !game.over && (this.#viewer !== 0 || this.desk.service.key !== "" || !this.desk.facts.tokens);
      const button = () => h("button", { type: "button", click: () => void this.#call("ClaimTimeout", { seat }) }, `Claim the time of ${game.player(seat)}`);
      return { words, button: claim ? button : undefined };
    });
    // Buttons stay as they are until there are others: nobody loses the one that they are about to press.
    const shape = [game.id, ...rows.map(({ button }) => button !== undefined)].join();
    if (place("clocks").dataset.shape === shape) {
      rows.forEach(({ words }, at) => (place("clocks").children[at]!.firstElementChild!.textContent = words));
      return;
    }
    place("clocks").dataset.shape = shape;
    fill(place("clocks"), ...rows.map(({ words, button }) => h("li", {}, h("span", {}, words), button?.())));
  }
}

/** Returns the proposal in words, with the players who have agreed. */
function proposed(game: Game): HTMLElement | undefined {
  const { proposal } = game;
  if (proposal === undefined) {
    return undefined;
  }
  const agreed = proposal.agreed.map((seat) => game.player(seat));
  const words = agreed.length === 0 ? "" : ` ${agreed.join(" and ")} agreed.`;
  return h("li", {}, `${game.player(proposal.seat)} asks to ${proposal.wish}.${words}`);
}

function told(left: number | undefined, paused: boolean, bank: number): string {
  if (paused) {
    return `paused, ${duration(bank)} in the bank`;
  }
  if (left === undefined) {
    return `${duration(bank)} in the bank`;
  }
  return left > 0 ? `${duration(left)} left` : "out of time";
}
