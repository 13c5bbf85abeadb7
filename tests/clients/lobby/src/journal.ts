// What the lobby must remember: a file of JSON lines. Games are not in it; Gamekeeper keeps them.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";

/** Entries that are on disk before anybody hears of them. */
export class Journal<E> {
  readonly #file: number;
  readonly #listeners: ((entry: E) => void)[] = [];

  constructor(private readonly path: string) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    // A line that was cut off by a crash was never answered.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) {
      truncateSync(path, Buffer.byteLength(whole));
    }
    this.#file = openSync(path, "a", 0o600);
  }

  /** Hears of every entry, those of the past first. */
  each(listener: (entry: E) => void): void {
    this.#listeners.push(listener);
    for (const line of readFileSync(this.path, "utf8").split("\n").slice(0, -1)) {
      listener(JSON.parse(line) as E);
    }
  }

  append(entry: E): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
    for (const listener of this.#listeners) {
      listener(entry);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** What a caller asked for cannot be done: the status of HTTP, and why. */
export class LobbyError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Everything that the lobby notes. */
export type Entry =
  | { kind: "account"; id: string; name: string; salt: string; hash: string }
  | { kind: "session"; account: string; hash: string }
  | { kind: "table"; id: string; ruleset: string; seats: number; seconds: number; host: string }
  | { kind: "joined" | "left"; table: string; account: string }
  | { kind: "closed"; table: string }
  | { kind: "started"; table: string; game: string }
  | { kind: "rated"; game: string; changes: Record<string, number> };
