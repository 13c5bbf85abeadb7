// The rulesets of the server, and their words for people. None of these calls needs a token.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, inside, type Service, text } from "./calls.js";
import { words } from "./words.js";

export class Rulesets {
  #all: ReflectMessage[] = [];
  /** What players are asked, by ruleset and decision. */
  readonly #questions = new Map<string, Map<string, string>>();

  constructor(private readonly service: Service) {}

  /** Asks which rulesets there are. */
  async begin(): Promise<ReflectMessage[]> {
    const { answer } = await this.#ask("ListRulesets", {});
    this.#all = each(answer, "rulesets");
    return this.#all;
  }

  /** What the server says of a ruleset. */
  one(id: string): ReflectMessage {
    const ruleset = this.#all.find((ruleset) => text(ruleset, "id") === id);
    if (ruleset === undefined) {
      throw new Error(`this server does not know the ruleset ${id}`);
    }
    return ruleset;
  }

  /** The name of the game. */
  title(id: string): string {
    return text(this.one(id), "title");
  }

  /** Reads the questions of a ruleset, once. */
  async learn(ruleset: string): Promise<void> {
    if (this.#questions.has(ruleset)) {
      return;
    }
    const { answer } = await this.#ask("GetCatalogue", { ruleset });
    const terms = each(inside(answer, "catalogue"), "terms").filter((term) => text(term, "question") !== "");
    this.#questions.set(ruleset, new Map(terms.map((term) => [text(term, "id"), text(term, "question")])));
  }

  /** What a player is asked. */
  question(ruleset: string, decision: string): string {
    return this.#questions.get(ruleset)?.get(decision) ?? words(decision).toLowerCase();
  }

  /** The text of a rule. */
  async rule(id: string): Promise<ReflectMessage> {
    const { answer } = await this.#ask("GetRule", { id });
    return inside(answer, "rule");
  }

  #ask(method: string, json: Record<string, string>): Promise<Call> {
    return this.service.call(this.service.rulesets, method, json, "");
  }
}
