// One game, looked at from every seat.

import { type DescService, type JsonObject, toJson } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, inside, number, type Service, text } from "./calls.js";

/** How long to wait before a watch that was cut goes on, in milliseconds. */
const PAUSE = 1_000;

/** Who looks: a seat, or 0 for a spectator. */
export type Viewer = number;

/** A game that is played on the page. */
export class Game {
  readonly #over = new AbortController();

  constructor(
    readonly service: Service,
    readonly desc: DescService,
    readonly ruleset: string,
    public info: ReflectMessage,
  ) {}

  get id(): string {
    return text(this.info, "game_id");
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

  /** The name of a seat's player. */
  player(seat: number): string {
    return this.players[seat - 1] ?? `seat ${seat}`;
  }

  /** The seats, from 1. */
  get seats(): number[] {
    return this.players.map((_, index) => index + 1);
  }

  /** A seat with its player. */
  named(seat: number): string {
    return `${this.player(seat)} (seat ${seat})`;
  }

  /** Does this seat owe a decision? */
  owes(seat: number): boolean {
    return this.pending.some((owed) => owed.seat === seat);
  }

  /** A sentence with names for seats. */
  said(sentence: string): string {
    return sentence.replaceAll(/\bseat (\d+)/gi, (seat, number: string) => this.players[Number(number) - 1] ?? seat);
  }

  look(viewer: Viewer): Promise<Call> {
    return this.service.call(this.desc, "GetGame", { gameId: this.id, viewer: viewerJson(viewer) });
  }

  legal(seat: number, pageToken: string): Promise<Call> {
    return this.service.call(this.desc, "ListLegalActions", { gameId: this.id, seat, pageSize: 200, pageToken });
  }

  events(viewer: Viewer, afterVersion: number, pageToken: string): Promise<Call> {
    const viewed = { gameId: this.id, viewer: viewerJson(viewer), afterVersion: String(afterVersion) };
    return this.service.call(this.desc, "ListEvents", { ...viewed, pageSize: 1_000, pageToken, withText: true });
  }

  /** The request that plays an action; the same request id is played once. */
  applying(seat: number, action: JsonObject, validateOnly: boolean): JsonObject {
    const request = { gameId: this.id, seat, action, expectedVersion: String(this.version), requestId: crypto.randomUUID() };
    return validateOnly ? { ...request, validateOnly } : { ...request, withText: true };
  }

  async apply(request: JsonObject): Promise<Call> {
    const call = await this.service.call(this.desc, "ApplyAction", request);
    if (request.validateOnly !== true) {
      this.learn(inside(call.answer, "game"));
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

  /** Follows the game until another one is opened; a watch that is cut goes on where it was. */
  async follow(onVersion: () => void): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        const watch = { gameId: this.id, afterVersion: String(this.version), viewMode: "VIEW_MODE_NONE" };
        for await (const message of this.service.stream(this.desc, "WatchGame", watch, signal)) {
          const version = message.oneofCase(message.oneofs[0]!);
          if (version?.name === "version" && this.learn(inside(inside(message, "version"), "game"))) {
            onVersion();
          }
        }
      } catch {
        // The watch was cut: it goes on.
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /** Stops following. */
  close(): void {
    this.#over.abort();
  }
}

/** A message as it is sent. */
export function asJson(message: ReflectMessage): JsonObject {
  return toJson(message.desc, message.message) as JsonObject;
}

function viewerJson(viewer: Viewer): JsonObject {
  return viewer === 0 ? { kind: "VIEWER_KIND_SPECTATOR" } : { kind: "VIEWER_KIND_SEAT", seat: viewer };
}
