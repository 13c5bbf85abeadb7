// Any message as a table of its fields.

import type { DescField } from "@bufbuild/protobuf";
import type { ReflectList, ReflectMessage } from "@bufbuild/protobuf/reflect";

import type { Contract } from "./contract.js";
import { h } from "./dom.js";
import { itemWords, valueWords, words } from "./words.js";

/** Text longer than this is folded. */
const LONGEST_LINE = 90;

/** A folded part shows its beginning. */
const LONGEST_SUMMARY = 60;

/** Longer lists are folded. */
const LONGEST_LIST = 5;

/** Draws messages; what differs from what a spectator sees is marked. */
export class Tree {
  constructor(
    private readonly contract: Contract,
    private readonly isOpen: (path: string, otherwise: boolean) => boolean,
    private readonly onFold: (path: string, open: boolean) => void,
  ) {}

  /** The fields of a message that are set. `other` is the same message as a spectator sees it. */
  draw(message: ReflectMessage, other: ReflectMessage | undefined, path = ""): HTMLElement {
    const rows = message.fields
      .filter((field) => message.isSet(field))
      .map((field) => this.#row(field, message, other, `${path}/${field.name}`));
    return rows.length === 0 ? h("p", { class: "none" }, "nothing") : h("dl", {}, ...rows);
  }

  #row(field: DescField, message: ReflectMessage, other: ReflectMessage | undefined, path: string): HTMLElement {
    const value = message.get(field);
    const seen = other?.get(field);
    const text = valueWords(field, value, true);
    const own = seen !== undefined && valueWords(field, seen, true) !== text;
    const name = h("dt", { title: this.contract.comment(field) }, words(field.name));
    const whole = field.fieldKind === "message" ? isShort(value as ReflectMessage, text) : !holdsMessages(field);
    if (own && whole) {
      name.append(ownMark());
    }
    return h("div", {}, name, h("dd", {}, this.#value(field, value, seen, text, path)));
  }

  #value(field: DescField, value: unknown, seen: unknown, text: string, path: string): Node | string {
    if (field.fieldKind === "message") {
      const message = value as ReflectMessage;
      const draw = () => this.draw(message, seen as ReflectMessage, path);
      return isShort(message, text) ? text : this.#fold(text, path, false, draw);
    }
    if (field.fieldKind === "list" && field.listKind === "message") {
      return this.#list(field, value as ReflectList<ReflectMessage>, seen as ReflectList<ReflectMessage>, path);
    }
    return text.length <= LONGEST_LINE ? text : this.#fold(text, path, false, () => h("p", {}, text));
  }

  #list(
    field: DescField,
    list: ReflectList<ReflectMessage>,
    seen: ReflectList<ReflectMessage> | undefined,
    path: string,
  ): HTMLElement {
    const items = [...list].map((item, index) => {
      const text = itemWords(field, item, true);
      const other = seen?.get(index);
      if (isShort(item, text)) {
        const own = other !== undefined && itemWords(field, other, true) !== text && ownMark();
        return h("li", {}, text, own);
      }
      const place = `${path}/${index}`;
      const first = path.lastIndexOf("/") === 0;
      return h("li", {}, this.#fold(text, place, first && list.size <= LONGEST_LIST, () => this.draw(item, other, place)));
    });
    const drawn = () => h("ol", {}, ...items);
    return items.length > LONGEST_LIST ? this.#fold(`${items.length} of them`, path, false, drawn) : drawn();
  }

  /** Something that can be unfolded; it is drawn when it is open. */
  #fold(summary: string, path: string, otherwise: boolean, draw: () => HTMLElement): HTMLElement {
    const short = summary.length <= LONGEST_SUMMARY ? summary : `${summary.slice(0, LONGEST_SUMMARY)}…`;
    const fold = h("details", { open: this.isOpen(path, otherwise), "data-path": path }, h("summary", {}, short));
    if (fold.open) {
      fold.append(draw());
    }
    fold.addEventListener("toggle", () => {
      this.onFold(path, fold.open);
      if (fold.open && fold.children.length === 1) {
        fold.append(draw());
      }
    });
    return fold;
  }
}

/** Returns whether one line says it all. */
function isShort(message: ReflectMessage, text: string): boolean {
  return text.length <= LONGEST_LINE && !message.fields.some((field) => message.isSet(field) && holdsMessages(field));
}

function holdsMessages(field: DescField): boolean {
  return field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message");
}

function ownMark(): HTMLElement {
  return h("span", { class: "own", title: "A spectator does not see this so." }, "own");
}
