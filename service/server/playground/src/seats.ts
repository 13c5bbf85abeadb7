// Who looks and acts: one seat after the other at one table, a single seat, or a spectator.

import { followingOf, fragment, link, type Table, tableOf, type Viewer } from "./address.js";
import { fill, h, place } from "./dom.js";
import { isDrawerOpen } from "./drawer.js";
import type { Game } from "./game.js";

export class Seats {
  /** The current viewer. */
  viewer: Viewer = 0;

  /** `changed` is called when another one looks. */
  constructor(
    private readonly withTokens: boolean,
    private readonly changed: () => void,
  ) {
    place("follow-turn").addEventListener("change", () => this.changed());
  }

  /** Another game, whose address the page now has. */
  begin(game: Game, viewer: Viewer | undefined): void {
    const [first] = game.own;
    this.viewer = viewer !== undefined && (viewer === 0 || game.own.includes(viewer)) ? viewer : (first ?? 0);
    place("follow-choice").hidden = game.own.length < 2;
    // Who looks at the table from elsewhere has chosen that.
    place<HTMLInputElement>("follow-turn").checked = game.own.length > 1 && viewer !== 0;
    this.#links(game);
  }

  /** Shows whose turn it is; the page goes there if it follows the turn. */
  show(game: Game): void {
    const next = game.own.find((seat) => game.owes(seat));
    if (place<HTMLInputElement>("follow-turn").checked && next !== undefined && !game.owes(this.viewer)) {
      this.viewer = next;
    }
    const buttons = [...game.own, 0].map((viewer) => this.#button(game, viewer));
    const focused = place("seats").contains(document.activeElement);
    fill(place("seats"), ...buttons);
    if (focused) {
      place("seats").querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
    }
    // Unless the address has gone on to another game in the meantime.
    if (tableOf(location.hash)?.game === game.id) {
      history.replaceState(null, "", `#${fragment(tableFor(game, this.viewer))}`);
    }
  }

  #button(game: Game, viewer: Viewer): HTMLElement {
    const choose = () => {
      this.viewer = viewer;
      // Whoever looks at another seat than the one that decides wants to stay there.
      if (!game.owes(viewer)) {
        place<HTMLInputElement>("follow-turn").checked = false;
      }
      this.changed();
    };
    const name = viewer === 0 ? "Spectator" : game.named(viewer);
    const turn = game.owes(viewer) && h("span", { class: "turn" }, "to decide");
    return h("button", { type: "button", "aria-pressed": String(viewer === this.viewer), click: choose }, name, turn);
  }

  /** Links that let others play one seat, or watch. */
  #links(game: Game): void {
    const rows = game.own
      .filter((seat) => !this.withTokens || game.seatTokens.get(seat) !== "")
      .map((seat) => this.#link(game.named(seat), seatTable(game, seat)));
    if (!this.withTokens || game.spectatorToken !== "") {
      rows.push(this.#link("spectators", { ...tableFor(game, 0), seats: new Map(), developer: false, following: undefined }));
    }
    const none = h("li", {}, "This page has no links to give away: it was opened with a key.");
    fill(place("links"), ...(rows.length === 0 ? [none] : rows));
  }

  #link(whom: string, table: Table): HTMLElement {
    const address = link(table);
    const label = `Link for ${whom}`;
    const shown = h("input", { readonly: true, value: address, "aria-label": label });
    const copy = async () => {
      shown.select();
      try {
        await navigator.clipboard.writeText(address);
        place("copied").textContent = `${label}: copied.`;
      } catch {
        place("copied").textContent = `${label}: selected, copy it by hand.`;
      }
    };
    return h("li", {}, shown, h("button", { type: "button", click: () => void copy() }, `Copy link for ${whom}`));
  }
}

/** The table with everything that is known here. */
export function tableFor(game: Game, viewer: Viewer | undefined): Table {
  const seats = game.seatTokens;
  const following = followingOf(location.hash);
  return { ruleset: game.ruleset, game: game.id, seats, spectator: game.spectatorToken, viewer, developer: isDrawerOpen(), following };
}

/** The table for somebody with one seat. */
function seatTable(game: Game, seat: number): Table {
  const seats = new Map([[seat, game.seatTokens.get(seat) ?? ""]]);
  return { ...tableFor(game, seat), seats, spectator: "", developer: false, following: undefined };
}
