// The feed of everything that happens in many games, resumed by a cursor, also after a reload.

import type { JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Following, followingOf, keepFollowing } from "./address.js";
import { each, has, inside, methodOf, number, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { fill, h, place, submit } from "./dom.js";
import { FilterForm, filterFlags, filterJson } from "./filter.js";

/** As many messages stay on the page; older ones leave it. */
const KEPT = 200;

/** The time to wait before a feed that was cut is resumed, in milliseconds. */
const PAUSE = 1_000;

/** The address is changed no more often than this, in milliseconds: browsers refuse more. */
const ADDRESSED = 500;

/** The statuses with which a feed is over; after any other it is resumed. */
const FINAL = ["INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", "UNAUTHENTICATED", "FAILED_PRECONDITION", "OUT_OF_RANGE", "RESOURCE_EXHAUSTED", "UNIMPLEMENTED"];

export class Feed {
  readonly #filter = new FilterForm("feed");
  #over: AbortController | undefined;
  #following: Following | undefined;
  #addressing: ReturnType<typeof setTimeout> | undefined;
  #count = 0;

  /** `open` is called with the id of a game that somebody wants to see. */
  constructor(
    private readonly desk: Desk,
    private readonly open: (game: string) => void,
  ) {
    submit("feed-form", () => this.#follow({ ...this.#filter.read(), cursor: this.#cursor.value.trim() }));
    place("feed-stop").addEventListener("click", () => this.stop());
    this.#running(false);
  }

  /** Another key, or the first one: the feed that the address names goes on. */
  begin(rulesets: ReflectMessage[]): void {
    this.#filter.begin(rulesets);
    const { facts, service } = this.desk;
    const following = this.#following ?? followingOf(location.hash);
    // Without a key it waits for one.
    if (following !== undefined && !(facts.tokens && service.key === "")) {
      this.#filter.write(following);
      place<HTMLDetailsElement>("feed-panel").open = true;
      void this.#follow(following);
    }
  }

  /** Ends the feed, if one is followed; its cursor stays, for whoever wants to go on. */
  stop(): void {
    if (this.#following !== undefined) {
      this.#end();
      this.#say("Stopped.");
    }
  }

  async #follow(following: Following): Promise<void> {
    this.#end();
    fill(place("failure"));
    const { service } = this.desk;
    const over = (this.#over = new AbortController());
    const key = service.key;
    this.#following = following;
    const begin = following.cursor === "" ? this.#fromTime() : {};
    this.#running(true);
    this.#address();
    this.#say(following.cursor === "" ? "Following." : "Following, from the cursor on.");
    while (!over.signal.aborted) {
      try {
        const request = this.#request(following, begin);
        for await (const message of service.stream(service.games, "WatchGames", request, over.signal, key)) {
          this.#tell(following, message);
        }
      } catch (error) {
        if (over.signal.aborted) {
          return;
        }
        if (FINAL.includes(service.refusal(error).status)) {
          this.#end();
          this.#say("Refused.");
          this.desk.fail(error);
          return;
        }
        this.#say("The feed was cut, and goes on where it was.");
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  #end(): void {
    this.#over?.abort();
    this.#over = undefined;
    this.#following = undefined;
    this.#address();
    this.#running(false);
  }

  #request(following: Following, begin: JsonObject): JsonObject {
    const { cursor } = following;
    const from = cursor === "" ? begin : { cursor };
    const json = { filter: filterJson(following), show: { events: true, text: true }, ...from };
    const method = methodOf(this.desk.service.games, "WatchGames");
    const since = "fromTime" in from ? ` --since ${String(from.fromTime)}` : "";
    const command = `watch --all${filterFlags(following)}${cursor === "" ? since : ` --cursor ${cursor}`}`;
    this.desk.snippets.show("feed", { method, request: this.desk.service.request(method, json), command });
    return json;
  }

  /** Returns the time at which a feed without a cursor begins. */
  #fromTime(): JsonObject {
    const before = Number(place<HTMLSelectElement>("feed-from").value);
    return before === 0 ? {} : { fromTime: new Date(this.desk.service.now() - before * 1_000).toISOString() };
  }

  #tell(following: Following, message: ReflectMessage): void {
    following.cursor = text(message, "cursor");
    this.#cursor.value = following.cursor;
    this.#addressing ??= setTimeout(() => this.#address(), ADDRESSED);
    if (has(message, "change")) {
      this.#changed(inside(message, "change"));
    } else if (has(message, "left")) {
      const left = inside(message, "left");
      const why = has(left, "problem") ? `left the feed: ${text(inside(left, "problem"), "message")}` : "left the feed: the filter no longer selects it";
      this.#add("", text(left, "game_id"), `Game ${text(left, "game_id")}`, [why]);
    }
  }

  #changed(change: ReflectMessage): void {
    const game = inside(inside(change, "table"), "game");
    const [id, version] = [text(game, "game_id"), number(game, "version")];
    const players = each(game, "players").map((player) => text(player, "name"));
    const named = (sentence: string) => sentence.replaceAll(/\bseat (\d+)/gi, (seat, at: string) => players[Number(at) - 1] ?? seat);
    const heading = `${this.desk.rulesets.title(text(game, "ruleset"))}: ${players.join(", ")}`;
    if (!has(change, "entry")) {
      this.#add("", id, heading, [version === 1 ? "begins, or has other users or labels" : "has other users or labels"], version);
      return;
    }
    const events = each(inside(change, "entry"), "events");
    const told = events.map((event) => [text(event, "kind"), named(text(event, "text"))] as const);
    const lines = told.filter(([, sentence]) => sentence !== "").map(([kind, sentence]) => h("span", {}, h("code", {}, kind), ` ${sentence}`));
    this.#add(`${id} ${version}`, id, heading, lines.length > 0 ? lines : told.map(([kind]) => kind), version);
  }

  /** Adds a message, the newest first. A feed may tell a version again: the same key is shown once. */
  #add(key: string, game: string, heading: string, lines: (Node | string)[], version?: number): void {
    const list = place("feed");
    if (key !== "" && [...list.children].some((line) => (line as HTMLElement).dataset.key === key)) {
      return;
    }
    this.#count += 1;
    const title = h("h4", {}, heading, version !== undefined && h("span", { class: "hint" }, ` version ${version}`));
    const open = h("button", { type: "button", click: () => this.open(game), "aria-label": `Open ${heading}` }, "Open");
    list.prepend(h("li", { "data-key": key, "data-game": game }, h("div", { class: "bar" }, title, open), h("ul", {}, ...lines.map((line) => h("li", {}, line)))));
    while (list.childElementCount > KEPT) {
      list.lastElementChild!.remove();
    }
    place("feed-dropped").hidden = this.#count <= KEPT;
    place("feed-count").textContent = `${this.#count} ${this.#count === 1 ? "message" : "messages"} so far`;
  }

  #address(): void {
    clearTimeout(this.#addressing);
    this.#addressing = undefined;
    const shown = followingOf(location.hash);
    if (shown !== undefined || this.#following !== undefined) {
      keepFollowing(this.#following);
    }
  }

  #running(running: boolean): void {
    place<HTMLButtonElement>("feed-stop").disabled = !running;
    this.#cursor.readOnly = running;
  }

  #say(words: string): void {
    place("feed-status").textContent = words;
  }

  get #cursor(): HTMLInputElement {
    return place("feed-cursor");
  }
}
