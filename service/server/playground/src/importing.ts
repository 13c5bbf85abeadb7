// A record becomes a game again: the file that an export has written, whole or up to a version.

import type { JsonObject } from "@bufbuild/protobuf";

import { inside, text } from "./calls.js";
import type { Desk } from "./desk.js";
import { place, submit } from "./dom.js";
import { Game, tokensOf } from "./game.js";

export class Importing {
  /** `play` is called with the new game. */
  constructor(
    private readonly desk: Desk,
    private readonly play: (game: Game) => void,
  ) {
    submit("import-form", () => this.#import());
  }

  async #import(): Promise<void> {
    const field = (id: string) => place<HTMLInputElement>(id);
    const record = field("import-file").files?.[0];
    if (record === undefined) {
      return;
    }
    const [atVersion, tenant] = [field("import-at").value, field("import-tenant").value.trim()];
    const plan: JsonObject = { requestId: crypto.randomUUID(), ...(atVersion === "" ? {} : { atVersion }), ...(tenant === "" ? {} : { tenant }) };
    const button = place("import-form").querySelector("button")!;
    button.disabled = true;
    place("import-status").textContent = `Sends ${record.name}, and waits until every version was checked.`;
    await this.desk.attempt(async () => {
      const { rulesets, service } = this.desk;
      const answer = await service.send(service.games, "ImportGame", { plan }, record);
      const game = inside(answer, "game");
      await rulesets.learn(text(game, "ruleset"));
      this.play(new Game(service, game, tokensOf(answer, game)));
    });
    place("import-status").textContent = "";
    button.disabled = false;
  }
}
