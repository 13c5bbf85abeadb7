// The playground: a page to try the service with.

import { Contract } from "./contract.js";
import type { Facts } from "./desk.js";
import { Page } from "./page.js";

const [contract, facts] = await Promise.all([
  Contract.load("descriptors.bin"),
  fetch("facts.json").then((answer) => answer.json() as Promise<Facts>),
]);
await new Page(contract, facts).begin();
