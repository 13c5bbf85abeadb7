// The panel where a game is created.

import type { DescService, JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { each, inside, methodOf, number, text } from "./calls.js";
import { quoted } from "./code.js";
import type { Desk } from "./desk.js";
import { fill, freshId, h, place, submit } from "./dom.js";
import type { MessageForm } from "./form.js";
import { Game } from "./game.js";
import { optionsOf } from "./options.js";

/** Names to begin with, in seat order. */
const NAMES = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Finn"];

export class Creation {
  #rulesets: ReflectMessage[] = [];
  #options: MessageForm | undefined;
  /** Clocks and take-backs. */
  #table: MessageForm | undefined;

  constructor(
    private readonly desk: Desk,
    private readonly play: (game: Game) => void,
  ) {
    submit("create-form", () => this.#create());
    place("ruleset").addEventListener("change", () => this.#choose());
    place("player-count").addEventListener("change", () => this.#nameSeats());
  }

  /** Asks which rulesets there are. */
  async begin(): Promise<void> {
    const { answer } = await this.desk.service.call(this.desk.games, "ListRulesets", {}, this.desk.token);
    this.#rulesets = each(answer, "rulesets");
    const options = this.#rulesets.map((ruleset) => h("option", { value: text(ruleset, "id") }, text(ruleset, "title")));
    fill(place("ruleset"), ...options);
    place("create-panel").hidden = false;
    this.#choose();
  }

  /** What a ruleset is called. */
  title(id: string): string {
    return text(this.#ruleset(id), "title");
  }

  /** The service that plays a ruleset. */
  service(id: string): DescService {
    return this.desk.contract.service(text(this.#ruleset(id), "service"));
  }

  #ruleset(id: string): ReflectMessage {
    const ruleset = this.#rulesets.find((ruleset) => text(ruleset, "id") === id);
    if (ruleset === undefined) {
      throw new Error(`this server does not know the ruleset ${id}`);
    }
    return ruleset;
  }

  #choose(): void {
    const ruleset = this.#ruleset(place<HTMLSelectElement>("ruleset").value);
    const [fewest, most] = [number(ruleset, "min_seats"), number(ruleset, "max_seats")];
    const counts = Array.from({ length: most - fewest + 1 }, (_, index) => fewest + index);
    fill(place("player-count"), ...counts.map((count) => h("option", {}, String(count))));
    this.#nameSeats();
  }

  /** One name for each seat, where names that are there stay, and the options for this many players. */
  #nameSeats(): void {
    const before = this.#names();
    const count = Number(place<HTMLSelectElement>("player-count").value);
    this.#offer(count);
    const rows = Array.from({ length: count }, (_, index) => {
      const id = freshId();
      const value = before[index] ?? NAMES[index] ?? `Player ${index + 1}`;
      const input = h("input", { id, value, maxlength: 64, required: true, autocomplete: "off" });
      return h("div", { class: "with" }, h("label", { for: id }, `Seat ${index + 1}`), input);
    });
    fill(place("names"), ...rows);
  }

  #offer(players: number): void {
    const ruleset = this.#ruleset(place<HTMLSelectElement>("ruleset").value);
    const options = methodOf(this.service(text(ruleset, "id")), "CreateGame").input.field.options!;
    this.#options = this.desk.forms.message(options.message!, optionsOf(ruleset, players));
    fill(place("options"), this.#options.element);
    const table = methodOf(this.service(text(ruleset, "id")), "CreateGame").input.field.table!;
    this.#table ??= this.desk.forms.message(table.message!);
    fill(place("table-options"), this.#table.element);
  }

  #names(): string[] {
    return [...place("names").querySelectorAll("input")].map(({ value }) => value.trim());
  }

  async #create(): Promise<void> {
    await this.desk.attempt(async () => {
      const id = place<HTMLSelectElement>("ruleset").value;
      const players = this.#names();
      const options = this.#options!.read();
      const json: JsonObject = { players: players.map((name) => ({ name })), requestId: crypto.randomUUID() };
      if (Object.keys(options).length > 0) {
        json.options = options;
      }
      const table = this.#table!.read();
      if (Object.keys(table).length > 0) {
        json.table = table;
      }
      const desc = this.service(id);
      const method = methodOf(desc, "CreateGame");
      const told = Object.keys(options).length > 0 ? ` --options ${quoted(JSON.stringify(options))}` : "";
      const command = `create ${id} ${players.map(quoted).join(" ")}${told}`;
      this.desk.snippets.show("create", { method, request: this.desk.service.request(method, json), command });
      const { answer } = await this.desk.service.call(desc, "CreateGame", json);
      const seats = new Map(each(answer, "seat_tokens").map((token) => [number(token, "seat"), text(token, "token")]));
      const tokens = { seats, spectator: text(answer, "spectator_token") };
      this.play(new Game(this.desk.service, desc, id, inside(answer, "game"), tokens));
    });
  }
}
