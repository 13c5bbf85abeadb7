// The panel where any action is written, listed or not: as a form, or as JSON.

import type { JsonObject } from "@bufbuild/protobuf";

import type { Viewer } from "./address.js";
import type { Acting } from "./acting.js";
import type { Desk } from "./desk.js";
import { fill, h, place, submit } from "./dom.js";
import type { Game } from "./game.js";

export class Editor {
  #game: Game | undefined;
  #seat: Viewer = 0;

  constructor(
    private readonly desk: Desk,
    private readonly acting: Acting,
  ) {
    submit("edit-form", () => this.#send(false));
    place("check").addEventListener("click", () => void this.#send(true));
  }

  /** Another game. */
  begin(game: Game): void {
    this.#game = game;
    this.#text.value = "{}";
    this.#drawForm();
  }

  /** Shows the editor for the seat of the viewer. */
  show(game: Game, viewer: Viewer): void {
    this.#seat = viewer;
    place("edit-seat").textContent = viewer === 0 ? "Choose a seat first." : `For ${game.named(viewer)}.`;
    for (const id of ["check", "send"]) {
      place<HTMLButtonElement>(id).disabled = viewer === 0;
    }
  }

  /** Begins with an action that is already there. */
  edit(action: JsonObject): void {
    this.#drawForm();
    this.#text.value = JSON.stringify(action, null, 2);
    place<HTMLDetailsElement>("editor").open = true;
    this.#text.focus();
    this.#text.scrollIntoView({ block: "center" });
  }

  get #text(): HTMLTextAreaElement {
    return place<HTMLTextAreaElement>("action-json");
  }

  /** An empty form; whatever is filled in becomes the JSON. */
  #drawForm(): void {
    const form = this.desk.forms.message(this.#game!.actionType);
    const write = () => (this.#text.value = JSON.stringify(form.read(), null, 2));
    for (const event of ["input", "change", "click"]) {
      form.element.addEventListener(event, (told) => {
        // A click on a button adds or removes a row; other clicks change nothing.
        if (event !== "click" || (told.target as Element).closest("button") !== null) {
          write();
        }
      });
    }
    fill(place("composer"), form.element);
  }

  async #send(judgeOnly: boolean): Promise<void> {
    const action = parsed(this.#text.value);
    if (typeof action === "string") {
      fill(place("outcome"), h("p", { class: "bad" }, `✗ This is not an action as JSON: ${action}`));
      return;
    }
    await this.acting.apply({ seat: this.#seat, action, judgeOnly });
  }
}

/** A JSON object, or what is wrong with the text. */
function parsed(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : "it is not an object.";
  } catch (error) {
    return `${(error as Error).message}.`;
  }
}
