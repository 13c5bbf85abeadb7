// A game as one viewer sees it, by a watch that sends what changes in the drawing.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { each, has, inside, number, text } from "./calls.js";

/** The time to wait before a watch that was cut is resumed, in milliseconds. */
const PAUSE = 1_000;

/** After this time without a version that must be there, a watch is opened anew, in milliseconds. */
const LATE = 10_000;

/** A component that an event moves, and the components between which it moves; an empty one is beside the table. */
export interface Movement {
  component: string;
  from: string;
  to: string;
}

/** The drawing of a version. */
export interface Drawn {
  version: number;
  source: string;
  /** The movements since the drawing that was asked for before. */
  movements: Movement[];
}

/** Somebody who waits for a version. */
interface Waiting {
  version: number;
  resolve: (drawn: Drawn | undefined) => void;
  reject: (error: unknown) => void;
}

export class Watch {
  readonly #over = new AbortController();
  /** The stream of the moment. */
  #line = new AbortController();
  #drawn: Drawn = { version: 0, source: "", movements: [] };
  #waiting: Waiting[] = [];

  /** `open` opens a stream with what follows a version, with events and their components. `seen` is called with every table, and with whether nobody has waited for it. */
  constructor(
    private readonly open: (after: number, signal: AbortSignal) => AsyncIterable<ReflectMessage>,
    private readonly seen: (table: ReflectMessage, isNews: boolean) => void,
  ) {
    void this.#follow();
  }

  /** Returns the drawing of a version or of a later one, as soon as it is there; undefined if the watch is closed before. */
  async drawing(version: number): Promise<Drawn | undefined> {
    const drawn = this.#drawn.version >= version ? this.#drawn : await this.#later(version);
    this.#drawn = { ...this.#drawn, movements: [] };
    return drawn;
  }

  #later(version: number): Promise<Drawn | undefined> {
    const late = setTimeout(() => this.#line.abort(), LATE);
    const drawn = new Promise<Drawn | undefined>((resolve, reject) => this.#waiting.push({ version, resolve, reject }));
    return drawn.finally(() => clearTimeout(late));
  }

  /** Ends the watch. */
  close(): void {
    this.#over.abort();
    this.#line.abort();
    this.#waiting.splice(0).forEach(({ resolve }) => resolve(undefined));
  }

  /** Reads the stream until the watch is closed; a stream that is cut goes on where it was. */
  async #follow(): Promise<void> {
    while (!this.#over.signal.aborted) {
      this.#line = new AbortController();
      let isHeard = false;
      try {
        for await (const message of this.open(this.#drawn.version, this.#line.signal)) {
          isHeard = true;
          // A message without a table only shows that the watch is alive.
          if (has(message, "table")) {
            this.#see(inside(message, "table"), each(inside(message, "entry"), "events"));
          }
        }
      } catch (error) {
        // What was cut is tried again before anybody hears of it.
        if (!isHeard) {
          this.#waiting.splice(0).forEach(({ reject }) => reject(error));
        }
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  #see(table: ReflectMessage, events: ReflectMessage[]): void {
    const moved = events.flatMap((event) => each(event, "movements")).map((one) => ({ component: text(one, "component"), from: text(one, "from_place"), to: text(one, "to_place") }));
    const drawn = {
      version: number(inside(table, "game"), "version"),
      source: redrawn(this.#drawn.source, table),
      movements: [...this.#drawn.movements, ...moved],
    };
    this.#drawn = drawn;
    const served = this.#waiting.filter(({ version }) => version <= drawn.version);
    this.#waiting = this.#waiting.filter(({ version }) => version > drawn.version);
    this.seen(table, served.length === 0);
    served.forEach(({ resolve }) => resolve(drawn));
  }
}

/** The drawing of a table: whole, or made of the one before. */
function redrawn(before: string, table: ReflectMessage): string {
  if (!has(table, "drawing_changes")) {
    return text(table, "drawing");
  }
  const lines = before.split("\n");
  const parts = each(inside(table, "drawing_changes"), "parts").map((part) => {
    const [first, count] = [number(part, "first"), number(part, "count")];
    return count > 0 ? lines.slice(first, first + count).join("\n") : text(part, "lines");
  });
  return parts.join("\n");
}
