// The panel where a game is created or opened.

import type { DescService, JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { each, inside, methodOf, number, text } from "./calls.js";
import { quoted } from "./code.js";
import type { Desk } from "./desk.js";
import { fill, h, place, submit } from "./dom.js";
import type { MessageForm } from "./form.js";
import { Game } from "./game.js";

export class Creation {
  #rulesets: ReflectMessage[] = [];
  #options: MessageForm | undefined;

  constructor(
    private readonly desk: Desk,
    private readonly play: (game: Game) => void,
  ) {
    submit("key-form", () => this.begin());
    submit("create-form", () => this.#create());
    submit("open-form", () => this.#open(place<HTMLInputElement>("game-id").value.trim()));
    place("ruleset").addEventListener("change", () => this.#choose());
  }

  /** Asks which rulesets there are. */
  async begin(): Promise<void> {
    this.desk.service.token = place<HTMLInputElement>("key").value.trim();
    await this.desk.attempt(async () => {
      if (this.desk.service.token !== "") {
        // Rulesets are told to everybody. Does the key hold?
        await this.desk.service.call(this.desk.games, "ListGames", { pageSize: 1 });
      }
      const { answer } = await this.desk.service.call(this.desk.games, "ListRulesets", {});
      this.#rulesets = each(answer, "rulesets");
      const options = this.#rulesets.map((ruleset) => h("option", { value: text(ruleset, "id") }, text(ruleset, "title")));
      fill(place("ruleset"), ...options);
      place("create-panel").hidden = false;
      this.#choose();
    });
  }

  /** What a ruleset is called. */
  title(id: string): string {
    return text(this.#ruleset(id), "title");
  }

  #ruleset(id: string): ReflectMessage {
    return this.#rulesets.find((ruleset) => text(ruleset, "id") === id)!;
  }

  #service(id: string): DescService {
    return this.desk.contract.service(text(this.#ruleset(id), "service"));
  }

  #choose(): void {
    const id = place<HTMLSelectElement>("ruleset").value;
    const options = methodOf(this.#service(id), "CreateGame").input.field.options!;
    this.#options = this.desk.forms.message(options.message!);
    fill(place("options"), this.#options.element);
    const [fewest, most] = [number(this.#ruleset(id), "min_seats"), number(this.#ruleset(id), "max_seats")];
    place("players-hint").textContent = `${fewest} to ${most} names, in seat order, with commas between them.`;
  }

  async #create(): Promise<void> {
    await this.desk.attempt(async () => {
      const id = place<HTMLSelectElement>("ruleset").value;
      const names = place<HTMLInputElement>("players").value.split(",");
      const players = names.map((name) => name.trim()).filter((name) => name !== "");
      const options = this.#options!.read();
      const json: JsonObject = { players: players.map((name) => ({ name })), requestId: crypto.randomUUID() };
      if (Object.keys(options).length > 0) {
        json.options = options;
      }
      const desc = this.#service(id);
      const method = methodOf(desc, "CreateGame");
      const told = Object.keys(options).length > 0 ? ` --options ${quoted(JSON.stringify(options))}` : "";
      const command = `create ${id} ${players.map(quoted).join(" ")}${told}`;
      this.desk.snippets.show("create", { method, request: this.desk.service.request(method, json), command });
      const { answer } = await this.desk.service.call(desc, "CreateGame", json);
      this.play(new Game(this.desk.service, desc, id, inside(answer, "game")));
    });
  }

  async #open(gameId: string): Promise<void> {
    await this.desk.attempt(async () => {
      const { answer } = await this.desk.service.call(this.desk.games, "GetGameInfo", { gameId });
      const info = inside(answer, "game");
      const id = text(info, "ruleset");
      this.play(new Game(this.desk.service, this.#service(id), id, info));
    });
  }
}
