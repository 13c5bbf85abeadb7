// What the lobby must remember: maps in files of JSON lines, in the folder that LOBBY_FOLDER names.

import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

const FOLDER = process.env["LOBBY_FOLDER"] ?? "lobby";
mkdirSync(FOLDER, { recursive: true });

/** A map whose entries are on disk before anybody hears of them. Values are replaced, never changed. */
export class DurableMap<T> extends Map<string, T> {
  readonly #file: number;

  constructor(name: string) {
    super();
    const file = path.join(FOLDER, `${name}.jsonl`);
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    // What follows the last line end was cut off by a crash, and never answered.
    for (const line of lines.slice(0, -1)) {
      super.set(...(JSON.parse(line) as [string, T]));
    }
    // A new file with each entry once: what was replaced goes.
    this.#file = openSync(`${file}.new`, "w", 0o600);
    writeFileSync(this.#file, [...this].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    fsyncSync(this.#file);
    renameSync(`${file}.new`, file);
    const folder = openSync(FOLDER, "r");
    fsyncSync(folder);
    closeSync(folder);
  }

  override set(id: string, value: T): this {
    try {
      appendFileSync(this.#file, `${JSON.stringify([id, value])}\n`);
      fsyncSync(this.#file);
    } catch (error) {
      // Nobody knows what is on disk now: the next start reads it.
      console.error(error);
      process.exit(1);
    }
    return super.set(id, value);
  }
}
