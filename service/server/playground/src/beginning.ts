// The table on which a game begins: which ones a ruleset has, the choice of one, and what everybody reads of it.

import type { DescEnum, DescEnumValue, JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { flag, methodOf, number, numbers, text } from "./calls.js";
import { quoted } from "./code.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import type { Game } from "./game.js";
import type { Position } from "./position.js";
import { enumWord } from "./words.js";

/** The starts of games at their set-up and on described tables, as requests and games name them. */
const [SET_UP, DESCRIBED] = ["GAME_START_SET_UP", "GAME_START_POSITION"];

export class Beginning {
  #ruleset = "";
  /** The start that was chosen last: it stays with another ruleset, if that has it. */
  #wanted = "";
  /** The described table, if there is one. */
  #position: Position | undefined;

  constructor(private readonly desk: Desk) {
    this.#select.addEventListener("change", () => {
      this.#wanted = this.#select.value;
      this.#explain();
    });
  }

  /** Offers the starts that a ruleset has. A described table is one of its own ruleset. */
  offer(ruleset: ReflectMessage): void {
    this.#ruleset = text(ruleset, "id");
    if (this.#position?.ruleset !== this.#ruleset) {
      this.#take(undefined);
    }
    const known = numbers(ruleset, "starts");
    const starts = this.#starts.values.filter(({ number }) => known.includes(number));
    fill(this.#select, ...starts.map(({ name, parent, number }) => h("option", { value: name }, enumWord(parent, number))));
    this.#select.value = (starts.find(({ name }) => name === this.#wanted) ?? starts[0]!).name;
    this.#explain();
  }

  /** Chooses a described table; the form is then that of its ruleset. */
  describe(position: Position): void {
    this.#take(position);
    this.#wanted = DESCRIBED!;
  }

  /** The described table, if a game begins on one. */
  get position(): Position | undefined {
    return this.#select.value === DESCRIBED ? this.#position : undefined;
  }

  /** The chosen start, as it is sent; nothing for the set-up. */
  read(): JsonObject {
    const { name } = this.#chosen;
    const position = this.position;
    return name === SET_UP ? {} : { start: name, ...(position && { position: position.view }) };
  }

  /** Returns the flag of the command that chooses the same. */
  flag(): string {
    const { name, localName } = this.#chosen;
    if (name === DESCRIBED) {
      return ` --from ${quoted(this.#file.files?.[0]?.name ?? "table.json")}`;
    }
    return name === SET_UP ? "" : ` --start ${localName.toLowerCase().replaceAll("_", "-")}`;
  }

  /** The table on which a game began, and how much of it another service has kept, in words for everybody. */
  told(game: Game): string[] {
    const start = this.#starts.value[number(game.info, "start")];
    const versions = number(game.info, "imported_versions");
    const imported = versions === 0 ? "" : `Up to version ${versions} it comes from a record.`;
    return [start === undefined ? "" : this.#began(start, game), imported].filter((sentence) => sentence !== "");
  }

  #began(start: DescEnumValue, game: Game): string {
    if (start.name === DESCRIBED) {
      const rest = flag(game.info, "start_dealt") ? "; luck has dealt what was left out" : "";
      return `This game began on a table that its creator has described${rest}.`;
    }
    return start.number === 0 || start.name === SET_UP ? "" : `This game began ${lower(this.desk.contract.comment(start))}`;
  }

  /** The file stays chosen only while its table is. */
  #take(position: Position | undefined): void {
    if (position?.source !== this.#file.files?.[0]?.name) {
      this.#file.value = "";
    }
    this.#position = position;
  }

  #explain(): void {
    const isDescribed = this.#chosen.name === DESCRIBED;
    place("position-choice").hidden = !isDescribed;
    this.#file.required = isDescribed && this.#position === undefined;
    place("start-hint").textContent = isDescribed
      ? "On a table that a file describes, or on that of a game. Everybody sees that its creator has described it."
      : this.desk.contract.comment(this.#chosen);
    const { source, players } = this.#position ?? {};
    const title = this.desk.rulesets.title(this.#ruleset);
    place("position-status").textContent =
      source === undefined ? "No table is chosen." : `${source}: a table of ${title} with ${players} players. Its options hold unless others are chosen.`;
  }

  get #chosen(): DescEnumValue {
    return this.#starts.values.find(({ name }) => name === this.#select.value)!;
  }

  get #select(): HTMLSelectElement {
    return place<HTMLSelectElement>("start");
  }

  get #file(): HTMLInputElement {
    return place<HTMLInputElement>("position-file");
  }

  get #starts(): DescEnum {
    return methodOf(this.desk.service.games, "CreateGame").input.field.start!.enum!;
  }
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
