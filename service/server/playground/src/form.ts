// A form for any message: what is filled in becomes protobuf JSON.

import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";

import type { Contract } from "./contract.js";
import { fill, freshId, h } from "./dom.js";
import { enumWord, hasPresence, words } from "./words.js";

/** A part of a form. What is not filled in reads as undefined. */
interface Part {
  element: HTMLElement;
  read(): JsonValue | undefined;
}

/** A form for a whole message. */
export interface MessageForm {
  element: HTMLElement;
  read(): JsonObject;
}

/** What a member of the outermost message means; undefined: as its comment says. */
type Hints = (name: string) => string | undefined;

/** Makes forms. */
export class Forms {
  constructor(private readonly contract: Contract) {}

  message(desc: DescMessage, hints: Hints = () => undefined): MessageForm {
    const parts = desc.members.map((member): [() => string, Part] => {
      const hint = hints(member.name) ?? this.contract.comment(member);
      if (member.kind === "oneof") {
        const choice = this.#oneof(member, hint);
        return [choice.name, choice];
      }
      return [() => member.jsonName, this.#field(member, hint)];
    });
    const none = h("p", { class: "none" }, "Nothing to fill in.");
    const element = h("div", { class: "form" }, ...(parts.length === 0 ? [none] : parts.map(([, part]) => part.element)));
    const read = () => {
      const json: JsonObject = {};
      for (const [name, part] of parts) {
        const value = part.read();
        if (value !== undefined) {
          json[name()] = value;
        }
      }
      return json;
    };
    return { element, read };
  }

  /** One of several: a choice, and a form for what was chosen. */
  #oneof(oneof: DescOneof, hint: string): Part & { name(): string } {
    let chosen: { field: DescField; part: Part } | undefined;
    const body = h("div", {});
    const options = oneof.fields.map((field) => h("option", { value: field.name }, words(field.name)));
    const choose = () => {
      const field = oneof.fields.find(({ name }) => name === select.value);
      chosen = field && { field, part: this.#bare(field) };
      if (chosen?.field.fieldKind === "message") {
        chosen.part.element.role = "group";
      }
      chosen?.part.element.setAttribute("aria-label", words(chosen.field.name));
      fill(body, field && hintOf(this.contract.comment(field)), chosen?.part.element);
    };
    const id = freshId();
    const select = h("select", { id, change: choose }, h("option", { value: "" }, "not set"), ...options);
    const element = h("div", { class: "field" }, h("label", { for: id }, words(oneof.name)), hintOf(hint), select, body);
    return {
      element,
      name: () => chosen?.field.jsonName ?? "",
      read: () => chosen && (chosen.part.read() ?? (chosen.field.fieldKind === "message" ? {} : undefined)),
    };
  }

  /** A field with its name and what it means. */
  #field(field: DescField, hint: string): Part {
    if (field.fieldKind === "message") {
      return this.#optional(field, field.message, hint);
    }
    if (field.fieldKind === "list") {
      return this.#list(field, hint);
    }
    const part = this.#bare(field);
    const id = freshId();
    part.element.id = id;
    const label = h("label", { for: id }, words(field.name));
    const element = h("div", { class: "field" }, label, part.element, hintOf(hint));
    return { element, read: part.read };
  }

  /** A message that may be left out. */
  #optional(field: DescField, desc: DescMessage, hint: string): Part {
    let form: MessageForm | undefined;
    const body = h("div", {});
    const id = freshId();
    const toggle = () => {
      form = box.checked ? this.message(desc) : undefined;
      fill(body, form?.element);
    };
    const box = h("input", { type: "checkbox", id, change: toggle });
    const label = h("label", { for: id }, words(field.name));
    const element = h("div", { class: "field" }, h("span", { class: "check" }, box, label), hintOf(hint), body);
    return { element, read: () => form?.read() };
  }

  /** A list: rows that are added and removed. */
  #list(field: DescField, hint: string): Part {
    const parts: Part[] = [];
    const rows = h("ul", {});
    const add = () => {
      const part = this.#bare(field);
      parts.push(part);
      const name = `${words(field.name)}, item ${parts.length}`;
      part.element.setAttribute("aria-label", name);
      const remove = () => {
        parts.splice(parts.indexOf(part), 1);
        row.remove();
        button.focus();
      };
      const row = h("li", {}, part.element, h("button", { type: "button", click: remove, "aria-label": `Remove ${name}` }, "Remove"));
      rows.append(row);
    };
    const button = h("button", { type: "button", click: add, "aria-label": `Add to ${words(field.name)}` }, "Add");
    const legend = h("legend", {}, words(field.name));
    const element = h("fieldset", { class: "field" }, legend, hintOf(hint), rows, button);
    const read = () => parts.map((part) => part.read() ?? null).filter((value) => value !== null);
    return { element, read: () => (parts.length === 0 ? undefined : read()) };
  }

  /** The control for one value. */
  #bare(field: DescField): Part {
    if ("enum" in field && field.enum) {
      return enumControl(field.enum);
    }
    if ("message" in field && field.message) {
      return this.message(field.message);
    }
    const scalar = "scalar" in field ? field.scalar : ScalarType.STRING;
    if (scalar === ScalarType.BOOL) {
      return boolControl(field);
    }
    const text = scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
    const input = h("input", text ? { type: "text" } : { type: "number", step: 1, placeholder: hasPresence(field) ? "not set" : "0" });
    return { element: input, read: () => (input.value === "" ? undefined : text ? input.value : Number(input.value)) };
  }
}

function hintOf(text: string): HTMLElement | undefined {
  return text === "" ? undefined : h("p", { class: "hint" }, text);
}

function enumControl(desc: DescEnum): Part {
  const options = desc.values.map(({ name, number }) => h("option", { value: name }, number === 0 ? "not set" : enumWord(desc, number)));
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
