// The table on which a game begins: which ones a ruleset has, the choice of one, and what everybody reads of it.

import type { DescEnum, DescEnumValue, JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { methodOf, number, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import type { Game } from "./game.js";
import { enumWord } from "./words.js";

/** The start of a game that begins at its set-up, as requests and games name it. */
const SET_UP = 1;

export class Beginning {
  /** The starts of each ruleset, once the server was asked. */
  readonly #known = new Map<string, DescEnumValue[]>();
  #ruleset = "";
  /** The start that was chosen last: it stays with another ruleset, if that has it. */
  #wanted = "";

  constructor(private readonly desk: Desk) {
    this.#select.addEventListener("change", () => {
      this.#wanted = this.#select.value;
      this.#explain();
    });
  }

  /** Offers the starts that a ruleset has. */
  async offer(ruleset: ReflectMessage): Promise<void> {
    const id = text(ruleset, "id");
    this.#ruleset = id;
    // Until the server has answered, the start that every ruleset has.
    this.#show(this.#known.get(id) ?? [this.#starts.value[SET_UP]!]);
    if (!this.#known.has(id)) {
      this.#known.set(id, await this.#ask(ruleset));
    }
    // Another ruleset may have been chosen meanwhile.
    if (this.#ruleset === id) {
      this.#show(this.#known.get(id)!);
    }
  }

  /** The chosen start, as it is sent; nothing for the set-up. */
  read(): JsonObject {
    return this.#select.value === this.#starts.value[SET_UP]!.name ? {} : { start: this.#select.value };
  }

  /** Returns the flag of the command that chooses the same. */
  flag(): string {
    const { name, localName } = this.#chosen;
    return this.read().start === name ? ` --start ${localName.toLowerCase().replaceAll("_", "-")}` : "";
  }

  /** The table on which a game began, and how much of it another service has kept, in words for everybody. */
  told(game: Game): string[] {
    const start = number(game.info, "start");
    const versions = number(game.info, "imported_versions");
    const began = start > SET_UP ? `This game began ${lower(this.desk.contract.comment(this.#starts.value[start]!))}` : "";
    const imported = versions === 0 ? "" : `Up to version ${versions} it comes from a record.`;
    return [began, imported].filter((sentence) => sentence !== "");
  }

  /** A dry run for each start: a refusal that names the field says that the ruleset has none such. */
  async #ask(ruleset: ReflectMessage): Promise<DescEnumValue[]> {
    const { service } = this.desk;
    const players = Array.from({ length: number(ruleset, "min_seats") }, (_, at) => ({ name: `Player ${at + 1}` }));
    const has = async ({ name: start }: DescEnumValue) => {
      try {
        await service.call(service.games, "CreateGame", { ruleset: text(ruleset, "id"), players, start, validateOnly: true });
        return true;
      } catch (error) {
        // Anything else that is wrong, such as a key that may create nothing, is reported when a game is created.
        return !service.refusal(error).fields.some(({ field }) => field === "start");
      }
    };
    const starts = this.#starts.values.filter(({ number }) => number >= SET_UP);
    const found = await Promise.all(starts.map((start) => start.number === SET_UP || has(start)));
    return starts.filter((_, at) => found[at]);
  }

  #show(starts: DescEnumValue[]): void {
    fill(this.#select, ...starts.map(({ name, parent, number }) => h("option", { value: name }, enumWord(parent, number))));
    this.#select.value = (starts.find(({ name }) => name === this.#wanted) ?? starts[0]!).name;
    this.#explain();
  }

  #explain(): void {
    place("start-hint").textContent = this.desk.contract.comment(this.#chosen);
  }

  get #chosen(): DescEnumValue {
    return this.#starts.values.find(({ name }) => name === this.#select.value)!;
  }

  get #select(): HTMLSelectElement {
    return place<HTMLSelectElement>("start");
  }

  get #starts(): DescEnum {
    return methodOf(this.desk.service.games, "CreateGame").input.field.start!.enum!;
  }
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
