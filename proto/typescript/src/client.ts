// The client: the services of the contract, and what takes more than one call.

import { clone, create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { type Client as Service, createClient, type Transport } from "@connectrpc/connect";

import { transport } from "#transport";
import {
  AccessService,
  type GameChange,
  GameFilterSchema,
  type GameLeft,
  GameService,
  ExportGameRequestSchema,
  type ExportGameResponse,
  GameStatus,
  type ListLegalActionsRequestSchema,
  type ListLegalActionsResponse,
  type LogEntry,
  RulesetService,
  SelfPlayService,
  type Table,
  type WatchedGame,
  WatchedGameSchema,
  WatchGameRequestSchema,
  WatchGamesRequestSchema,
  type WatchGamesResponse,
} from "../gen/v1.js";
import { Calls, type CallSettings, ServerTime } from "./calls.js";
import { Drawings } from "./drawings.js";
import { resumed, type StreamSettings } from "./resumed.js";

/** A version of a game: the table, and what led to it, if its events were asked for. */
export interface Change {
  table: Table;
  entry?: LogEntry | undefined;
}

/** A message of a feed of many games: a game at a version, or a game that it no longer follows. */
export type News = { case: "change"; value: GameChange } | { case: "left"; value: GameLeft };

/** Calls of one server. Calls that fail for a reason that passes are sent again; errors are `GamekeeperError`. */
export class Client {
  /** Games of all rulesets. */
  readonly games: Service<typeof GameService>;
  /** Tokens for seats and spectators. */
  readonly access: Service<typeof AccessService>;
  /** Rulesets, catalogues, rule texts. */
  readonly rulesets: Service<typeof RulesetService>;
  /** Games in memory, for bots. Not in browsers: it streams in both directions. */
  readonly selfPlay: Service<typeof SelfPlayService>;

  readonly #calls: Calls;
  readonly #line: { wire: Transport; close: () => void };
  readonly #time: ServerTime;
  readonly #settings: CallSettings;

  /** `server` is an address such as `http://127.0.0.1:50051`, or a transport of Connect. Does not connect yet. */
  constructor(server: string | Transport, settings: CallSettings = {}, time = new ServerTime()) {
    this.#line = typeof server === "string" ? transport(server) : { wire: server, close: () => {} };
    this.#settings = settings;
    this.#time = time;
    this.#calls = new Calls(this.#line.wire, settings, time);
    this.games = createClient(GameService, this.#calls);
    this.access = createClient(AccessService, this.#calls);
    this.rulesets = createClient(RulesetService, this.#calls);
    this.selfPlay = createClient(SelfPlayService, this.#calls);
  }

  /** A client with another token, or other settings, over the same connection. */
  with(settings: CallSettings): Client {
    return new Client(this.#line.wire, { ...this.#settings, ...settings }, this.#time);
  }

  /**
   * The time of the server in milliseconds since the Unix epoch, whatever the clock of this machine says: count down to
   * `PendingDecision.due` by it. The answers to calls and the bookmarks of streams keep it right.
   */
  now(): number {
    return this.#time.now();
  }

  /** Ends all calls and streams of the connection. */
  close(): void {
    this.#line.close();
  }

  /** Every legal action of a seat, all pages in one. Empty if the seat owes no decision. */
  async legalActions(
    request: MessageInitShape<typeof ListLegalActionsRequestSchema>,
    options: { signal?: AbortSignal } = {},
  ): Promise<ListLegalActionsResponse> {
    const all = await this.games.listLegalActions(request, options);
    while (all.nextPageToken !== "") {
      const page = await this.games.listLegalActions({ ...request, pageToken: all.nextPageToken }, options);
      all.actions.push(...page.actions);
      all.nextPageToken = page.nextPageToken;
    }
    return all;
  }

  /**
   * The table now, unless a version is named, and then every version, in order and each once, until the game is over.
   * A watch that breaks is resumed after the last version. Every table has its whole drawing, also where `DrawingStyle.changes`
   * spares most of its bytes.
   */
  async *watch(request: MessageInitShape<typeof WatchGameRequestSchema>, settings: StreamSettings = {}): AsyncGenerator<Change, void> {
    const after = clone(WatchGameRequestSchema, create(WatchGameRequestSchema, request));
    const drawings = new Drawings();
    let isOver = false;
    const open = (signal: AbortSignal) => this.games.watchGame(after, { signal });
    for await (const { table, entry, serverTime } of resumed(open, () => isOver, this.#calls.tries(), settings)) {
      // A message without a table only shows that the watch is alive.
      if (table?.game === undefined) {
        this.#heard(serverTime);
        continue;
      }
      after.afterVersion = table.game.version;
      after.afterTime = table.game.updateTime;
      drawings.complete(table);
      yield { table, entry };
      isOver = table.game.status === GameStatus.FINISHED;
    }
  }

  /**
   * Follows many games: the named ones, until all are over, or those of a user, without end. With a
   * user's token, `{}` is for the games of this user. A feed that breaks is resumed after the last version of each game. Drawings
   * are whole, as in `watch`.
   */
  async *feed(request: MessageInitShape<typeof WatchGamesRequestSchema>, settings: StreamSettings = {}): AsyncGenerator<News, void> {
    const named = (request.games ?? []).map((game) => create(WatchedGameSchema, game));
    const followed = new Map<string, WatchedGame>(named.map((game) => [game.gameId, game]));
    const drawings = new Drawings();
    const isOfToken = !request.user && request.games === undefined;
    let user = request.user ?? "";
    const isOver = () => user === "" && !isOfToken && followed.size === 0;
    const open = (signal: AbortSignal) => this.games.watchGames({ ...request, user, games: [...followed.values()] }, { signal });
    for await (const { update, serverTime } of resumed(open, isOver, this.#calls.tries(), settings)) {
      this.#heard(serverTime);
      if (update.case === "change") {
        follow(followed, update.value);
        if (update.value.table !== undefined) {
          drawings.complete(update.value.table);
        }
        // Only who resumes by name hears of new games too. A user's token shows no other user.
        user ||= (isOfToken && update.value.table?.game?.players.find((player) => player.user)?.user) || "";
        yield update;
      } else if (update.case === "left") {
        followed.delete(update.value.gameId);
        drawings.forget(update.value.gameId);
        yield update;
      }
    }
  }

  /**
   * Everything that happens in all games of the tenant that `request.filter` selects, without end. Every message has a
   * cursor: store it once the message is handled, and give it back to go on there, hours or days later. Every version
   * comes at least once, in order for each game. A message without an update only moves the cursor on.
   */
  async *tenantFeed(
    request: MessageInitShape<typeof WatchGamesRequestSchema> = {},
    settings: StreamSettings = {},
  ): AsyncGenerator<WatchGamesResponse, void> {
    const asked = clone(WatchGamesRequestSchema, create(WatchGamesRequestSchema, request));
    asked.filter ??= create(GameFilterSchema);
    const open = (signal: AbortSignal) => this.games.watchGames(asked, { signal });
    for await (const message of resumed(open, () => false, this.#calls.tries(), settings)) {
      this.#heard(message.serverTime);
      asked.cursor = message.cursor;
      asked.fromTime = undefined;
      yield message;
    }
  }

  /** A stream told the time of the server. */
  #heard(time: Timestamp | undefined): void {
    if (time !== undefined) {
      this.#time.heard(timestampMs(time));
    }
  }

  /** The full record of a game. An export that breaks is resumed after the last version; the header comes once. */
  async *export(
    request: MessageInitShape<typeof ExportGameRequestSchema>,
    settings: StreamSettings = {},
  ): AsyncGenerator<ExportGameResponse, void> {
    const after = clone(ExportGameRequestSchema, create(ExportGameRequestSchema, request));
    let newest: bigint | undefined;
    let isOver = false;
    let hasHeader = false;
    const open = (signal: AbortSignal) => this.games.exportGame(after, { signal });
    const complete = () => isOver || (newest !== undefined && after.afterVersion >= newest);
    for await (const message of resumed(open, complete, this.#calls.tries(), settings)) {
      const { part } = message;
      if (part.case === "version") {
        after.afterVersion = part.value.entry?.version ?? after.afterVersion;
      } else if (part.case === "header") {
        const { game } = part.value;
        // The record of a finished game has an end; any other ends with its newest version.
        newest = game?.status === GameStatus.FINISHED ? undefined : game?.version;
      }
      if (part.case !== "header" || !hasHeader) {
        yield message;
      }
      hasHeader = true;
      isOver = part.case === "end";
    }
  }
}

/** Notes the version from which a game is followed again; a game that is over is dropped. */
function follow(followed: Map<string, WatchedGame>, { table }: GameChange): void {
  const game = table?.game;
  if (game === undefined) {
    return;
  }
  if (game.status === GameStatus.FINISHED) {
    followed.delete(game.gameId);
    return;
  }
  const { gameId, version: afterVersion, updateTime: afterTime } = game;
  const viewer = followed.get(gameId)?.viewer;
  followed.set(gameId, create(WatchedGameSchema, { gameId, afterVersion, afterTime, viewer }));
}
