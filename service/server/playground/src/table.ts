// The panel with the table: what every seat sees, side by side.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, inside, number } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import type { Game } from "./game.js";
import { Tree } from "./tree.js";
import { words } from "./words.js";

export class Table {
  readonly #tree: Tree;
  /** What was folded or unfolded by hand, by path. */
  readonly #open = new Map<string, boolean>();

  constructor(private readonly desk: Desk) {
    this.#tree = new Tree(
      desk.contract,
      (path, otherwise) => this.#open.get(path) ?? otherwise,
      (path, open) => this.#fold(path, open),
    );
  }

  /** Who must decide, and the result. */
  showFacts(game: Game, title: string): void {
    const owed = game.pending.map(({ seat, decision }) => `${game.named(seat)}: ${words(decision).toLowerCase()}`);
    place("game-title").textContent = `${title}, version ${game.version}`;
    place("pending").textContent = owed.length === 0 ? "The game is over." : `To decide: ${owed.join("; ")}.`;
    const standings = each(game.info, "standings").map((standing) => {
      const [rank, seat, score] = [number(standing, "rank"), number(standing, "seat"), number(standing, "score")];
      return h("li", {}, `Rank ${rank}: ${game.named(seat)}, ${score} points`);
    });
    fill(place("standings"), ...standings);
  }

  /** What every seat and a spectator see. */
  async showViews(game: Game): Promise<void> {
    const viewers = [...game.seats, 0];
    const looks = await Promise.allSettled(viewers.map((viewer) => game.look(viewer)));
    const last = looks.at(-1)!;
    const public_ = last.status === "fulfilled" ? inside(last.value.answer, "view") : undefined;
    const columns = looks.map((look, index) => this.#column(game, viewers[index]!, look, public_));
    const scrolled = [...document.querySelectorAll("#views .scroll")].map(({ scrollTop }) => scrollTop);
    fill(place("views"), ...columns);
    document.querySelectorAll("#views .scroll").forEach((view, index) => (view.scrollTop = scrolled[index] ?? 0));
    const [first] = looks;
    if (first?.status === "fulfilled") {
      this.desk.snippets.show("views", { ...first.value, command: `show ${game.id} --seat 1` });
    }
  }

  #column(game: Game, seat: number, look: PromiseSettledResult<Call>, public_: ReflectMessage | undefined): HTMLElement {
    const name = seat === 0 ? "A spectator" : game.named(seat);
    const turn = game.owes(seat) && h("span", { class: "turn" }, "to decide");
    const body =
      look.status === "fulfilled"
        ? this.#tree.draw(inside(look.value.answer, "view"), seat === 0 ? undefined : public_)
        : h("p", {}, this.desk.service.refusal(look.reason).message);
    const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `What ${name} sees` }, body);
    return h("section", { class: "view" }, h("h4", {}, `${name} sees `, turn), scroll);
  }

  #fold(path: string, open: boolean): void {
    if (this.#open.get(path) === open) {
      return;
    }
    this.#open.set(path, open);
    // The same part of every view is open, side by side.
    for (const fold of document.querySelectorAll<HTMLDetailsElement>("#views details")) {
      if (fold.dataset.path === path) {
        fold.open = open;
      }
    }
  }
}
