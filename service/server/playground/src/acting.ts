// The panel with the last action: what came of it, and how to try another.

import type { JsonObject } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";

import { each, inside, methodOf, type Refusal, text } from "./calls.js";
import { jsonLine, quoted } from "./code.js";
import type { Desk } from "./desk.js";
import { fill, h, place, submit } from "./dom.js";
import type { MessageForm } from "./form.js";
import { asJson, type Game } from "./game.js";
import { say } from "./words.js";

export class Acting {
  #game: Game | undefined;
  #composer: MessageForm | undefined;

  constructor(
    private readonly desk: Desk,
    private readonly refresh: () => Promise<void>,
  ) {
    submit("compose-form", () => this.#compose());
    place("random").addEventListener("click", () => this.#playRandom(1));
    place("random-ten").addEventListener("click", () => this.#playRandom(10));
    place("out-of-turn").addEventListener("click", () => this.#outOfTurn());
  }

  /** Another game. */
  begin(game: Game): void {
    this.#game = game;
    fill(place("outcome"));
    const action = methodOf(game.desc, "ApplyAction").input.field.action!;
    this.#composer = this.desk.forms.message(action.message!);
    fill(place("composer"), this.#composer.element);
  }

  /** The game has moved on. */
  showFacts(game: Game): void {
    const count = game.pending.length;
    place<HTMLButtonElement>("out-of-turn").disabled = count === 0 || count === game.players.length;
  }

  /** Sends an action, and shows what came of it. */
  async apply(seat: number, action: JsonObject, judgeOnly: boolean): Promise<void> {
    const game = this.#game!;
    const method = methodOf(game.desc, "ApplyAction");
    const json = game.applying(seat, action, judgeOnly);
    const told = game.named(seat);
    try {
      const request = this.desk.service.request(method, json);
      const sent = inside(reflect(method.input, request), "action");
      const line = quoted(jsonLine(sent, this.desk.contract.registry));
      const flags = `--seat ${seat} --expect ${game.version}${judgeOnly ? " --dry-run" : ""}`;
      this.desk.snippets.show("apply", { method, request, command: `apply ${game.id} ${flags} ${line}` });
      const { answer } = await game.apply(json);
      const events = judgeOnly ? [] : each(answer, "events").map((event) => h("li", {}, game.said(text(event, "text"))));
      const accepted = judgeOnly ? "would be accepted" : "was accepted";
      fill(place("outcome"), h("p", { class: "good" }, `✓ ${told}, ${say(sent)}: ${accepted}.`), h("ul", {}, ...events));
    } catch (error) {
      fill(place("outcome"), ...refused(game, told, this.desk.service.refusal(error)));
    }
    await this.refresh();
  }

  async #compose(): Promise<void> {
    const seat = Number(place<HTMLSelectElement>("compose-seat").value);
    const judgeOnly = place<HTMLInputElement>("judge-only").checked;
    await this.apply(seat, this.#composer!.read(), judgeOnly);
  }

  /** What one seat may do now, done by another. */
  async #outOfTurn(): Promise<void> {
    const game = this.#game!;
    await this.desk.attempt(async () => {
      const { answer } = await game.legal(game.pending[0]!.seat, "");
      const other = game.seats.find((seat) => !game.owes(seat))!;
      await this.apply(other, asJson(each(answer, "actions")[0]!), false);
    });
  }

  async #playRandom(count: number): Promise<void> {
    const game = this.#game!;
    await this.desk.attempt(async () => {
      for (let done = 0; done < count && game.pending[0] !== undefined; done += 1) {
        const { seat } = game.pending[0];
        const actions = each((await game.legal(seat, "")).answer, "actions");
        const action = actions[Math.floor(Math.random() * actions.length)]!;
        await this.apply(seat, asJson(action), false);
      }
    });
  }
}

function refused(game: Game, told: string, { reason, status, message, metadata }: Refusal): HTMLElement[] {
  const rule = metadata.rule === undefined ? "" : `, rule ${metadata.rule}`;
  const more = Object.entries(metadata).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  return [
    h("p", { class: "bad" }, `✗ ${told} was refused: `, h("strong", {}, reason), rule),
    h("p", {}, game.said(message)),
    h("dl", {}, h("div", {}, h("dt", {}, "status"), h("dd", {}, status)), ...more),
  ];
}
