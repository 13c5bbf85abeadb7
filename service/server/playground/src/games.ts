// The list of games, by what is due if that is asked for; with a user's token, the user's own games.

import type { JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { each, number, numbers, text } from "./calls.js";
import { duration, until } from "./clock.js";
import type { Desk } from "./desk.js";
import { fill, h, place, submit } from "./dom.js";
import { FilterForm, filterFlags, filterJson } from "./filter.js";

/** As many games are on a page of the list. */
const PAGE = 20;

/** The interval at which times are drawn, in milliseconds. */
const TICK = 1_000;

/** The time to wait before the games of a user are followed again, in milliseconds. */
const PAUSE = 1_000;

export class Games {
  readonly #filter = new FilterForm("games");
  /** The pages that are shown and that follow. */
  #page = "";
  #next = "";
  /** The number of the newest call: an older answer never hides a newer one. */
  #asked = 0;
  /** The games on the page, each with the element that tells how much time is left. */
  #listed: { game: ReflectMessage; left: HTMLElement }[] = [];
  #following = new AbortController();
  /** A list that has not begun yet serves everybody who wants one. */
  #waiting: Promise<void> | undefined;
  #listing: Promise<void> = Promise.resolve();

  /** Whether the key of the page is the token of a user. */
  isUser = false;

  /** `open` is called with the id of a game that somebody wants to see. */
  constructor(
    private readonly desk: Desk,
    private readonly open: (game: string) => void,
  ) {
    submit("games-form", async () => void (await this.desk.attempt(() => this.#list(""))));
    place("games-next").addEventListener("click", () => void this.desk.attempt(() => this.#list(this.#next)));
    place("games-order").addEventListener("change", () => void this.desk.attempt(() => this.#list("")));
    place("games-panel").addEventListener("toggle", () => {
      if (place<HTMLDetailsElement>("games-panel").open && this.#listed.length === 0) {
        void this.desk.attempt(() => this.#list(""));
      }
    });
    setInterval(() => this.#tick(), TICK);
  }

  /** Another key, or none: whose games there are. */
  async begin(rulesets: ReflectMessage[]): Promise<void> {
    this.#following.abort();
    this.#following = new AbortController();
    this.#asked += 1;
    this.#listed = [];
    fill(place("games"));
    place("games-status").textContent = "";
    place("games-next").hidden = true;
    this.#filter.begin(rulesets);
    const { service, facts } = this.desk;
    const panel = place<HTMLDetailsElement>("games-panel");
    panel.hidden = facts.tokens && service.key === "";
    this.#isOf(false);
    if (facts.tokens && service.key !== "") {
      await this.#begin(this.#following.signal);
    }
    if (panel.open && !panel.hidden) {
      // Not every key may list games.
      await this.#list("").catch((error) => this.desk.fail(error));
    }
  }

  /** Shows the list as that of a user's games, or of all games. */
  #isOf(user: boolean): void {
    this.isUser = user;
    place("games-title").textContent = user ? "My games" : "Games";
    place("games-filter").hidden = user;
    if (user) {
      place<HTMLDetailsElement>("games-panel").open = true;
    }
  }

  /** Follows the games of the user, if the page has a user's token: all others must name games, and are refused. */
  #begin(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const begun = () => {
        if (!this.isUser) {
          this.#isOf(true);
        }
        resolve();
      };
      const refused = (error: unknown) => {
        resolve();
        const { status } = this.desk.service.refusal(error);
        if (status === "UNAUTHENTICATED") {
          this.desk.fail(error);
        }
        return ["INVALID_ARGUMENT", "PERMISSION_DENIED", "UNAUTHENTICATED"].includes(status);
      };
      void this.#follow(signal, begun, refused);
    });
  }

  /** Lists the games again whenever one of them changes. `refused` says whether that is for good. */
  async #follow(signal: AbortSignal, begun: () => void, refused: (error: unknown) => boolean): Promise<void> {
    const { service } = this.desk;
    const key = service.key;
    while (!signal.aborted) {
      try {
        for await (const _ of service.stream(service.games, "WatchGames", {}, signal, key)) {
          begun();
          this.#again();
        }
      } catch (error) {
        if (signal.aborted || refused(error)) {
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /** Lists again what is shown, once for all that changed in the meantime. */
  #again(): void {
    const list = async () => {
      this.#waiting = undefined;
      // The next message of the stream tries again.
      await this.#list(this.#page).catch(() => undefined);
    };
    if (this.isUser) {
      this.#waiting ??= this.#listing = this.#listing.then(list);
    }
  }

  async #list(pageToken: string): Promise<void> {
    const { service, snippets } = this.desk;
    const order = place<HTMLSelectElement>("games-order").value;
    const filter = this.isUser ? { ruleset: "", user: "", label: "" } : this.#filter.read();
    const json: JsonObject = { filter: filterJson(filter), pageSize: PAGE, pageToken, ...(order === "" ? {} : { order }) };
    const asked = (this.#asked += 1);
    const call = await service.call(service.games, "ListGames", json);
    if (asked !== this.#asked) {
      return;
    }
    this.#page = pageToken;
    snippets.show("games", { ...call, command: `list${filterFlags(filter)}${order === "" ? "" : " --order due"} --limit ${PAGE}` });
    const games = each(call.answer, "games");
    this.#next = text(call.answer, "next_page_token");
    this.#listed = games.map((game) => ({ game, left: h("span", { class: "due" }) }));
    this.#show(this.#listed.map(({ game, left }) => this.#row(game, left)));
    place("games-next").hidden = this.#next === "";
    const none = order === "" ? "There are no games." : "Nothing is due.";
    const more = this.#next === "" ? "" : ", and there may be more";
    place("games-status").textContent = games.length === 0 && this.#next === "" ? none : `${games.length} ${games.length === 1 ? "game" : "games"}${more}`;
    this.#tick();
  }

  /** Nobody who is about to press a button loses it. */
  #show(rows: HTMLElement[]): void {
    const focused = document.activeElement?.closest<HTMLElement>("#games li")?.dataset.game;
    fill(place("games"), ...rows);
    rows.find(({ dataset }) => dataset.game === focused)?.querySelector("button")?.focus();
  }

  #row(game: ReflectMessage, left: HTMLElement): HTMLElement {
    const id = text(game, "game_id");
    const players = each(game, "players");
    const names = players.map((player) => text(player, "name")).join(", ");
    const name = `${this.desk.rulesets.title(text(game, "ruleset"))}: ${names}`;
    const gone = numbers(game, "resigned");
    const owed = each(game, "pending").map((pending) => number(pending, "seat"));
    const own = players.filter((player) => this.isUser && text(player, "user") !== "").map((player) => number(player, "seat"));
    const turn = own.some((seat) => owed.includes(seat) && !gone.includes(seat));
    const asked = owed.map((seat) => text(players[seat - 1]!, "name"));
    const state = owed.length === 0 ? "over" : `${asked.join(" and ")} to decide`;
    return h(
      "li",
      { "data-game": id },
      h("button", { type: "button", click: () => this.open(id) }, `Open ${name}`),
      h("span", {}, state),
      left,
      turn && h("span", { class: "turn" }, "your turn"),
      h("span", { class: "hint machine" }, `${id}, version ${number(game, "version")}`),
    );
  }

  /** The time that is left runs on the page; whether somebody is late, the server decides. */
  #tick(): void {
    for (const { game, left } of this.#listed) {
      const times = each(game, "pending").map((owed) => until(owed, this.desk.service.now()));
      const due = times.filter((time) => time !== undefined);
      const first = Math.min(...due);
      left.textContent = due.length === 0 ? "" : first > 0 ? `due in ${duration(first)}` : "out of time";
    }
  }
}
