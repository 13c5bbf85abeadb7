// What every panel of the page works with.

import type { DescService } from "@bufbuild/protobuf";

import { Service } from "./calls.js";
import { type Address, Snippets } from "./code.js";
import type { Contract } from "./contract.js";
import { place } from "./dom.js";
import { Forms } from "./form.js";

/** What the server says of itself. */
export interface Facts extends Address {
  version: string;
}

/** The contract, the service, and the ways to show code and failures. */
export class Desk {
  readonly service: Service;
  readonly forms: Forms;
  readonly snippets: Snippets;

  constructor(
    readonly contract: Contract,
    facts: Facts,
  ) {
    this.service = new Service(contract, new URL("api", location.href).href);
    this.forms = new Forms(contract);
    this.snippets = new Snippets(facts, contract.registry);
  }

  /** The service of all rulesets. */
  get games(): DescService {
    return this.contract.service("gamekeeper.v1.GamesService");
  }

  /** Does something that may fail, and says so. */
  async attempt(work: () => Promise<unknown>): Promise<void> {
    place("failure").textContent = "";
    try {
      await work();
    } catch (error) {
      const { reason, message, metadata } = this.service.refusal(error);
      place("failure").textContent = `✗ ${reason}${metadata.rule ? ` (rule ${metadata.rule})` : ""}: ${message}`;
    }
  }
}
