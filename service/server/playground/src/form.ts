// A form for any message: what is filled in becomes protobuf JSON.

import type { DescField, DescMessage, DescOneof, JsonObject, JsonValue } from "@bufbuild/protobuf";

import type { Contract } from "./contract.js";
import { control, type Part } from "./controls.js";
import { fill, freshId, h } from "./dom.js";
import type { Told } from "./options.js";
import { plain, sentence, words } from "./words.js";

/** A form for a whole message. */
export interface MessageForm {
  element: HTMLElement;
  read(): JsonObject;
}

/** The position of a field: the path of its message, and the descriptions of fields by path. */
interface At {
  path: string;
  told: Map<string, Told>;
}

const OUTERMOST: At = { path: "", told: new Map() };

/** Makes forms. */
export class Forms {
  constructor(private readonly contract: Contract) {}

  /** A form; the note on a field, by its path, precedes its comment. */
  message(desc: DescMessage, told?: Map<string, Told>): MessageForm {
    return this.#message(desc, told === undefined ? OUTERMOST : { path: "", told });
  }

  #message(desc: DescMessage, at: At): MessageForm {
    const parts = desc.members.map((member): [() => string, Part] => {
      if (member.kind === "oneof") {
        const choice = this.#oneof(member, at);
        return [choice.name, choice];
      }
      return [() => member.jsonName, this.#field(member, inner(at, member))];
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
  #oneof(oneof: DescOneof, at: At): Part & { name(): string } {
    let chosen: { field: DescField; part: Part } | undefined;
    const body = h("div", {});
    const options = oneof.fields.map((field) => h("option", { value: field.name }, titleOf(field, inner(at, field))));
    const choose = () => {
      const field = oneof.fields.find(({ name }) => name === select.value);
      chosen = field && { field, part: this.#bare(field, inner(at, field)) };
      if (chosen?.field.fieldKind === "message") {
        chosen.part.element.role = "group";
      }
      chosen?.part.element.setAttribute("aria-label", titleOf(chosen.field, inner(at, chosen.field)));
      fill(body, field && this.#hint(field, inner(at, field)), chosen?.part.element);
    };
    const id = freshId();
    const select = h("select", { id, change: choose }, h("option", { value: "" }, "not set"), ...options);
    const label = h("label", { for: id }, titleOf(oneof, inner(at, oneof)));
    const element = h("div", { class: "field" }, label, this.#hint(oneof, inner(at, oneof)), select, body);
    return {
      element,
      name: () => chosen?.field.jsonName ?? "",
      read: () => chosen && (chosen.part.read() ?? (chosen.field.fieldKind === "message" ? {} : undefined)),
    };
  }

  /** Returns the hint with the meaning of a field. */
  #hint(desc: DescField | DescOneof, { path, told }: At): HTMLElement | undefined {
    const comment = this.contract.comment(desc);
    const hint = told.get(path)?.hint ?? (told.size > 0 ? plain(comment) : comment);
    return hint === "" ? undefined : h("p", { class: "hint" }, hint);
  }

  /** A field with its name and what it means. */
  #field(field: DescField, at: At): Part {
    if (field.fieldKind === "message") {
      return this.#optional(field, field.message, at);
    }
    if (field.fieldKind === "list") {
      return this.#list(field, { ...at, path: `${at.path}[]` });
    }
    const part = this.#bare(field, at);
    const id = freshId();
    part.element.id = id;
    const label = h("label", { for: id }, titleOf(field, at));
    const element = h("div", { class: "field" }, label, part.element, this.#hint(field, at));
    return { element, read: part.read };
  }

  /** A message that may be left out. */
  #optional(field: DescField, desc: DescMessage, at: At): Part {
    let form: MessageForm | undefined;
    const body = h("div", {});
    const id = freshId();
    const toggle = () => {
      form = box.checked ? this.#message(desc, { ...at, path: `${at.path}.` }) : undefined;
      fill(body, form?.element);
    };
    const box = h("input", { type: "checkbox", id, change: toggle });
    const label = h("label", { for: id }, titleOf(field, at));
    const element = h("div", { class: "field" }, h("span", { class: "check" }, box, label), this.#hint(field, at), body);
    return { element, read: () => form?.read() };
  }

  /** A list: rows that are added and removed. */
  #list(field: DescField, at: At): Part {
    const parts: Part[] = [];
    const rows = h("ul", {});
    const title = titleOf(field, at);
    const add = () => {
      const part = this.#bare(field, at);
      parts.push(part);
      const name = `${title}, item ${parts.length}`;
      part.element.setAttribute("aria-label", name);
      const remove = () => {
        parts.splice(parts.indexOf(part), 1);
        row.remove();
        button.focus();
      };
      const row = h("li", {}, part.element, h("button", { type: "button", click: remove, "aria-label": `Remove ${name}` }, "Remove"));
      rows.append(row);
    };
    const button = h("button", { type: "button", click: add, "aria-label": `Add to ${title}` }, "Add");
    const legend = h("legend", {}, title);
    const element = h("fieldset", { class: "field" }, legend, this.#hint(field, at), rows, button);
    const read = (): JsonValue[] => parts.map((part) => part.read() ?? null).filter((value) => value !== null);
    return { element, read: () => (parts.length === 0 ? undefined : read()) };
  }

  /** The control for one value. */
  #bare(field: DescField, at: At): Part {
    if ("message" in field && field.message) {
      return this.#message(field.message, { ...at, path: `${at.path}.` });
    }
    return control(field, at.told.get(at.path));
  }
}

function inner(at: At, { name }: DescField | DescOneof): At {
  return { ...at, path: at.path + name };
}

/** Returns the title of a field, or that of the only option in it; without one, its name. */
function titleOf({ name }: DescField | DescOneof, { path, told }: At): string {
  const within = [...told.keys()].filter((one) => one.startsWith(`${path}.`));
  const spelled = told.size > 0 ? sentence(name) : words(name);
  return told.get(path)?.title ?? (within.length === 1 ? told.get(within[0]!)?.title : undefined) ?? spelled;
}
