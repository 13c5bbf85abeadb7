// One game, looked at and played from the seats that this page has.

import { type DescMessage, type JsonObject, toJson } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import type { Viewer } from "./address.js";
import { type Call, each, has, inside, methodOf, number, numbers, type Service, text } from "./calls.js";
import { joined, typeOf } from "./joined.js";
import { type Drawn, Watch } from "./watch.js";

/** The tokens of this page for one table. */
export interface Tokens {
  /** The seats that are played here, each with its token; empty where the server runs without tokens. */
  seats: Map<number, string>;
  /** The token of spectators, if there is one. */
  spectator: string;
}

/** A proposal that not all players have answered. */
export interface Proposal {
  /** The number that answers name. */
  number: string;
  seat: number;
  agreed: number[];
  /** The wish of the seat, as in `asks to ...`. */
  wish: string;
}

function wish(proposal: ReflectMessage): string {
  if (has(proposal, "take_back")) {
    const undone = number(proposal, "number") - 1 - number(inside(proposal, "take_back"), "to_version");
    return undone === 1 ? "take back the last action" : `take back the last ${undone} actions`;
  }
  if (has(proposal, "pause")) {
    return "stop the clocks";
  }
  const scored = has(proposal, "end") && asJson(inside(proposal, "end")).scored === true;
  return scored ? "end the game, ranked by the points of now" : "end the game without a result";
}

/** A request for legal actions. */
export interface Asked {
  seat: number;
  /** The only kinds, named as the fields of `Action`; empty for all. */
  kinds: string[];
  /** Whether every way to pay for every move is listed. */
  all: boolean;
}

/** A game that is played on the page. */
export class Game {
  /** The watch of the viewer of the moment, who sees drawings of one width. */
  #watch: { viewer: Viewer; width: number; at: Watch } | undefined;
  #onChange: () => void = () => {};

  constructor(
    readonly service: Service,
    public info: ReflectMessage,
    private readonly tokens: Tokens,
  ) {}

  get id(): string {
    return text(this.info, "game_id");
  }

  /** The id of its ruleset. */
  get ruleset(): string {
    return text(this.info, "ruleset");
  }

  get version(): number {
    return number(this.info, "version");
  }

  /** The names of the players, in seat order. */
  get players(): string[] {
    return each(this.info, "players").map((player) => text(player, "name"));
  }

  /** The seats that owe a decision, each with its decision. */
  get pending(): { seat: number; decision: string }[] {
    return each(this.info, "pending").map((owed) => ({ seat: number(owed, "seat"), decision: text(owed, "decision") }));
  }

  get over(): boolean {
    return this.pending.length === 0;
  }

  /** The policy of take-backs: NEVER, UNSEEN, AGREED or UNSEEN_OR_AGREED. */
  get takeBack(): string {
    if (!has(this.info, "table")) {
      return "NEVER";
    }
    const json = asJson(inside(this.info, "table"));
    return String(json.takeBack ?? "NEVER").replace("TAKE_BACK_POLICY_", "");
  }

  /** Returns whether a seat may take back its last action at once. */
  canUndo(seat: number): boolean {
    return each(this.info, "free_take_backs").some((free) => number(free, "seat") === seat);
  }

  /** Returns whether the players may agree to a pause, or to the end of the game. */
  byAgreement(what: "pause" | "end"): boolean {
    return has(this.info, "table") && asJson(inside(this.info, "table"))[`${what}ByAgreement`] === true;
  }

  /** The proposal that waits for answers; undefined if there is none. */
  get proposal(): Proposal | undefined {
    if (!has(this.info, "proposal")) {
      return undefined;
    }
    const proposal = inside(this.info, "proposal");
    return {
      number: text(proposal, "number"),
      seat: number(proposal, "seat"),
      agreed: numbers(proposal, "agreed"),
      wish: wish(proposal),
    };
  }

  /** The seats that are played here. */
  get own(): number[] {
    return [...this.tokens.seats.keys()];
  }

  get seatTokens(): Map<number, string> {
    return this.tokens.seats;
  }

  get spectatorToken(): string {
    return this.tokens.spectator;
  }

  /** The name of a seat's player. */
  player(seat: number): string {
    return this.players[seat - 1] ?? `seat ${seat}`;
  }

  /** A seat with its player. */
  named(seat: number): string {
    return `${this.player(seat)} (seat ${seat})`;
  }

  /** A viewer by name. */
  viewerName(viewer: Viewer): string {
    return viewer === 0 ? "a spectator" : this.named(viewer);
  }

  /** Returns whether a seat owes a decision. */
  owes(seat: number): boolean {
    return this.pending.some((owed) => owed.seat === seat);
  }

  /** A sentence with names for seats, and without versions. */
  said(sentence: string): string {
    const named = sentence.replaceAll(/\bseat (\d+)/gi, (seat, number: string) => this.players[Number(number) - 1] ?? seat);
    return named.replaceAll(/\bgo(es)? back to version \d+/g, (_, one?: string) => `take${one === undefined ? "" : "s"} back what was played`);
  }

  /** The sentences of events; one that is empty is covered by the next. */
  sentences(message: ReflectMessage): string[] {
    const sentences = each(message, "events").map((event) => this.said(text(event, "text")));
    return sentences.filter((sentence) => sentence !== "");
  }

  /** Requests the parts of the game that `show` names, as a viewer sees them. */
  look(viewer: Viewer, show: JsonObject): Promise<Call> {
    return this.#call("GetGame", { gameId: this.id, viewer: viewerJson(viewer), show }, viewer);
  }

  legal({ seat, kinds, all }: Asked, pageSize: number, pageToken: string): Promise<Call> {
    const detail = all ? "LIST_DETAIL_ALL_PAYMENTS" : "LIST_DETAIL_MOVES";
    const asked = { gameId: this.id, seat, kinds, detail, show: { text: true, components: true, amounts: true }, pageSize, pageToken };
    return this.#call("ListLegalActions", asked, seat);
  }

  events(viewer: Viewer, afterVersion: number, pageToken: string): Promise<Call> {
    const viewed = { gameId: this.id, viewer: viewerJson(viewer), afterVersion: String(afterVersion) };
    return this.#call("ListEvents", { ...viewed, show: { text: true, components: true }, pageSize: 1_000, pageToken }, viewer);
  }

  /** The type of the actions of its ruleset. */
  get actionType(): DescMessage {
    return typeOf(this.#joinedAction, this.ruleset);
  }

  /** The request that plays an action of the ruleset; the same request id is played once. */
  applying(seat: number, json: JsonObject, validateOnly: boolean): JsonObject {
    const action = joined(this.#joinedAction, this.ruleset, json);
    const request = { gameId: this.id, seat, action, expectedVersion: String(this.version), requestId: crypto.randomUUID() };
    return validateOnly ? { ...request, validateOnly } : { ...request, show: { events: true, text: true } };
  }

  get #joinedAction(): DescMessage {
    return methodOf(this.service.games, "ApplyAction").input.field.action!.message!;
  }

  async apply(seat: number, request: JsonObject): Promise<Call> {
    const call = await this.#call("ApplyAction", request, seat);
    if (request.validateOnly !== true) {
      this.learn(inside(inside(call.answer, "table"), "game"));
    }
    return call;
  }

  /** Newer facts of the game replace older ones. */
  learn(info: ReflectMessage): boolean {
    const newer = number(info, "version") > this.version;
    if (newer) {
      this.info = info;
    }
    return newer;
  }

  /** Tells of every change that the watch sees. */
  follow(onChange: () => void): void {
    this.#onChange = onChange;
  }

  /** Returns the newest drawing for a viewer, who is watched from then on; undefined if the game is closed before it is there. */
  drawing(viewer: Viewer, width: number): Promise<Drawn | undefined> {
    if (this.#watch?.viewer !== viewer || this.#watch.width !== width) {
      this.close();
      this.#watch = { viewer, width, at: this.#watched(viewer, width) };
    }
    return this.#watch.at.drawing(this.version);
  }

  #watched(viewer: Viewer, width: number): Watch {
    const watch = { gameId: this.id, viewer: viewerJson(viewer), show: { events: true, components: true, drawing: { width, changes: true } } };
    const open = (after: number, signal: AbortSignal) =>
      this.service.stream(this.service.games, "WatchGame", { ...watch, afterVersion: String(after) }, signal, this.token(viewer));
    return new Watch(open, (table, isNews) => (this.learn(inside(table, "game")) || isNews) && this.#onChange());
  }

  /** Stops following. */
  close(): void {
    this.#watch?.at.close();
    this.#watch = undefined;
  }

  #call(name: string, json: JsonObject, viewer: Viewer): Promise<Call> {
    return this.service.call(this.service.games, name, json, this.token(viewer));
  }

  /** Returns the token that a call for this viewer carries. */
  token(viewer: Viewer): string {
    return tokenOf(this.tokens, viewer, this.service.key);
  }
}

/** Returns the token that a call for a viewer carries: the viewer's own, the key of the page, or any that is there. */
export function tokenOf({ seats, spectator }: Tokens, viewer: Viewer, key: string): string {
  const own = viewer === 0 ? spectator : seats.get(viewer);
  return [own, key, spectator, ...seats.values()].find((token) => token !== undefined && token !== "") ?? "";
}

/** The tokens in the answer that made a game; without them, the page plays all seats with its key or with none. */
export function tokensOf(answer: ReflectMessage, game: ReflectMessage): Tokens {
  const tokens = inside(answer, "tokens");
  const seats = each(tokens, "seats").map((token): [number, string] => [number(token, "seat"), text(token, "token")]);
  return { seats: seats.length > 0 ? new Map(seats) : seatsOfPeople(game), spectator: text(tokens, "spectator") };
}

/** The seats of the user who asked: users see no other id than their own. Without tokens, since the user's token is the key of the page. */
export function seatsOfUser(game: ReflectMessage): Map<number, string> {
  const own = each(game, "players").filter((player) => text(player, "user") !== "");
  return new Map(own.map((player): [number, string] => [number(player, "seat"), ""]));
}

/** The seats that no bot plays, without tokens. */
export function seatsOfPeople(game: ReflectMessage): Map<number, string> {
  const people = each(game, "players").filter((player) => !has(player, "bot"));
  return new Map(people.map((player): [number, string] => [number(player, "seat"), ""]));
}

/** A message as it is sent. */
export function asJson(message: ReflectMessage): JsonObject {
  return toJson(message.desc, message.message) as JsonObject;
}

function viewerJson(viewer: Viewer): JsonObject {
  return viewer === 0 ? { kind: "VIEWER_KIND_SPECTATOR" } : { kind: "VIEWER_KIND_SEAT", seat: viewer };
}
