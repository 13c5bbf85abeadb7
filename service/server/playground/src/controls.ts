// Controls for single values: enums, yes or no, numbers and text.

import { type DescEnum, type DescEnumValue, type DescField, type JsonValue, ScalarType } from "@bufbuild/protobuf";

import { h } from "./dom.js";
import type { Told } from "./options.js";
import { enumWord, hasPresence } from "./words.js";

/** A part of a form. What is not filled in reads as undefined. */
export interface Part {
  element: HTMLElement;
  read(): JsonValue | undefined;
}

/** The control for a value that is not a message. */
export function control(field: DescField, told?: Told): Part {
  if ("enum" in field && field.enum) {
    return enumControl(field.enum, told);
  }
  const scalar = "scalar" in field ? field.scalar : ScalarType.STRING;
  if (scalar === ScalarType.BOOL) {
    return boolControl(field, told);
  }
  const text = scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
  const unset = hasPresence(field) ? notSet(told) : "0";
  const input = h("input", text ? { type: "text" } : { type: "number", step: 1, min: told?.min, max: told?.max, placeholder: unset });
  return { element: input, read: () => (input.value === "" ? undefined : text ? input.value : Number(input.value)) };
}

/** Returns the words for an empty field; with the value that holds then, if it is known. */
function notSet(told?: Told, words = String(told?.otherwise)): string {
  return told?.otherwise === undefined ? "not set" : `not set: ${words}`;
}

function enumControl(desc: DescEnum, told?: Told): Part {
  const otherwise = desc.values.find(({ name }) => name === told?.otherwise);
  const word = ({ name, number }: DescEnumValue) => told?.titles?.get(name) ?? enumWord(desc, number);
  const unknown = notSet(told, otherwise && word(otherwise));
  const values = desc.values.filter(({ name, number }) => number === 0 || (told?.allowed?.includes(name) ?? true));
  const options = values.map((value) => h("option", { value: value.name }, value.number === 0 ? unknown : word(value)));
  const select = h("select", {}, ...options);
  const unset = desc.values.find(({ number }) => number === 0)?.name;
  return { element: select, read: () => (select.value === unset ? undefined : select.value) };
}

function boolControl(field: DescField, told?: Told): Part {
  const otherwise = notSet(told, told?.otherwise === true ? "yes" : "no");
  const unset = h("option", { value: "" }, hasPresence(field) ? otherwise : "no");
  const no = hasPresence(field) && h("option", { value: "no" }, "no");
  const select = h("select", {}, unset, no, h("option", { value: "yes" }, "yes"));
  return { element: select, read: () => (select.value === "" ? undefined : select.value === "yes") };
}
