// What a player can do, for people: in steps where there is much, narrowed by the board, played by one more press.

import type { JsonObject } from "@bufbuild/protobuf";

import type { Viewer } from "./address.js";
import type { Desk } from "./desk.js";
import { fill, freshId, h, place } from "./dom.js";
import type { Drawing } from "./drawing.js";
import { asJson, type Game } from "./game.js";
import { isExhaustive } from "./legal.js";
import { type Entry, Listing } from "./listing.js";
import { ruleNote } from "./refusal.js";
import { fitting, grouped, nextStep, NOTHING, type Picks, type Way } from "./steps.js";

/** No more actions than this are read: what is behind them is found in the list for developers. */
const READ = 2_000;

/** As many actions are shown before somebody asks for more. */
const SHOWN = 40;

/** Plays an action. */
type Play = (seat: number, action: JsonObject, words: string) => Promise<void>;

export class Choices {
  #game: Game | undefined;
  #viewer: Viewer = 0;
  #version = 0;
  #entries: Entry[] = [];
  #picks: Picks = NOTHING;
  #shown = SHOWN;
  #lists = 0;

  /** `relist` is called when another list is wanted. */
  constructor(
    private readonly desk: Desk,
    private readonly drawing: Drawing,
    private readonly play: Play,
    relist: () => void,
  ) {
    drawing.serve({ pick: (component, byKeyboard) => this.#pick(component, byKeyboard), clear: () => this.#go(NOTHING) });
    place("every-payment").addEventListener("change", relist);
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#back());
    document.addEventListener("click", ({ target }) => this.#clickedAt(target as Element));
  }

  /** Another game. */
  begin(): void {
    this.#picks = NOTHING;
    this.#version = 0;
    place<HTMLInputElement>("every-payment").checked = false;
  }

  /** The actions of the seat that looks. */
  async show(game: Game, viewer: Viewer): Promise<void> {
    const list = ++this.#lists;
    const focused = place("choices-panel").contains(document.activeElement);
    const listing = game.owes(viewer) ? await this.#list(game, viewer) : undefined;
    const entries = (await listing?.find("", 0, READ))?.entries ?? [];
    if (list !== this.#lists) {
      return;
    }
    if (game.version !== this.#version || viewer !== this.#viewer) {
      [this.#picks, this.#version] = [NOTHING, game.version];
    }
    [this.#game, this.#viewer, this.#entries] = [game, viewer, entries];
    place("every-payment-choice").hidden = listing === undefined || (!listing.asked.all && isExhaustive(listing));
    this.#go(fitting(entries, this.#picks).length === 0 ? NOTHING : this.#picks);
    if (focused) {
      this.#focus();
    }
  }

  #list(game: Game, seat: Viewer): Promise<Listing> {
    return Listing.begin(game, { seat, kinds: [], all: place<HTMLInputElement>("every-payment").checked });
  }

  /** A component was picked on the board: it narrows the choice, or begins another one. */
  #pick(component: string, byKeyboard: boolean): void {
    const { components } = this.#picks;
    if (components.includes(component)) {
      this.#go({ ...this.#picks, components: components.filter((one) => one !== component) });
      return;
    }
    const narrower = { ...this.#picks, components: [...components, component] };
    this.#go(fitting(this.#entries, narrower).length > 0 ? narrower : { kind: undefined, components: [component] });
    if (byKeyboard) {
      this.#focus();
    }
  }

  /** Escape gives up what was picked, and leads back to the board. */
  #back(): void {
    const last = this.#picks.components.at(-1);
    const inside = place("choices-panel").contains(document.activeElement);
    this.#go(NOTHING);
    if (inside && last !== undefined) {
      this.drawing.focus(last);
    }
  }

  /** A press elsewhere gives up what was picked. What has left the page since was part of a list. */
  #clickedAt(target: Element): void {
    if (target.isConnected && target.closest("#choices-panel, #drawing") === null) {
      this.#go(NOTHING);
    }
  }

  /** Shows what is left when this was picked. */
  #go(picks: Picks): void {
    const changed = picks !== this.#picks;
    this.#picks = picks;
    this.#shown = changed ? SHOWN : this.#shown;
    const left = fitting(this.#entries, picks);
    const touched = grouped(picks.components.length === 0 ? left : this.#entries, ({ components }) => components);
    this.drawing.offer(new Map([...touched].map(([component, entries]) => [component, entries.length])));
    this.drawing.picked(picks.components);
    this.drawing.point([]);
    place("choices-panel").classList.toggle("picked", picks.components.length > 0);
    place("choices-count").textContent = this.#told(left.length);
    fill(place("trail"), ...this.#trail());
    fill(place("choices"), ...this.#parts(left));
  }

  #told(left: number): string {
    const game = this.#game;
    if (game === undefined || game.over) {
      return game === undefined ? "" : "The game is over.";
    }
    if (!game.owes(this.#viewer)) {
      const waiting = `Waiting for ${game.pending.map(({ seat }) => game.player(seat)).join(" and ")}.`;
      return this.#viewer === 0 ? `You are watching. ${waiting}` : waiting;
    }
    const touching = this.#picks.components.map((component) => this.#title(component)).join(" and ");
    if (touching === "") {
      return left === 1 ? "One action is left." : `${left} actions. Choose here or on the board.`;
    }
    return left === 1 ? `One action with ${touching}: press it to play it.` : `${left} actions with ${touching}.`;
  }

  /** Returns the picks, each with a way back. */
  #trail(): HTMLElement[] {
    const { kind, components } = this.#picks;
    const chip = (words: string, picks: Picks) =>
      h("button", { type: "button", class: "chip", "aria-label": `Without ${words}`, click: () => this.#step(picks) }, `${words} ✕`);
    const chips = components.map((one) => chip(this.#title(one), { kind, components: components.filter((other) => other !== one) }));
    return kind === undefined ? chips : [chip(this.#kindTitle(kind), { kind: undefined, components }), ...chips];
  }

  #step(picks: Picks): void {
    this.#go(picks);
    this.#focus();
  }

  #focus(): void {
    const first = place("choices").querySelector<HTMLElement>("button.action, button.way");
    (first ?? place("choices-title")).focus();
  }

  #parts(left: Entry[]): HTMLElement[] {
    const { ways, entries } = nextStep(left, this.#picks);
    const shown = entries.slice(0, this.#shown);
    const offered = left.length === 1 && this.#picks.components.length > 0;
    const groups = grouped(shown, ({ kind }) => [kind]);
    const parts = [...groups].map(([kind, group]) =>
      h("section", {}, ...this.#heading(kind), h("ul", {}, ...group.map((entry) => h("li", {}, this.#action(entry, offered))))),
    );
    if (ways.length > 0) {
      parts.unshift(h("ul", { class: "ways" }, ...ways.map((way) => h("li", {}, this.#way(way, left)))));
    }
    if (shown.length < entries.length) {
      const more = () => {
        this.#shown = entries.length;
        this.#go(this.#picks);
      };
      parts.push(h("button", { type: "button", click: more }, `Show all ${entries.length}`));
    }
    return parts;
  }

  #way({ picks, kind, component, count }: Way, left: Entry[]): HTMLElement {
    const words = component === undefined ? this.#kindTitle(kind) : this.#title(component);
    const touched = component === undefined ? left.filter((entry) => entry.kind === kind).flatMap(({ components }) => components) : [component];
    return h(
      "button",
      { type: "button", class: "way", click: () => this.#step(picks), ...this.#pointing(touched) },
      h("span", {}, words),
      h("span", { class: "count" }, `${count} ways ›`),
    );
  }

  #action(entry: Entry, offered: boolean): HTMLElement {
    const play = () => void this.play(this.#viewer, asJson(entry.action), entry.words);
    const kind = offered ? "action offered" : "action";
    const words = this.#game!.said(entry.words);
    return h("button", { type: "button", class: kind, click: play, ...this.#pointing(entry.components) }, words);
  }

  /** Returns listeners that mark the components of a button on the board while it has focus or pointer. */
  #pointing(components: string[]): Record<string, () => void> {
    const [point, leave] = [() => this.drawing.point(components), () => this.drawing.point([])];
    return { mouseenter: point, focus: point, mouseleave: leave, blur: leave };
  }

  /** The title of a kind, and what it means on request. */
  #heading(kind: string): HTMLElement[] {
    const title = h("h4", {}, this.#kindTitle(kind));
    const { text, rules } = this.desk.rulesets.help(this.#game!.ruleset, kind);
    if (text === "") {
      return [title];
    }
    const id = freshId();
    const note = h("div", { id, class: "hint", hidden: true }, h("p", {}, text), ...rules.map((rule) => ruleNote(this.desk, rule)));
    const toggle = () => {
      note.hidden = !note.hidden;
      button.setAttribute("aria-expanded", String(!note.hidden));
    };
    const name = `What is: ${this.#kindTitle(kind)}`;
    const button = h("button", { type: "button", class: "ask", "aria-expanded": "false", "aria-controls": id, "aria-label": name, click: toggle }, "?");
    return [h("div", { class: "kind" }, title, button), note];
  }

  #kindTitle(kind: string): string {
    return this.desk.rulesets.action(this.#game!.ruleset, kind);
  }

  #title(component: string): string {
    return this.drawing.title(component) ?? this.desk.rulesets.component(this.#game!.ruleset, component);
  }
}
