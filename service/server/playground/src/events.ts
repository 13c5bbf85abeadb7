// The panel with the events, the newest first.

import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, number, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import type { Game } from "./game.js";
import { say } from "./words.js";

export class Events {
  /** The events on the page: who sees them, and up to which version. */
  #told = { viewer: 0, version: 0 };

  constructor(private readonly desk: Desk) {}

  /** Another game. */
  begin(): void {
    this.#told = { viewer: 0, version: 0 };
    fill(place("events"));
  }

  /** Adds what is new; begins again when somebody else looks. */
  async show(game: Game): Promise<void> {
    const viewer = Number(place<HTMLSelectElement>("events-viewer").value);
    if (viewer !== this.#told.viewer) {
      this.begin();
      this.#told.viewer = viewer;
    }
    let page = "";
    do {
      const call = await game.events(viewer, this.#told.version, page);
      for (const version of each(call.answer, "versions")) {
        this.#told.version = Math.max(this.#told.version, number(version, "version"));
        place("events").prepend(item(game, version));
      }
      page = text(call.answer, "next_page_token");
      const viewed = viewer === 0 ? "" : ` --seat ${viewer}`;
      this.desk.snippets.show("events", { ...call, command: `events ${game.id}${viewed} --after ${afterOf(call)}` });
    } while (page !== "");
  }
}

/** The version after which a call asked for events. */
function afterOf({ method, request }: Call): number {
  return number(reflect(method.input, request), "after_version");
}

function item(game: Game, logged: ReflectMessage): HTMLElement {
  const seat = number(logged, "seat");
  const events = each(logged, "events").map((event) => h("li", {}, game.said(text(event, "text")) || say(event)));
  const who = seat === 0 ? "set-up" : game.player(seat);
  return h("li", {}, h("h4", {}, `${number(logged, "version")}. ${who}`), h("ul", {}, ...events));
}
