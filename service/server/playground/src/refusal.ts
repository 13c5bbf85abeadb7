// A refusal in full: code, message, fields, values, and the text of the rule.

import { type Refusal, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { freshId, h } from "./dom.js";

/** Returns the words for a refusal: the request, the reason and the values. */
export function refused(desk: Desk, what: string, { reason, status, message, metadata, fields }: Refusal): HTMLElement[] {
  const { rule = "", ...values } = metadata;
  const wrong = fields.map(({ field, description }): [string, string] => [field, description]);
  const rows = [...wrong, ...Object.entries({ ...values, status })];
  return [
    h("p", { class: "bad" }, `✗ ${what}`, h("span", { class: "machine" }, ": ", h("strong", {}, reason))),
    h("p", {}, message),
    ...(rule === "" ? [] : [ruleNote(desk, rule)]),
    h("dl", { class: "machine" }, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  ];
}

/** The id of a rule, and its text on request. */
export function ruleNote(desk: Desk, rule: string): HTMLElement {
  const id = freshId();
  const shown = h("div", { id, class: "rule", hidden: true });
  const toggle = async () => {
    shown.hidden = !shown.hidden;
    button.setAttribute("aria-expanded", String(!shown.hidden));
    if (shown.childElementCount === 0) {
      shown.replaceChildren(...(await read(desk, rule)));
    }
  };
  const button = h("button", { type: "button", "aria-expanded": "false", "aria-controls": id, click: () => void toggle() }, `Rule ${rule}`);
  return h("div", {}, button, shown);
}

async function read(desk: Desk, rule: string): Promise<HTMLElement[]> {
  try {
    const found = await desk.rulesets.rule(rule);
    return [h("h4", {}, `${text(found, "id")}: ${text(found, "chapter_title")}`), h("p", {}, text(found, "text"))];
  } catch (error) {
    return [h("p", { class: "bad" }, `The rule cannot be shown: ${desk.service.refusal(error).message}`)];
  }
}
