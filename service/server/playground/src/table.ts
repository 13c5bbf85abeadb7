// The facts of the table, and what every seat knows, field by field.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import type { Viewer } from "./address.js";
import type { Beginning } from "./beginning.js";
import { type Call, each, inside, number, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import type { Game } from "./game.js";
import { opened } from "./joined.js";
import { Tree } from "./tree.js";

export class Table {
  readonly #tree: Tree;
  /** The parts that were folded or unfolded by hand, by path. */
  readonly #open = new Map<string, boolean>();

  /** `unfolded` is called when the views are opened, which are not asked for before. */
  constructor(
    private readonly desk: Desk,
    private readonly beginning: Beginning,
    unfolded: () => void,
  ) {
    this.#tree = new Tree(
      desk.contract,
      (path, otherwise) => this.#open.get(path) ?? otherwise,
      (path, open) => this.#fold(path, open),
    );
    place("views-panel").addEventListener("toggle", () => place<HTMLDetailsElement>("views-panel").open && unfolded());
  }

  /** Shows the pending decisions, how the game began, and the result. */
  showFacts(game: Game): void {
    const { rulesets } = this.desk;
    const title = rulesets.title(game.ruleset);
    const owed = game.pending.map(({ seat, decision }) => `${game.named(seat)}: ${rulesets.question(game.ruleset, decision)}`);
    const pending = game.over ? ["The game is over."] : owed;
    place("game-title").textContent = title;
    place("game-version").textContent = `Game ${game.id}, version ${game.version}`;
    fill(place("pending"), ...pending.map((line) => h("span", { class: "line" }, line)));
    place("beginning").textContent = this.beginning.told(game).join(" ");
    document.title = `${title}: ${pending.join(" ")}`;
    const standings = each(game.info, "standings").map((standing) => {
      const [rank, seat, score] = [number(standing, "rank"), number(standing, "seat"), number(standing, "score")];
      const sources = each(standing, "breakdown").filter((item) => number(item, "points") !== 0);
      const told = sources.map((item) => `${rulesets.source(game.ruleset, text(item, "source"))} ${number(item, "points")}`);
      const whence = told.length > 0 && h("span", { class: "hint" }, told.join(", "));
      return h("li", {}, `Rank ${rank}: ${game.named(seat)}, ${score} points`, whence);
    });
    fill(place("standings"), ...standings);
  }

  /** Shows the views of the seats of this page and of a spectator, if the panel is unfolded. */
  async showViews(game: Game): Promise<void> {
    if (!place<HTMLDetailsElement>("views-panel").open) {
      fill(place("views"));
      return;
    }
    const viewers = [...game.own, 0];
    const looks = await Promise.allSettled(viewers.map((viewer) => game.look(viewer, { view: true })));
    const last = looks.at(-1)!;
    const public_ = last.status === "fulfilled" ? viewOf(last.value) : undefined;
    const columns = looks.map((look, index) => this.#column(game, viewers[index]!, look, public_));
    const scrolled = [...document.querySelectorAll("#views .scroll")].map(({ scrollTop }) => scrollTop);
    fill(place("views"), ...columns);
    document.querySelectorAll("#views .scroll").forEach((view, index) => (view.scrollTop = scrolled[index] ?? 0));
  }

  #column(game: Game, viewer: Viewer, look: PromiseSettledResult<Call>, public_: ReflectMessage | undefined): HTMLElement {
    const name = viewer === 0 ? "A spectator" : game.named(viewer);
    const body =
      look.status === "fulfilled"
        ? this.#tree.draw(viewOf(look.value), viewer === 0 ? undefined : public_)
        : h("p", {}, this.desk.service.refusal(look.reason).message);
    const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `What ${name} knows` }, body);
    return h("section", { class: "view" }, h("h3", {}, `${name} knows`), scroll);
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

/** Returns the view in an answer. */
function viewOf({ answer }: Call): ReflectMessage {
  const view = inside(inside(answer, "table"), "view");
  return opened(view) ?? view;
}
