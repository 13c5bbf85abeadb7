// The panel with the legal actions of a seat, each a button that plays it.

import type { JsonObject } from "@bufbuild/protobuf";

import type { Viewer } from "./address.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import { asJson, type Game } from "./game.js";
import { type Entry, Listing } from "./listing.js";
import { words } from "./words.js";

/** As many actions are shown at once. */
const SHOWN = 40;

/** The uses of an action that was chosen. */
export interface Uses {
  play(seat: number, action: JsonObject, words: string): Promise<void>;
  edit(action: JsonObject): void;
}

export class Legal {
  #listing: Listing | undefined;
  #version = 0;
  /** The place in the list of the first action that is shown. */
  #from = 0;
  /** Count lists, and turns of their pages: an older one never hides a newer one. */
  #lists = 0;
  #turns = 0;

  /** `relist` is called when another list is wanted. */
  constructor(
    private readonly desk: Desk,
    private readonly uses: Uses,
    relist: () => void,
  ) {
    place("kind").addEventListener("change", relist);
    place("all-payments").addEventListener("change", relist);
    const turn = (by: number) => void this.desk.attempt(() => this.#turn(by === 0 ? 0 : this.#from + by));
    place("filter").addEventListener("input", () => turn(0));
    place("earlier").addEventListener("click", () => turn(-SHOWN));
    place("later").addEventListener("click", () => turn(SHOWN));
  }

  /** Another game: its kinds of actions. */
  begin(game: Game): void {
    const kinds = game.actionType.oneofs.find(({ name }) => name === "kind")?.fields ?? [];
    fill(place("kind"), h("option", { value: "" }, "all kinds"), ...kinds.map(({ name }) => h("option", { value: name }, words(name))));
    place<HTMLInputElement>("filter").value = "";
    place<HTMLInputElement>("all-payments").checked = false;
  }

  /** The actions of the seat that looks. */
  async show(game: Game, viewer: Viewer): Promise<void> {
    const list = ++this.#lists;
    if (viewer === 0) {
      this.#listing = undefined;
      this.#from = 0;
      fill(place("actions"));
      this.#tell(0, false, "Spectators do not act. Choose a seat to see what it may do.");
      return;
    }
    const listing = await this.#list(game, viewer);
    if (list !== this.#lists) {
      return;
    }
    this.#listing = listing;
    await this.#turn(0);
    const [kind] = listing.asked.kinds;
    const flags = `${kind === undefined ? "" : ` --kind ${kind}`}${listing.asked.all ? " --all-payments" : ""}`;
    this.desk.snippets.show("actions", { ...listing.first, command: `legal ${game.id} --seat ${viewer}${flags}` });
  }

  /** Lists the actions that fit the choices; a choice that leaves nothing of a new version is taken back. */
  async #list(game: Game, seat: number): Promise<Listing> {
    const kind = place<HTMLSelectElement>("kind").value;
    const all = place<HTMLInputElement>("all-payments").checked;
    const sought = place<HTMLInputElement>("filter").value.trim();
    const listing = await Listing.begin(game, { seat, kinds: kind === "" ? [] : [kind], all });
    const isNew = game.version !== this.#version;
    this.#version = game.version;
    if (!isNew || (kind === "" && sought === "") || (await listing.find(sought, 0, 1)).entries.length > 0) {
      return listing;
    }
    place<HTMLSelectElement>("kind").value = "";
    place<HTMLInputElement>("filter").value = "";
    return kind === "" ? listing : Listing.begin(game, { seat, kinds: [], all });
  }

  /** Shows the list from this place on. */
  async #turn(from: number): Promise<void> {
    const listing = this.#listing;
    if (listing === undefined) {
      return;
    }
    const turn = ++this.#turns;
    const sought = place<HTMLInputElement>("filter").value.trim();
    const { entries, more } = await listing.find(sought, from, SHOWN);
    if (turn !== this.#turns) {
      return;
    }
    this.#from = from;
    const focused = place("actions").contains(document.activeElement);
    fill(place("actions"), ...this.#groups(listing.asked.seat, entries));
    if (focused) {
      (place("actions").querySelector("button") ?? place("game-title")).focus();
    }
    place("actions").scrollTop = 0;
    this.#tell(entries.length, more, count(listing, from, entries.length, more, sought !== ""));
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

/** Returns whether the list has every way to pay. */
export function isExhaustive({ first }: Listing): boolean {
  const field = first.answer.fields.find(({ name }) => name === "exhaustive");
  return field === undefined || first.answer.get(field) === true;
}

function count(listing: Listing, from: number, shown: number, more: boolean, filtered: boolean): string {
  const { known, more: unseen, full } = listing.size;
  const among = filtered && !more && full && unseen ? ` among the first ${known}; choose a kind to search the rest` : "";
  if (shown === 0) {
    return filtered ? `No action has these words${among}.` : "Nothing is legal for this seat now.";
  }
  const found = filtered ? "found" : "legal";
  const whole = filtered ? "" : ` of ${known}${unseen ? " or more" : ""}`;
  return shown === known && !unseen ? `${known} ${found}` : `${from + 1} to ${from + shown}${whole} ${found}${among}`;
}
