// The panel where a game is created.

import type { JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { Beginning } from "./beginning.js";
import { each, flag, inside, methodOf, number, text } from "./calls.js";
import { quoted } from "./code.js";
import type { Desk } from "./desk.js";
import { fill, freshId, h, place, submit } from "./dom.js";
import type { MessageForm } from "./form.js";
import { Game, tokensOf } from "./game.js";
import { joined, typeOf } from "./joined.js";
import { optionsOf, type Told } from "./options.js";
import { type Position, readPosition } from "./position.js";

/** The default policy of take-backs on this page, which is there to try things out. */
const USUAL = "TAKE_BACK_POLICY_UNSEEN";

/** The settings of a table, described for people. */
const TABLE = new Map<string, Told>([
  ["take_back", { hint: "Unseen: a player takes back what nobody has followed and nothing was revealed by. Agreed: when all others agree.", otherwise: USUAL }],
  ["clock", { hint: "A time limit for each decision, and a bank of time for the whole game." }],
  ["clock.decision_seconds", { hint: "Seconds for each decision. They do not count against the bank." }],
  ["clock.bank_seconds", { hint: "The bank: seconds for the whole game beyond those." }],
  ["clock.increment_seconds", { hint: "Seconds that come into the bank with each decision." }],
  ["clock.on_timeout", { hint: "Fallback: one decision is answered for the player. Resign: the player has left the game." }],
  ["clock.claim", { hint: "By call: whoever is at the table claims the time. Automatic: nobody needs to." }],
  ["pause_by_agreement", { hint: "May players stop the clocks when all agree?" }],
  ["end_by_agreement", { hint: "May players end the game when all agree?" }],
]);

/** Names to begin with, in seat order. */
const NAMES = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Finn"];

/** The players of a seat to choose from, by policy: a person, a bot of one of the levels, or one without a plan. */
function playersOf(ruleset: ReflectMessage): [string, string][] {
  const levels = each(ruleset, "policies").filter((policy) => flag(policy, "level"));
  const bots = levels.map((policy): [string, string] => {
    const id = text(policy, "id");
    return [id, `${/^[aeiou]/.test(id) ? "an" : "a"} ${id} bot`];
  });
  return [["", "a person"], ...bots, ["random", "a bot that plays at random"]];
}

export class Creation {
  #options: MessageForm | undefined;
  /** Clocks and take-backs. */
  #table: MessageForm | undefined;

  constructor(
    private readonly desk: Desk,
    private readonly beginning: Beginning,
    private readonly play: (game: Game) => void,
  ) {
    submit("create-form", () => this.#create());
    place("ruleset").addEventListener("change", () => this.#choose(this.#ruleset));
    place("player-count").addEventListener("change", () => this.#nameSeats());
    place("position-file").addEventListener("change", () => void this.#read());
  }

  /** Asks which rulesets there are. */
  async begin(): Promise<ReflectMessage[]> {
    const rulesets = await this.desk.rulesets.begin();
    const options = rulesets.map((ruleset) => h("option", { value: text(ruleset, "id") }, text(ruleset, "title")));
    fill(place("ruleset"), ...options);
    place("create-panel").hidden = false;
    const { position } = this.beginning;
    this.#choose(position === undefined ? this.#ruleset : this.desk.rulesets.one(position.ruleset), position);
    return rulesets;
  }

  /** Prepares a game that begins on a described table. */
  from(position: Position): void {
    this.beginning.describe(position);
    this.#choose(this.desk.rulesets.one(position.ruleset), position);
    place<HTMLDetailsElement>("create-panel").open = true;
    place("start").scrollIntoView({ block: "nearest" });
    place("start").focus();
  }

  /** Takes the table of a file. */
  async #read(): Promise<void> {
    const input = place<HTMLInputElement>("position-file");
    const file = input.files?.[0];
    if (file === undefined) {
      return;
    }
    const isRead = await this.desk.attempt(async () => this.from(await readPosition(this.desk.service, file)));
    if (!isRead) {
      input.value = "";
    }
  }

  /** Shows the form of the chosen ruleset; for a described table, with as many seats as that has. */
  #choose(ruleset: ReflectMessage, position?: Position): void {
    place<HTMLSelectElement>("ruleset").value = text(ruleset, "id");
    const [fewest, most] = [number(ruleset, "min_seats"), number(ruleset, "max_seats")];
    const counts = Array.from({ length: most - fewest + 1 }, (_, index) => fewest + index);
    fill(place("player-count"), ...counts.map((count) => h("option", {}, String(count))));
    if (position !== undefined && counts.includes(position.players)) {
      place<HTMLSelectElement>("player-count").value = String(position.players);
    }
    this.#nameSeats(position?.names);
    this.beginning.offer(ruleset);
  }

  /** One name for each seat, where names that are there stay, and the options for this many players. */
  #nameSeats(names?: string[]): void {
    const [before, bots] = [names ?? this.#names(), this.#bots()];
    const count = Number(place<HTMLSelectElement>("player-count").value);
    this.#offer(count);
    const playedBy = playersOf(this.#ruleset);
    const rows = Array.from({ length: count }, (_, index) => {
      const id = freshId();
      const value = before[index] ?? NAMES[index] ?? `Player ${index + 1}`;
      const input = h("input", { id, value, maxlength: 64, required: true, autocomplete: "off" });
      const played = h("select", { "aria-label": `Who plays seat ${index + 1}` }, ...playedBy.map(([policy, words]) => h("option", { value: policy }, words)));
      played.value = bots[index] ?? "";
      return h("div", { class: "with" }, h("label", { for: id }, `Seat ${index + 1}`), input, played);
    });
    fill(place("names"), ...rows);
  }

  #offer(players: number): void {
    const ruleset = this.#ruleset;
    const { options, table } = methodOf(this.desk.service.games, "CreateGame").input.field;
    this.#options = this.desk.forms.message(typeOf(options!.message!, text(ruleset, "id")), optionsOf(ruleset, players));
    fill(place("options"), this.#options.element);
    this.#table ??= this.desk.forms.message(table!.message!, TABLE);
    fill(place("table-options"), this.#table.element);
  }

  /** The chosen ruleset. */
  get #ruleset(): ReflectMessage {
    return this.desk.rulesets.one(place<HTMLSelectElement>("ruleset").value);
  }

  #names(): string[] {
    return [...place("names").querySelectorAll("input")].map(({ value }) => value.trim());
  }

  /** The policies of bots, in seat order; empty for people. */
  #bots(): string[] {
    return [...place("names").querySelectorAll("select")].map(({ value }) => value);
  }

  async #create(): Promise<void> {
    await this.desk.attempt(async () => {
      const { rulesets, service } = this.desk;
      const method = methodOf(service.games, "CreateGame");
      const ruleset = place<HTMLSelectElement>("ruleset").value;
      const [players, bots] = [this.#names(), this.#bots()];
      const chosen = this.#options!.read();
      const isChosen = Object.keys(chosen).length > 0;
      const options = isChosen ? chosen : (this.beginning.position?.options ?? {});
      const named = players.map((name, at) => playedBy(name, bots[at]!));
      const json: JsonObject = { ruleset, players: named, ...this.beginning.read(), requestId: crypto.randomUUID() };
      if (Object.keys(options).length > 0) {
        json.options = joined(method.input.field.options!.message!, ruleset, options);
      }
      const table = { takeBack: USUAL, ...this.#table!.read() };
      json.table = table;
      const takeBack = table.takeBack.replace("TAKE_BACK_POLICY_", "").toLowerCase().replaceAll("_", "-");
      const told = isChosen ? ` --options ${quoted(JSON.stringify(chosen))}` : "";
      const command = `create ${ruleset} ${players.map(quoted).join(" ")}${botFlags(bots)}${told}${this.beginning.flag()} --take-back ${takeBack}`;
      this.desk.snippets.show("create", { method, request: service.request(method, json), command });
      const { answer } = await service.call(service.games, "CreateGame", json);
      await rulesets.learn(ruleset);
      const game = inside(inside(answer, "table"), "game");
      this.play(new Game(service, game, tokensOf(answer, game)));
    });
  }
}

/** A player as it is sent. */
function playedBy(name: string, policy: string): JsonObject {
  return policy === "" ? { name } : { name, bot: { policy } };
}

function botFlags(bots: string[]): string {
  return bots.map((policy, at) => (policy === "" ? "" : ` --bot ${at + 1}=${policy}`)).join("");
}
