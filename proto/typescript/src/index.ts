// Gamekeeper from TypeScript and JavaScript. The messages and services of `gamekeeper.v1` are here, those of a ruleset
// in a module with its name: `@gamekeeper/client/dominion`.

export { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
export { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
export { Code } from "@connectrpc/connect";

export * from "../gen/v1.js";
export { act, type ActionInit, type RulesetCase } from "./act.js";
export type { CallSettings } from "./calls.js";
export { type Change, Client, type News } from "./client.js";
export { errorOf, GamekeeperError, NotAllowedError, RefusedError, StaleVersionError, UnavailableError } from "./errors.js";
export type { StreamSettings } from "./resumed.js";
