// The rulesets of the server, and their words for people. None of these calls needs a token.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { type Call, each, inside, type Service, text } from "./calls.js";
import { asJson } from "./game.js";
import { sentence, title, words } from "./words.js";

/** The words of a ruleset for people, by what they name. */
interface Words {
  /** The questions to players, by decision. */
  questions: Map<string, string>;
  /** The titles of kinds of actions. */
  actions: Map<string, string>;
  /** The effects of kinds of actions, with the ids of their rules. */
  help: Map<string, { text: string; rules: string[] }>;
  /** The titles of sources of points. */
  sources: Map<string, string>;
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

  /** Returns the server's description of a ruleset. */
  one(id: string): ReflectMessage {
    const ruleset = this.#find(id);
    if (ruleset === undefined) {
      throw new Error(`this server does not know the ruleset ${id}`);
    }
    return ruleset;
  }

  #find(id: string): ReflectMessage | undefined {
    return this.#all.find((ruleset) => text(ruleset, "id") === id);
  }

  /** The name of the game; its id, if the server was updated since the page asked which there are. */
  title(id: string): string {
    const ruleset = this.#find(id);
    return ruleset === undefined ? id : text(ruleset, "title");
  }

  /** Reads the words of a ruleset, once. */
  async learn(ruleset: string): Promise<void> {
    if (this.#words.has(ruleset)) {
      return;
    }
    const { answer } = await this.#ask("GetCatalogue", { ruleset });
    const catalogue = inside(answer, "catalogue");
    const named = (ones: ReflectMessage[], name: string) => new Map(ones.map((one) => [text(one, "id"), text(one, name)]));
    const terms = (kind: string) => each(catalogue, "terms").filter((term) => asJson(term).kind === `TERM_KIND_${kind}`);
    this.#words.set(ruleset, {
      questions: named(terms("DECISION"), "question"),
      actions: named(terms("ACTION"), "title"),
      help: new Map(terms("ACTION").map((term) => [text(term, "id"), { text: text(term, "help"), rules: asJson(term).rules as string[] }])),
      sources: named(terms("SCORE"), "title"),
      components: named(each(catalogue, "components"), "title"),
    });
  }

  /** Returns the question to a player who owes a decision. */
  question(ruleset: string, decision: string): string {
    return this.#words.get(ruleset)?.questions.get(decision) ?? words(decision).toLowerCase();
  }

  /** The title of a kind of action. */
  action(ruleset: string, kind: string): string {
    return this.#words.get(ruleset)?.actions.get(kind) ?? sentence(kind);
  }

  /** Returns the effect of a kind of action, and the ids of its rules. */
  help(ruleset: string, kind: string): { text: string; rules: string[] } {
    return this.#words.get(ruleset)?.help.get(kind) ?? { text: "", rules: [] };
  }

  /** The title of a source of points. */
  source(ruleset: string, id: string): string {
    return this.#words.get(ruleset)?.sources.get(id) ?? sentence(id);
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
