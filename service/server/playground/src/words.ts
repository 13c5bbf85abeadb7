// Messages of any ruleset in words, from their descriptors alone.

import { type DescEnum, type DescField, ScalarType } from "@bufbuild/protobuf";
import type { ReflectList, ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";

/** `buy_card` is `buy card`. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** `buy_card` is `Buy card`. */
export function sentence(name: string): string {
  const spelled = words(name);
  return spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

/** The sentences of a comment that need no code. */
export function plain(comment: string): string {
  return comment.split(/(?<=\.) /).filter((sentence) => !/`|[A-Z]_|[a-z]_[a-z]/.test(sentence)).join(" ");
}

/** `THRONE_ROOM` is `Throne Room`, and `UNSEEN_OR_AGREED` is `Unseen or Agreed`. */
export function title(name: string): string {
  return words(name)
    .toLowerCase()
    .replaceAll(/(^| )(?!or |of |and )\w/g, (letter) => letter.toUpperCase());
}

/** `CARD_THRONE_ROOM` of the enum `Card` is `Throne Room`. */
export function enumWord(desc: DescEnum, number: number): string {
  const value = desc.value[number];
  return value === undefined ? String(number) : title(value.localName);
}

/** The field of the oneof `kind` that an action or an event has. */
export function kindOf(message: ReflectMessage): DescField | undefined {
  const kind = message.oneofs.find(({ name }) => name === "kind");
  return kind && message.oneofCase(kind);
}

/** An action or an event as a person would say it: `buy card: Village`. */
export function say(message: ReflectMessage): string {
  const kind = kindOf(message);
  if (kind === undefined) {
    return details(message) || "nothing";
  }
  const told = details(message.get(kind) as ReflectMessage);
  return told === "" ? words(kind.name) : `${words(kind.name)}: ${told}`;
}

/** The fields of a message, each with its name where the value alone does not tell; briefly: without zeros. */
export function details(message: ReflectMessage, briefly = false): string {
  const told = message.fields.filter((field) => (briefly ? message.isSet(field) : isTold(message, field)));
  const tell = (field: DescField) => {
    const text = valueWords(field, message.get(field), briefly);
    return told.length === 1 && speaksForItself(field) ? text : `${words(field.name)} ${text}`;
  };
  return told.map(tell).join(", ");
}

/** A field that is not set is not told, but a plain no, a zero and an empty list are: they are choices. */
function isTold(message: ReflectMessage, field: DescField): boolean {
  if (message.isSet(field)) {
    return true;
  }
  const implicit = field.fieldKind === "list" || (field.fieldKind === "scalar" && !hasPresence(field));
  return implicit && field.oneof === undefined;
}

/** Returns whether the message tells "not set" from the zero value. */
export function hasPresence(field: DescField): boolean {
  return field.presence === FeatureSet_FieldPresence.EXPLICIT || field.oneof !== undefined;
}

/** `card` of type `Card`, and `cards` likewise. */
function speaksForItself(field: DescField): boolean {
  if ("enum" in field && field.enum) {
    return isNamedAfter(field.name, field.enum.name);
  }
  if ("message" in field && field.message) {
    return isNamedAfter(field.name, field.message.name);
  }
  return "scalar" in field && field.scalar === ScalarType.STRING;
}

function isNamedAfter(field: string, type: string): boolean {
  const name = field.replaceAll("_", "");
  return name === type.toLowerCase() || name === `${type.toLowerCase()}s`;
}

/** The value of a field as a person would write it. */
export function valueWords(field: DescField, value: unknown, briefly = false): string {
  switch (field.fieldKind) {
    case "list":
      return runs([...(value as ReflectList)].map((item) => itemWords(field, item, briefly)));
    case "map":
      return `${[...(value as Iterable<unknown>)].length} entries`;
    default:
      return itemWords(field, value, briefly);
  }
}

/** One value, or one item of a list. */
export function itemWords(field: DescField, value: unknown, briefly = false): string {
  if ("enum" in field && field.enum) {
    return enumWord(field.enum, value as number);
  }
  if ("message" in field && field.message) {
    return details(value as ReflectMessage, briefly) || "nothing";
  }
  if (value instanceof Uint8Array) {
    return [...value].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}

/** `Copper ×2, Estate`: equal neighbors are counted, but numbers stand for themselves. */
export function runs(items: string[]): string {
  const told: [string, number][] = [];
  for (const item of items) {
    const last = told.at(-1);
    if (last?.[0] === item && !/^-?\d+$/.test(item)) {
      last[1] += 1;
    } else {
      told.push([item, 1]);
    }
  }
  return told.map(([item, count]) => (count === 1 ? item : `${item} ×${count}`)).join(", ") || "none";
}
