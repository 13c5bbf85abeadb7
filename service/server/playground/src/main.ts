// The playground: a page to try the service with.

import { toJson, type JsonObject } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, inside, methodOf, number, type Refusal, Service, text } from "./calls.js";
import { type Address, jsonLine, quoted, Snippets } from "./code.js";
import { Contract } from "./contract.js";
import { fill, h, place } from "./dom.js";
import { Forms, type MessageForm } from "./form.js";
import { Game } from "./game.js";
import { Tree } from "./tree.js";
import { kindOf, say, words } from "./words.js";

/** What the server says of itself. */
interface Facts extends Address {
  version: string;
}

class Page {
  readonly #service: Service;
  readonly #forms: Forms;
  readonly #snippets: Snippets;
  readonly #tree: Tree;
  /** What was folded or unfolded by hand, by path. */
  readonly #open = new Map<string, boolean>();
  #rulesets: ReflectMessage[] = [];
  #options: MessageForm | undefined;
  #composer: MessageForm | undefined;
  #game: Game | undefined;
  /** The events on the page: who sees them, and up to which version. */
  #told = { viewer: 0, version: 0 };
  #refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly contract: Contract,
    facts: Facts,
  ) {
    this.#service = new Service(contract, new URL("api", location.href).href);
    this.#forms = new Forms(contract);
    this.#snippets = new Snippets(facts, contract.registry);
    this.#tree = new Tree(
      contract,
      (path, otherwise) => this.#open.get(path) ?? otherwise,
      (path, open) => this.#fold(path, open),
    );
    place("server").textContent = `${facts.url}, version ${facts.version}`;
    place("key-panel").hidden = !facts.tokens;
    this.#listen();
  }

  #listen(): void {
    submit("key-form", () => this.begin());
    submit("create-form", () => this.#create());
    submit("open-form", () => this.#openGame(place<HTMLInputElement>("game-id").value.trim()));
    submit("compose-form", () => this.#compose());
    place("ruleset").addEventListener("change", () => this.#chooseRuleset());
    place("seat").addEventListener("change", () => this.#listActions());
    place("filter").addEventListener("input", () => this.#filter());
    place("events-viewer").addEventListener("change", () => this.#refresh());
    place("random").addEventListener("click", () => this.#playRandom(1));
    place("random-ten").addEventListener("click", () => this.#playRandom(10));
    place("out-of-turn").addEventListener("click", () => this.#outOfTurn());
  }

  /** Asks which rulesets there are. */
  async begin(): Promise<void> {
    this.#service.token = place<HTMLInputElement>("key").value.trim();
    await this.#try(async () => {
      const { answer } = await this.#service.call(this.#games(), "ListRulesets", {});
      this.#rulesets = each(answer, "rulesets");
      const options = this.#rulesets.map((ruleset) => h("option", { value: text(ruleset, "id") }, text(ruleset, "title")));
      fill(place("ruleset"), ...options);
      place("create-panel").hidden = false;
      this.#chooseRuleset();
    });
  }

  #games() {
    return this.contract.service("gamekeeper.v1.GamesService");
  }

  #ruleset(id: string): ReflectMessage {
    return this.#rulesets.find((ruleset) => text(ruleset, "id") === id)!;
  }

  #chooseRuleset(): void {
    const ruleset = this.#ruleset(place<HTMLSelectElement>("ruleset").value);
    const service = this.contract.service(text(ruleset, "service"));
    const options = methodOf(service, "CreateGame").input.field.options!;
    this.#options = this.#forms.message(options.message!);
    fill(place("options"), this.#options.element);
    const [fewest, most] = [number(ruleset, "min_seats"), number(ruleset, "max_seats")];
    place("players-hint").textContent = `${fewest} to ${most} names, in seat order, with commas between them.`;
  }

  async #create(): Promise<void> {
    await this.#try(async () => {
      const ruleset = place<HTMLSelectElement>("ruleset").value;
      const names = place<HTMLInputElement>("players").value.split(",");
      const players = names.map((name) => name.trim()).filter((name) => name !== "");
      const options = this.#options!.read();
      const json: JsonObject = { players: players.map((name) => ({ name })), requestId: crypto.randomUUID() };
      if (Object.keys(options).length > 0) {
        json.options = options;
      }
      const desc = this.contract.service(text(this.#ruleset(ruleset), "service"));
      const method = methodOf(desc, "CreateGame");
      const told = Object.keys(options).length > 0 ? ` --options ${quoted(JSON.stringify(options))}` : "";
      const command = `create ${ruleset} ${players.map(quoted).join(" ")}${told}`;
      this.#snippets.show("create", { method, request: this.#service.request(method, json), command });
      const { answer } = await this.#service.call(desc, "CreateGame", json);
      this.#play(new Game(this.#service, desc, ruleset, inside(answer, "game")));
    });
  }

  async #openGame(gameId: string): Promise<void> {
    await this.#try(async () => {
      const { answer } = await this.#service.call(this.#games(), "GetGameInfo", { gameId });
      const info = inside(answer, "game");
      const ruleset = text(info, "ruleset");
      const desc = this.contract.service(text(this.#ruleset(ruleset), "service"));
      this.#play(new Game(this.#service, desc, ruleset, info));
    });
  }

  /** Shows a game, and follows it. */
  #play(game: Game): void {
    this.#game?.close();
    this.#game = game;
    this.#told = { viewer: 0, version: 0 };
    place("game").hidden = false;
    place<HTMLInputElement>("game-id").value = game.id;
    fill(place("events"));
    fill(place("outcome"));
    const seats = game.players.map((name, index) => h("option", { value: index + 1 }, `${name} (seat ${index + 1})`));
    fill(place("seat"), ...seats.map((seat) => seat.cloneNode(true)));
    fill(place("compose-seat"), ...seats.map((seat) => seat.cloneNode(true)));
    fill(place("events-viewer"), h("option", { value: 0 }, "a spectator"), ...seats);
    const action = methodOf(game.desc, "ApplyAction").input.field.action!;
    this.#composer = this.#forms.message(action.message!);
    fill(place("composer"), this.#composer.element);
    void game.follow(() => void this.#refresh());
    void this.#refresh();
    place("game-title").focus();
  }

  /** Shows the game as it is now. One after the other: an older answer never hides a newer one. */
  #refresh(): Promise<void> {
    const refresh = async () => {
      const game = this.#game;
      if (game !== undefined) {
        this.#showFacts(game);
        await this.#try(() => Promise.all([this.#showViews(game), this.#listActions(), this.#showEvents(game)]));
        place("game").dataset.version = String(game.version);
      }
    };
    this.#refreshing = this.#refreshing.then(refresh, refresh);
    return this.#refreshing;
  }

  #showFacts(game: Game): void {
    const title = text(this.#ruleset(game.ruleset), "title");
    const owed = game.pending.map(({ seat, decision }) => `${game.player(seat)} (seat ${seat}): ${words(decision).toLowerCase()}`);
    place("game-title").textContent = `${title}, version ${game.version}`;
    place("pending").textContent = owed.length === 0 ? "The game is over." : `To decide: ${owed.join("; ")}.`;
    const standings = each(game.info, "standings").map((standing) => {
      const seat = number(standing, "seat");
      return h("li", {}, `Rank ${number(standing, "rank")}: ${game.player(seat)} (seat ${seat}), ${number(standing, "score")} points`);
    });
    fill(place("standings"), ...standings);
    const select = place<HTMLSelectElement>("seat");
    const [first] = game.pending;
    if (first !== undefined && !game.pending.some(({ seat }) => String(seat) === select.value)) {
      select.value = String(first.seat);
    }
    place<HTMLButtonElement>("out-of-turn").disabled = owed.length === 0 || owed.length === game.players.length;
  }

  async #showViews(game: Game): Promise<void> {
    const viewers = [...game.players.map((_, index) => index + 1), 0];
    const looks = await Promise.allSettled(viewers.map((viewer) => game.look(viewer)));
    const last = looks.at(-1)!;
    const public_ = last.status === "fulfilled" ? inside(last.value.answer, "view") : undefined;
    const columns = looks.map((look, index) => {
      const seat = viewers[index]!;
      const name = seat === 0 ? "A spectator" : `${game.player(seat)} (seat ${seat})`;
      const turn = game.pending.some((owed) => owed.seat === seat) && h("span", { class: "turn" }, "to decide");
      const body =
        look.status === "fulfilled"
          ? this.#tree.draw(inside(look.value.answer, "view"), seat === 0 ? undefined : public_)
          : h("p", {}, this.#service.refusal(look.reason).message);
      const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `What ${name} sees` }, body);
      return h("section", { class: "view" }, h("h4", {}, `${name} sees `, turn), scroll);
    });
    const scrolled = [...document.querySelectorAll("#views .scroll")].map(({ scrollTop }) => scrollTop);
    fill(place("views"), ...columns);
    document.querySelectorAll("#views .scroll").forEach((view, index) => (view.scrollTop = scrolled[index] ?? 0));
    const [first] = looks;
    if (first?.status === "fulfilled") {
      this.#snippets.show("views", { ...first.value, command: `show ${game.id} --seat 1` });
    }
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

  async #listActions(): Promise<void> {
    const game = this.#game!;
    const seat = Number(place<HTMLSelectElement>("seat").value);
    const call = await game.legal(seat, "");
    const focused = place("actions").contains(document.activeElement);
    fill(place("actions"));
    this.#addActions(game, seat, call);
    this.#snippets.show("actions", { ...call, command: `legal ${game.id} --seat ${seat}` });
    if (focused) {
      (place("actions").querySelector("button") ?? place("game-title")).focus();
    }
  }

  #addActions(game: Game, seat: number, { answer }: Call): void {
    const list = place("actions");
    for (const action of each(answer, "actions")) {
      const kind = kindOf(action)?.name ?? "";
      const group = list.querySelector(`[data-kind="${kind}"] ul`) ?? this.#addKind(kind, action);
      const play = () => void this.#apply(game, seat, asJson(action), false);
      group.append(h("li", {}, h("button", { type: "button", class: "action", click: play }, ...sayBelow(kind, action))));
    }
    const next = text(answer, "next_page_token");
    if (next !== "") {
      const more = h("button", { type: "button", click: () => void load() }, "More actions");
      const load = async () => {
        more.remove();
        await this.#try(async () => this.#addActions(game, seat, await game.legal(seat, next)));
      };
      list.append(more);
    }
    const count = list.querySelectorAll(".action").length;
    place("count").textContent = `${count}${next === "" ? "" : " and more"} legal for ${game.player(seat)}`;
    this.#filter();
  }

  #addKind(kind: string, action: ReflectMessage): HTMLElement {
    const group = h("ul", {});
    const field = action.fields.find(({ name }) => name === kind);
    const title = field && this.contract.comment(field.message!);
    place("actions").append(h("section", { "data-kind": kind }, h("h4", { title }, words(kind)), group));
    return group;
  }

  #filter(): void {
    const sought = place<HTMLInputElement>("filter").value.toLowerCase();
    for (const item of place("actions").querySelectorAll<HTMLElement>("li")) {
      item.hidden = !item.textContent!.toLowerCase().includes(sought);
    }
    for (const section of place("actions").querySelectorAll<HTMLElement>("section")) {
      section.hidden = section.querySelector("li:not([hidden])") === null;
    }
  }

  /** Sends an action, and shows what came of it. */
  async #apply(game: Game, seat: number, action: JsonObject, judgeOnly: boolean): Promise<void> {
    const method = methodOf(game.desc, "ApplyAction");
    const json = game.applying(seat, action, judgeOnly);
    const told = `${game.player(seat)} (seat ${seat})`;
    try {
      const request = this.#service.request(method, json);
      const sent = inside(reflect(method.input, request), "action");
      const line = quoted(jsonLine(sent, this.contract.registry));
      const flags = `--seat ${seat} --expect ${game.version}${judgeOnly ? " --dry-run" : ""}`;
      this.#snippets.show("apply", { method, request, command: `apply ${game.id} ${flags} ${line}` });
      const { answer } = await game.apply(json);
      const events = judgeOnly ? [] : each(answer, "events").map((event) => h("li", {}, game.named(text(event, "text"))));
      const accepted = judgeOnly ? "would be accepted" : "was accepted";
      fill(place("outcome"), h("p", { class: "good" }, `✓ ${told}, ${say(sent)}: ${accepted}.`), h("ul", {}, ...events));
    } catch (error) {
      fill(place("outcome"), ...refused(game, told, this.#service.refusal(error)));
    }
    await this.#refresh();
  }

  async #compose(): Promise<void> {
    const seat = Number(place<HTMLSelectElement>("compose-seat").value);
    const judgeOnly = place<HTMLInputElement>("judge-only").checked;
    await this.#apply(this.#game!, seat, this.#composer!.read(), judgeOnly);
  }

  /** What one seat may do now, done by another. */
  async #outOfTurn(): Promise<void> {
    const game = this.#game!;
    await this.#try(async () => {
      const { answer } = await game.legal(game.pending[0]!.seat, "");
      const other = game.players.findIndex((_, index) => !game.pending.some(({ seat }) => seat === index + 1)) + 1;
      await this.#apply(game, other, asJson(each(answer, "actions")[0]!), false);
    });
  }

  async #playRandom(count: number): Promise<void> {
    const game = this.#game!;
    await this.#try(async () => {
      for (let done = 0; done < count && game.pending[0] !== undefined; done += 1) {
        const { seat } = game.pending[0];
        const actions = each((await game.legal(seat, "")).answer, "actions");
        const action = actions[Math.floor(Math.random() * actions.length)]!;
        await this.#apply(game, seat, asJson(action), false);
      }
    });
  }

  async #showEvents(game: Game): Promise<void> {
    const viewer = Number(place<HTMLSelectElement>("events-viewer").value);
    const list = place("events");
    if (viewer !== this.#told.viewer) {
      this.#told = { viewer, version: 0 };
      fill(list);
    }
    let page = "";
    do {
      const call = await game.events(viewer, this.#told.version, page);
      for (const version of each(call.answer, "versions")) {
        this.#told.version = Math.max(this.#told.version, number(version, "version"));
        list.prepend(eventItem(game, version));
      }
      page = text(call.answer, "next_page_token");
      const viewed = viewer === 0 ? "" : ` --seat ${viewer}`;
      this.#snippets.show("events", { ...call, command: `events ${game.id}${viewed} --after ${afterOf(call)}` });
    } while (page !== "");
  }

  /** Does something that may fail, and says so. */
  async #try(attempt: () => Promise<unknown>): Promise<void> {
    place("failure").textContent = "";
    try {
      await attempt();
    } catch (error) {
      const { reason, message, metadata } = this.#service.refusal(error);
      place("failure").textContent = `✗ ${reason}${metadata.rule ? ` (rule ${metadata.rule})` : ""}: ${message}`;
    }
  }
}

/** The version after which a call asked for events. */
function afterOf({ method, request }: Call): number {
  return number(reflect(method.input, request), "after_version");
}

function asJson(message: ReflectMessage): JsonObject {
  return toJson(message.desc, message.message) as JsonObject;
}

/** An action below the heading of its kind: the kind is for those who hear the page alone. */
function sayBelow(kind: string, action: ReflectMessage): (Node | string)[] {
  const [said, heading] = [say(action), `${words(kind)}: `];
  return said.startsWith(heading) ? [h("span", { class: "unseen" }, heading), said.slice(heading.length)] : [said];
}

function eventItem(game: Game, logged: ReflectMessage): HTMLElement {
  const seat = number(logged, "seat");
  const events = each(logged, "events").map((event) => h("li", {}, game.named(text(event, "text")) || say(event)));
  const who = seat === 0 ? "set-up" : game.player(seat);
  return h("li", {}, h("h4", {}, `${number(logged, "version")}. ${who}`), h("ul", {}, ...events));
}

function refused(game: Game, told: string, { reason, status, message, metadata }: Refusal): HTMLElement[] {
  const rule = metadata.rule === undefined ? "" : `, rule ${metadata.rule}`;
  const more = Object.entries(metadata).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  return [
    h("p", { class: "bad" }, `✗ ${told} was refused: `, h("strong", {}, reason), rule),
    h("p", {}, game.named(message)),
    h("dl", {}, h("div", {}, h("dt", {}, "status"), h("dd", {}, status)), ...more),
  ];
}

function submit(id: string, then: () => Promise<void>): void {
  place(id).addEventListener("submit", (event) => {
    event.preventDefault();
    void then();
  });
}

const [contract, facts] = await Promise.all([
  Contract.load("descriptors.bin"),
  fetch("facts.json").then((answer) => answer.json() as Promise<Facts>),
]);
const page = new Page(contract, facts);
if (!facts.tokens) {
  await page.begin();
}
