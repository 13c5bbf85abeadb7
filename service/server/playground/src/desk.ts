// What every panel of the page works with.

import type { DescService } from "@bufbuild/protobuf";

import { Service } from "./calls.js";
import { type Address, Snippets } from "./code.js";
import type { Contract } from "./contract.js";
import { fill, place } from "./dom.js";
import { Forms } from "./form.js";
import { refused } from "./refusal.js";

/** What the server says of itself. */
export interface Facts extends Address {
  version: string;
}

/** The contract, the service, and the ways to show code and failures. */
export class Desk {
  readonly service: Service;
  readonly forms: Forms;
  readonly snippets: Snippets;
  /** A token that holds, for questions that belong to no seat. */
  token = "";

  constructor(
    readonly contract: Contract,
    readonly facts: Facts,
  ) {
    this.service = new Service(contract, new URL("api", location.href).href);
    this.forms = new Forms(contract);
    this.snippets = new Snippets(facts, contract.registry);
  }

  /** The service of all rulesets. */
  get games(): DescService {
    return this.contract.service("gamekeeper.v1.GamesService");
  }

  /** Does something that may fail, and says so. True if it did not. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    fill(place("failure"));
    try {
      await work();
      return true;
    } catch (error) {
      fill(place("failure"), ...refused(this, "Refused", this.service.refusal(error)));
      place("failure").scrollIntoView({ block: "nearest" });
      return false;
    }
  }
}
