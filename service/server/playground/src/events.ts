// The panel with the events, the newest first.

import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

import type { Viewer } from "./address.js";
import { type Call, each, number, text, texts } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import type { Game } from "./game.js";

/** The events of as many versions stay on the page; older ones leave it. */
const KEPT = 200;

export class Events {
  /** The events on the page: who sees them, and up to which version. */
  #told: { viewer: Viewer; version: number } | undefined;

  /** The newest version that anybody has seen here; not given: none yet. */
  #seen: number | undefined;
  /** The components that events have touched since the last call of `touched`. */
  #touched: string[] = [];

  /** `point` marks components on the board. */
  constructor(
    private readonly desk: Desk,
    private readonly point: (components: string[]) => void,
  ) {}

  /** Returns the components that events have touched since the last call. */
  touched(): string[] {
    return this.#touched.splice(0);
  }

  /** Another game. */
  begin(): void {
    this.#told = undefined;
    this.#seen = undefined;
    this.#touched = [];
    fill(place("events"));
    fill(place("latest"));
  }

  /** Adds what is new; begins again when somebody else looks. */
  async show(game: Game, viewer: Viewer): Promise<void> {
    if (viewer !== this.#told?.viewer) {
      fill(place("events"));
    }
    const told = viewer === this.#told?.viewer ? this.#told : { viewer, version: Math.max(0, game.version - KEPT) };
    this.#told = told;
    let page = "";
    do {
      const call = await game.events(viewer, told.version, page);
      for (const entry of each(call.answer, "entries")) {
        told.version = Math.max(told.version, number(entry, "version"));
        this.#add(game, entry);
        if (this.#seen !== undefined && number(entry, "version") > this.#seen) {
          this.#touched.push(...each(entry, "events").flatMap((event) => texts(event, "components")));
        }
      }
      page = text(call.answer, "next_page_token");
      const viewed = viewer === 0 ? " --spectator" : ` --seat ${viewer}`;
      this.desk.snippets.show("events", { ...call, command: `events ${game.id}${viewed} --after ${afterOf(call)}` });
    } while (page !== "");
    this.#seen = told.version;
  }

  #add(game: Game, entry: ReflectMessage): void {
    const seat = number(entry, "seat");
    const version = number(entry, "version");
    const sentences = game.sentences(entry);
    const table = version === 1 ? "set-up" : "table";
    const who = seat === 0 ? table : game.player(seat);
    const heading = h("h4", {}, h("span", { class: "machine" }, `${version}. `), who);
    const touched = each(entry, "events").flatMap((event) => texts(event, "components"));
    const [point, leave] = [() => this.point(touched), () => this.point([])];
    const listed = h("ul", {}, ...sentences.map((sentence) => h("li", {}, sentence)));
    place("events").prepend(h("li", { mouseenter: point, mouseleave: leave }, heading, listed));
    while (place("events").childElementCount > KEPT) {
      place("events").lastElementChild!.remove();
    }
    place("dropped").hidden = version <= KEPT;
    // Only the newest version is read aloud.
    if (version === game.version) {
      place("latest").textContent = sentences.join(" ");
    }
  }
}

/** The version after which a call asked for events. */
function afterOf({ method, request }: Call): number {
  return number(reflect(method.input, request), "after_version");
}
