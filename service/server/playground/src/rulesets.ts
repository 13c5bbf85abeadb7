// The rulesets of the server, and their words for people. None of these calls needs a token.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, inside, type Service, text } from "./calls.js";
import { title, words } from "./words.js";

/** The words of a ruleset for people, by what they name. */
interface Words {
  /** What players are asked, by decision. */
  questions: Map<string, string>;
  /** The titles of terms. */
  terms: Map<string, string>;
  /** The titles of what every table has. */
  components: Map<string, string>;
}

export class Rulesets {
  #all: ReflectMessage[] = [];
  /** The words of each ruleset that was learned. */
  readonly #words = new Map<string, Words>();

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

  /** Reads the words of a ruleset, once. */
  async learn(ruleset: string): Promise<void> {
    if (this.#words.has(ruleset)) {
      return;
    }
    const { answer } = await this.#ask("GetCatalogue", { ruleset });
    const catalogue = inside(answer, "catalogue");
    const named = (field: string, name: string) =>
      new Map(each(catalogue, field).filter((one) => text(one, name) !== "").map((one) => [text(one, "id"), text(one, name)]));
    this.#words.set(ruleset, { questions: named("terms", "question"), terms: named("terms", "title"), components: named("components", "title") });
  }

  /** What a player is asked. */
  question(ruleset: string, decision: string): string {
    return this.#words.get(ruleset)?.questions.get(decision) ?? words(decision).toLowerCase();
  }

  /** The title of a decision, of a kind of action or of a source of points. */
  term(ruleset: string, id: string): string {
    const spelled = words(id);
    return this.#words.get(ruleset)?.terms.get(id) ?? spelled.charAt(0).toUpperCase() + spelled.slice(1);
  }

  /** The title of a component: as the catalogue has it, or out of its name. */
  component(ruleset: string, id: string): string {
    return this.#words.get(ruleset)?.components.get(id) ?? title(id.slice(id.indexOf(":") + 1));
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
