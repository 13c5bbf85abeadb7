// What every panel of the page works with.

import { Service } from "./calls.js";
import { type Address, Snippets } from "./code.js";
import type { Contract } from "./contract.js";
import { fill, place } from "./dom.js";
import { Forms } from "./form.js";
import { refused } from "./refusal.js";
import { Rulesets } from "./rulesets.js";

/** The facts that the server publishes about itself. */
export interface Facts extends Address {
  version: string;
}

/** The contract, the service, and the ways to show code and failures. */
export class Desk {
  readonly service: Service;
  readonly rulesets: Rulesets;
  readonly forms: Forms;
  readonly snippets: Snippets;

  constructor(
    readonly contract: Contract,
    readonly facts: Facts,
  ) {
    this.service = new Service(contract, new URL("api", location.href).href);
    this.rulesets = new Rulesets(this.service);
    this.forms = new Forms(contract);
    this.snippets = new Snippets(facts);
  }

  /** Does something that may fail, and says so. True if it did not. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    fill(place("failure"));
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** Says that something failed, and why. */
  fail(error: unknown): void {
    fill(place("failure"), ...refused(this, "Refused", this.service.refusal(error)));
    place("failure").scrollIntoView({ block: "nearest" });
  }
}
