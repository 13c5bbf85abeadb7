// The panel with the legal actions of a seat, each a button that plays it.

import type { JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import { asJson, type Game } from "./game.js";
import { kindOf, say, words } from "./words.js";

export class Legal {
  constructor(
    private readonly desk: Desk,
    private readonly play: (seat: number, action: JsonObject) => Promise<void>,
  ) {
    place("filter").addEventListener("input", () => this.#filter());
  }

  /** The actions of the chosen seat; of one that owes a decision, if the chosen one owes none. */
  async show(game: Game): Promise<void> {
    const select = place<HTMLSelectElement>("seat");
    const [first] = game.pending;
    if (first !== undefined && !game.owes(Number(select.value))) {
      select.value = String(first.seat);
    }
    await this.list(game);
  }

  /** The actions of the chosen seat. */
  async list(game: Game): Promise<void> {
    const seat = Number(place<HTMLSelectElement>("seat").value);
    const call = await game.legal(seat, "");
    const focused = place("actions").contains(document.activeElement);
    fill(place("actions"));
    this.#add(game, seat, call);
    this.desk.snippets.show("actions", { ...call, command: `legal ${game.id} --seat ${seat}` });
    if (focused) {
      (place("actions").querySelector("button") ?? place("game-title")).focus();
    }
  }

  #add(game: Game, seat: number, { answer }: Call): void {
    const list = place("actions");
    for (const action of each(answer, "actions")) {
      const kind = kindOf(action)?.name ?? "";
      const group = list.querySelector(`[data-kind="${kind}"] ul`) ?? this.#addKind(kind, action);
      const click = () => void this.play(seat, asJson(action));
      group.append(h("li", {}, h("button", { type: "button", class: "action", click }, ...sayBelow(kind, action))));
    }
    const next = text(answer, "next_page_token");
    if (next !== "") {
      const more = h("button", { type: "button", click: () => void load() }, "More actions");
      const load = async () => {
        more.remove();
        await this.desk.attempt(async () => this.#add(game, seat, await game.legal(seat, next)));
      };
      list.append(more);
    }
    const count = list.querySelectorAll(".action").length;
    place("count").textContent = `${count}${next === "" ? "" : " and more"} legal for ${game.player(seat)}`;
    this.#filter();
  }

  #addKind(kind: string, action: ReflectMessage): HTMLElement {
    const group = h("ul", {});
    const field = action.fields.find(({ name }) => name === kind);
    const title = field && this.desk.contract.comment(field.message!);
    place("actions").append(h("section", { "data-kind": kind }, h("h4", { title }, words(kind)), group));
    return group;
  }

  #filter(): void {
    const sought = place<HTMLInputElement>("filter").value.toLowerCase();
    for (const item of place("actions").querySelectorAll<HTMLElement>("li")) {
      item.hidden = !item.textContent!.toLowerCase().includes(sought);
    }
    for (const section of place("actions").querySelectorAll<HTMLElement>("section")) {
      section.hidden = section.querySelector("li:not([hidden])") === null;
    }
  }
}

/** An action below the heading of its kind: the kind is for those who hear the page alone. */
function sayBelow(kind: string, action: ReflectMessage): (Node | string)[] {
  const [said, heading] = [say(action), `${words(kind)}: `];
  return said.startsWith(heading) ? [h("span", { class: "unseen" }, heading), said.slice(heading.length)] : [said];
}
