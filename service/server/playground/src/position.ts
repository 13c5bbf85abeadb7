// Tables on which games can begin: as a file describes them, or as operators see a game.

import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { Code, ConnectError } from "@connectrpc/connect";

import { methodOf, type Service } from "./calls.js";
import { asJson } from "./game.js";
import { opened, rulesetOf } from "./joined.js";

/** A table on which a game can begin. */
export interface Position {
  /** The id of the ruleset. */
  ruleset: string;
  /** The table, as it is sent. */
  view: JsonObject;
  /** The options that the table repeats; empty if it has none. */
  options: JsonObject;
  /** The number of players at it. */
  players: number;
  /** The names of the players, in seat order; undefined where only the table is known. */
  names: string[] | undefined;
  /** The file, or the version of a game, that the table is from. */
  source: string;
}

/** Reads a file with a table, as `gamekeeper position` writes it. */
export async function readPosition(service: Service, file: File): Promise<Position> {
  const type = methodOf(service.games, "CreateGame").input.field.position!.message!;
  try {
    const view = reflect(type, fromJson(type, JSON.parse(await file.text())));
    return positionOf(view, file.name);
  } catch (error) {
    throw new ConnectError(`${file.name} describes no table: ${(error as Error).message}`, Code.InvalidArgument);
  }
}

/** A view with everything on the table, as a position. */
export function positionOf(view: ReflectMessage, source: string, names?: string[]): Position {
  const [ruleset, inner] = [rulesetOf(view), opened(view)];
  if (ruleset === undefined || inner === undefined) {
    throw new Error("it names no ruleset");
  }
  const { options, players } = asJson(inner);
  return {
    ruleset,
    view: asJson(view),
    options: (options ?? {}) as JsonObject,
    players: Array.isArray(players) ? players.length : 0,
    names,
    source,
  };
}
