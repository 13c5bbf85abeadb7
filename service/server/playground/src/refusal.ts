// A refusal in full: code, message, fields, values, and the text of the rule where the server has it.

import { inside, methodOf, type Refusal, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { freshId, h } from "./dom.js";

/** The method that has the rulebook. Servers without it name rules by id alone. */
const METHOD = "GetRule";

/** What was refused, and why. */
export function refused(desk: Desk, what: string, { reason, status, message, metadata, fields }: Refusal): HTMLElement[] {
  const { rule = "", ...values } = metadata;
  const wrong = fields.map(({ field, description }): [string, string] => [field, description]);
  const rows = [...wrong, ...Object.entries({ ...values, status })];
  return [
    h("p", { class: "bad" }, `✗ ${what}: `, h("strong", {}, reason)),
    h("p", {}, message),
    ...(rule === "" ? [] : [ruleNote(desk, rule)]),
    h("dl", {}, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  ];
}

/** The id of a rule, and its text on request. */
function ruleNote(desk: Desk, rule: string): HTMLElement {
  if (!desk.games.methods.some(({ name }) => name === METHOD)) {
    return h("p", {}, `Rule ${rule}`);
  }
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
    const field = methodOf(desk.games, METHOD).input.fields.find(({ name }) => name.endsWith("id"))!;
    const { answer } = await desk.service.call(desk.games, METHOD, { [field.jsonName]: rule }, desk.token);
    const found = inside(answer, "rule");
    return [h("h4", {}, `${text(found, "id")}: ${text(found, "chapter_title")}`), h("p", {}, text(found, "text"))];
  } catch (error) {
    return [h("p", { class: "bad" }, `The rule cannot be shown: ${desk.service.refusal(error).message}`)];
  }
}
