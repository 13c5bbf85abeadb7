// The panel with the legal actions of a seat, each a button that plays it.

import type { JsonObject } from "@bufbuild/protobuf";

import type { Viewer } from "./address.js";
import { methodOf } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import { asJson, type Game } from "./game.js";
import { type Entry, Listing } from "./listing.js";
import { words } from "./words.js";

/** As many actions are shown at once. */
const SHOWN = 40;

/** What is done with an action. */
export interface Uses {
  play(seat: number, action: JsonObject, words: string): Promise<void>;
  edit(action: JsonObject): void;
}

export class Legal {
  #listing: Listing | undefined;
  /** The place in the list of the first action that is shown. */
  #from = 0;
  /** Counts lists and searches: an older one never hides a newer one. */
  #asked = 0;

  /** `relist` is called when another list is wanted. */
  constructor(
    private readonly desk: Desk,
    private readonly uses: Uses,
    relist: () => void,
  ) {
    place("kind").addEventListener("change", relist);
    place("all-payments").addEventListener("change", relist);
    place("filter").addEventListener("input", () => void this.#turn(0));
    place("earlier").addEventListener("click", () => void this.#turn(this.#from - SHOWN));
    place("later").addEventListener("click", () => void this.#turn(this.#from + SHOWN));
  }

  /** Another game: its kinds of actions. */
  begin(game: Game): void {
    const action = methodOf(game.desc, "ApplyAction").input.field.action!.message!;
    const kinds = action.oneofs.find(({ name }) => name === "kind")?.fields ?? [];
    fill(place("kind"), h("option", { value: "" }, "all kinds"), ...kinds.map(({ name }) => h("option", { value: name }, words(name))));
    place<HTMLInputElement>("filter").value = "";
    place<HTMLInputElement>("all-payments").checked = false;
  }

  /** The actions of the seat that looks. */
  async show(game: Game, viewer: Viewer): Promise<void> {
    const asked = ++this.#asked;
    const focused = place("actions").contains(document.activeElement);
    if (viewer === 0) {
      this.#listing = undefined;
      fill(place("actions"));
      this.#tell(0, false, "Spectators do not act. Choose a seat to see what it may do.");
      return;
    }
    const kind = place<HTMLSelectElement>("kind").value;
    const all = place<HTMLInputElement>("all-payments").checked;
    const listing = await Listing.begin(game, { seat: viewer, kinds: kind === "" ? [] : [kind], all });
    if (asked !== this.#asked) {
      return;
    }
    this.#listing = listing;
    await this.#turn(0);
    const flags = `${kind === "" ? "" : ` --kind ${kind}`}${all ? " --all-payments" : ""}`;
    this.desk.snippets.show("actions", { ...listing.first, command: `legal ${game.id} --seat ${viewer}${flags}` });
    if (focused) {
      (place("actions").querySelector("button") ?? place("game-title")).focus();
    }
  }

  /** Shows the list from this place on. */
  async #turn(from: number): Promise<void> {
    const listing = this.#listing;
    if (listing === undefined) {
      return;
    }
    const asked = ++this.#asked;
    await this.desk.attempt(async () => {
      const sought = place<HTMLInputElement>("filter").value.trim();
      const { entries, more } = await listing.find(sought, from, SHOWN);
      if (asked !== this.#asked) {
        return;
      }
      this.#from = from;
      fill(place("actions"), ...this.#groups(listing.seat, entries));
      place("actions").scrollTop = 0;
      this.#tell(entries.length, more, count(listing, from, entries.length, more, sought !== ""));
    });
  }

  #tell(shown: number, more: boolean, message: string): void {
    place("count").textContent = message;
    place("pages").hidden = this.#from === 0 && !more;
    place<HTMLButtonElement>("earlier").disabled = this.#from === 0 || shown === 0;
    place<HTMLButtonElement>("later").disabled = !more;
    const partial = this.#listing !== undefined && !isExhaustive(this.#listing);
    place("partial").hidden = !partial;
  }

  /** Actions below the headings of their kinds. */
  #groups(seat: number, entries: Entry[]): HTMLElement[] {
    const groups = new Map<string, HTMLElement>();
    for (const entry of entries) {
      const group = groups.get(entry.kind) ?? h("ul", {});
      groups.set(entry.kind, group);
      group.append(this.#item(seat, entry));
    }
    return [...groups].map(([kind, group]) => h("section", {}, h("h4", { title: this.#meaning(entries, kind) }, words(kind)), group));
  }

  #item(seat: number, { action, words }: Entry): HTMLElement {
    const play = () => void this.uses.play(seat, asJson(action), words);
    const edit = () => this.uses.edit(asJson(action));
    const label = `Edit: ${words}`;
    return h(
      "li",
      {},
      h("button", { type: "button", class: "action", click: play }, words),
      h("button", { type: "button", class: "edit", click: edit, "aria-label": label, title: "Edit before playing" }, "✎"),
    );
  }

  #meaning(entries: Entry[], kind: string): string | undefined {
    const field = entries[0]?.action.fields.find(({ name }) => name === kind);
    return field && this.desk.contract.comment(field);
  }
}

function isExhaustive({ first }: Listing): boolean {
  const field = first.answer.fields.find(({ name }) => name === "exhaustive");
  return field === undefined || first.answer.get(field) === true;
}

function count(listing: Listing, from: number, shown: number, more: boolean, filtered: boolean): string {
  const { known, more: unseen, full } = listing.size;
  const found = filtered ? "found" : "legal";
  if (shown === 0) {
    return `Nothing is ${found}${filtered && unseen ? ` among the first ${known}; choose a kind to search the rest` : " for this seat now"}.`;
  }
  const whole = filtered ? "" : ` of ${known}${unseen ? " or more" : ""}`;
  const end = filtered && !more && full && unseen ? ` among the first ${known}` : "";
  return shown === known && !unseen ? `${known} ${found}` : `${from + 1} to ${from + shown}${whole} ${found}${end}`;
}
