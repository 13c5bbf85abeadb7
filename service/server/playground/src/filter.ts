// Which games a list or a feed has: by ruleset, user and label.

import type { JsonObject } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import type { Filter } from "./address.js";
import { text } from "./calls.js";
import { quoted } from "./code.js";
import { fill, h, place } from "./dom.js";

/** The fields of a filter on the page; their ids begin alike. */
export class FilterForm {
  constructor(private readonly prefix: string) {}

  /** Offers the rulesets of the server. */
  begin(rulesets: ReflectMessage[]): void {
    const chosen = this.#ruleset.value;
    const options = rulesets.map((ruleset) => h("option", { value: text(ruleset, "id") }, text(ruleset, "title")));
    fill(this.#ruleset, h("option", { value: "" }, "all"), ...options);
    this.#ruleset.value = chosen;
  }

  read(): Filter {
    return { ruleset: this.#ruleset.value, user: this.#user.value.trim(), label: this.#label.value.trim() };
  }

  write({ ruleset, user, label }: Filter): void {
    [this.#ruleset.value, this.#user.value, this.#label.value] = [ruleset, user, label];
  }

  get #ruleset(): HTMLSelectElement {
    return place(`${this.prefix}-ruleset`);
  }

  get #user(): HTMLInputElement {
    return place(`${this.prefix}-user`);
  }

  get #label(): HTMLInputElement {
    return place(`${this.prefix}-label`);
  }
}

/** A filter as it is sent. The key of a label ends at its first `=`. */
export function filterJson({ ruleset, user, label }: Filter): JsonObject {
  const [key = "", ...value] = label.split("=");
  return {
    ...(ruleset === "" ? {} : { ruleset }),
    ...(user === "" ? {} : { user }),
    ...(label === "" ? {} : { labels: { [key]: value.join("=") } }),
  };
}

/** A filter as flags of the command line. */
export function filterFlags({ ruleset, user, label }: Filter): string {
  const flags = Object.entries({ ruleset, user, label }).filter(([, value]) => value !== "");
  return flags.map(([name, value]) => ` --${name} ${quoted(value)}`).join("");
}
