// What the server says of the options of a ruleset, for the form that creates a game.

import type { JsonValue } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { each, number, text } from "./calls.js";
import { asJson } from "./game.js";
import { valueWords } from "./words.js";

/** The description of one field of a form. */
export interface Told {
  /** The title of the field. Unset: its name says it. */
  title?: string;
  hint: string;
  /** The titles of its values, by their names. */
  titles?: Map<string, string>;
  /** The value that holds where none is given, as JSON. */
  otherwise?: JsonValue;
  /** The only values that it takes, as JSON; not given: what its type says. */
  allowed?: JsonValue[];
  min?: number;
  max?: number;
}

/** Every option of a ruleset by the path of its field, for this many players. */
export function optionsOf(ruleset: ReflectMessage, players: number): Map<string, Told> {
  const spoken = speaker(ruleset);
  const told = each(ruleset, "options").map((option) => typed(option, players));
  return new Map(told.map(([path, one]) => [path, { ...one, hint: spoken(one.hint) }]));
}

/** An option by its path. */
function typed(option: ReflectMessage, players: number): [string, Told] {
  const path = text(option, "field");
  const here = each(option, "values").find(
    (values) => number(values, "min_seats") <= players && players <= number(values, "max_seats"),
  );
  const hint = text(option, "description");
  if (here === undefined) {
    return [path, { title: text(option, "title"), hint: `${hint} Not with ${players} players.`, allowed: [] }];
  }
  const values = each(here, "values").map((value) => json(value, "value"));
  const explained = each(here, "values").map((value) => meaning(json(value, "value"), text(value, "description")));
  const items = isSet(here, "max_items") ? ` Items: ${number(here, "min_items")} to ${number(here, "max_items")}.` : "";
  return [
    path,
    {
      title: text(option, "title"),
      titles: titlesOf(option),
      hint: `${hint}${explained.join("")}${items}`,
      ...(isSet(option, "default_value") && { otherwise: json(option, "default_value") }),
      ...(values.length > 0 && { allowed: values }),
      ...(isSet(here, "min_value") && { min: number(here, "min_value") }),
      ...(isSet(here, "max_value") && { max: number(here, "max_value") }),
    },
  ];
}

function isSet(message: ReflectMessage, name: string): boolean {
  const field = message.fields.find((field) => field.name === name);
  return field !== undefined && message.isSet(field);
}

/** The value of a field as JSON. */
function json(message: ReflectMessage, name: string): JsonValue {
  const field = message.fields.find((field) => field.name === name)!;
  return asJson(message)[field.jsonName] ?? valueWords(field, message.get(field));
}

/** Returns the meaning of a value, unless its name says so. */
function meaning(value: JsonValue, description: string): string {
  const name = typeof value === "string" ? value : JSON.stringify(value);
  const named = description.toUpperCase().replaceAll(/\W+/g, "_").replaceAll(/^_|_$/g, "");
  return description === "" || name.endsWith(named) ? "" : ` ${name}: ${description}`;
}

/** A way to say a description in words: names of values and of other fields become what the form calls them. */
function speaker(ruleset: ReflectMessage): (description: string) => string {
  const options = each(ruleset, "options");
  const spoken = new Map(options.flatMap((option) => [unset(text(option, "type")), ...titlesOf(option)]));
  for (const option of options) {
    spoken.set(text(option, "field").replace("[]", ""), text(option, "title"));
  }
  return (description) => description.replaceAll(/[\w.]*_\w+/g, (name) => spoken.get(name) ?? name);
}

/** The value of an enum that means nothing is chosen: `SETUP_MODE_UNSPECIFIED` of `SetupMode`. */
function unset(type: string): [string, string] {
  const prefix = type.slice(type.lastIndexOf(".") + 1).replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  return [`${prefix}_UNSPECIFIED`, "what is not set"];
}

/** The titles of values, by their names: `SETUP_MODE_CUSTOM` is `Custom`. */
function titlesOf(option: ReflectMessage): Map<string, string> {
  const values = each(option, "values").flatMap((here) => each(here, "values"));
  const titled = values.filter((value) => text(value, "title") !== "");
  return new Map(titled.map((value) => [String(json(value, "value")), text(value, "title")]));
}
