// Plays actions, and shows what came of the last one.

import type { JsonObject } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

import { each, inside, methodOf, text } from "./calls.js";
import { jsonLine, quoted } from "./code.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import { asJson, type Game } from "./game.js";
import { opened } from "./joined.js";
import { refused } from "./refusal.js";
import { say } from "./words.js";

/** As many actions are listed to choose one at random. */
const LISTED = 1_000;

/** An action that is to be played or judged. */
export interface Attempt {
  seat: number;
  /** The action of the ruleset. */
  action: JsonObject;
  /** The action in words. Unset: the words of its fields. */
  words?: string;
  judgeOnly?: boolean;
}

export class Acting {
  #game: Game | undefined;

  constructor(
    private readonly desk: Desk,
    private readonly refresh: () => Promise<void>,
  ) {
    place("random").addEventListener("click", () => void this.#playRandom(1));
    place("random-ten").addEventListener("click", () => void this.#playRandom(10));
    place("out-of-turn").addEventListener("click", () => void this.#outOfTurn());
  }

  /** Another game. */
  begin(game: Game): void {
    this.#game = game;
    fill(place("outcome"), h("p", { class: "none" }, "Nothing was played here yet."));
    this.#isRefused(false);
  }

  /** The game has moved on. */
  showFacts(game: Game): void {
    place<HTMLButtonElement>("out-of-turn").disabled = pair(game) === undefined;
    const idle = !game.own.some((seat) => game.owes(seat));
    place<HTMLButtonElement>("random").disabled = idle;
    place<HTMLButtonElement>("random-ten").disabled = idle;
  }

  /** Sends an action, and shows what came of it. */
  async apply({ seat, action, words, judgeOnly = false }: Attempt): Promise<void> {
    const game = this.#game!;
    const { service } = this.desk;
    const method = methodOf(service.games, "ApplyAction");
    const json = game.applying(seat, action, judgeOnly);
    const told = game.named(seat);
    try {
      const request = service.request(method, json);
      const sent = opened(inside(reflect(method.input, request), "action"))!;
      const line = quoted(jsonLine(sent));
      const flags = `--seat ${seat} --expect ${game.version}${judgeOnly ? " --dry-run" : ""}`;
      this.desk.snippets.show("apply", { method, request, command: `apply ${game.id} ${flags} ${line}` });
      const { answer } = await game.apply(seat, json);
      const events = judgeOnly ? [] : game.sentences(inside(answer, "entry")).map((sentence) => h("li", {}, sentence));
      const accepted = judgeOnly ? "would be accepted" : "was accepted";
      fill(place("outcome"), h("p", { class: "good" }, `✓ ${told}, ${words ?? say(sent)}: ${accepted}.`), h("ul", {}, ...events));
      this.#isRefused(false);
    } catch (error) {
      const { metadata, message, ...refusal } = service.refusal(error);
      const said = { ...refusal, metadata, message: game.said(message) };
      fill(place("outcome"), ...refused(this.desk, `${told} was refused`, said));
      this.#isRefused(true);
    }
    await this.refresh();
  }

  /** Shows a refusal to everybody, the answer to an accepted action to developers alone: events report the action. */
  #isRefused(refused: boolean): void {
    place("outcome-panel").classList.toggle("machine", !refused);
  }

  /** Sends an action that one seat may take now for another seat. */
  async #outOfTurn(): Promise<void> {
    const game = this.#game!;
    const [acting, other] = pair(game) ?? [];
    if (acting === undefined || other === undefined) {
      return;
    }
    await this.desk.attempt(async () => {
      const { answer } = await game.legal({ seat: acting, kinds: [], all: false }, 1, "");
      await this.apply({ ...attempt(each(answer, "actions")[0]!), seat: other });
    });
  }

  async #playRandom(count: number): Promise<void> {
    const game = this.#game!;
    await this.desk.attempt(async () => {
      for (let done = 0; done < count; done += 1) {
        const seat = game.own.find((seat) => game.owes(seat));
        if (seat === undefined) {
          return;
        }
        const { answer } = await game.legal({ seat, kinds: [], all: false }, LISTED, "");
        const actions = each(answer, "actions");
        const chosen = Math.floor(Math.random() * actions.length);
        await this.apply({ ...attempt(actions[chosen]!), seat });
      }
    });
  }
}

/** A legal action, to be played. */
function attempt(legal: ReflectMessage): Pick<Attempt, "action" | "words"> {
  return { action: asJson(opened(inside(legal, "action"))!), words: text(legal, "text") };
}

/** A seat of this page that owes a decision, and one that does not. */
function pair(game: Game): [number, number] | undefined {
  const acting = game.own.find((seat) => game.owes(seat));
  const other = game.own.find((seat) => !game.owes(seat));
  return acting === undefined || other === undefined ? undefined : [acting, other];
}
