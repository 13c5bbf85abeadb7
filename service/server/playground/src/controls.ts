// Controls for single values: enums, yes or no, numbers and text.

import { type DescEnum, type DescField, type JsonValue, ScalarType } from "@bufbuild/protobuf";

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
    return enumControl(field.enum, told?.allowed);
  }
  const scalar = "scalar" in field ? field.scalar : ScalarType.STRING;
  if (scalar === ScalarType.BOOL) {
    return boolControl(field);
  }
  const text = scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
  const unset = hasPresence(field) ? "not set" : "0";
  const input = h("input", text ? { type: "text" } : { type: "number", step: 1, min: told?.min, max: told?.max, placeholder: unset });
  return { element: input, read: () => (input.value === "" ? undefined : text ? input.value : Number(input.value)) };
}

function enumControl(desc: DescEnum, allowed: JsonValue[] | undefined): Part {
  const values = desc.values.filter(({ name, number }) => number === 0 || (allowed?.includes(name) ?? true));
  const options = values.map(({ name, number }) => h("option", { value: name }, number === 0 ? "not set" : enumWord(desc, number)));
  const select = h("select", {}, ...options);
  const unset = desc.values.find(({ number }) => number === 0)?.name;
  return { element: select, read: () => (select.value === unset ? undefined : select.value) };
}

function boolControl(field: DescField): Part {
  const unset = h("option", { value: "" }, hasPresence(field) ? "not set" : "no");
  const no = hasPresence(field) && h("option", { value: "no" }, "no");
  const select = h("select", {}, unset, no, h("option", { value: "yes" }, "yes"));
  return { element: select, read: () => (select.value === "" ? undefined : select.value === "yes") };
}
