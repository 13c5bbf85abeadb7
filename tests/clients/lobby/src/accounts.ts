// Who plays: accounts with passwords, and sessions.

import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

import { type Entry, type Journal, LobbyError } from "./journal.js";

const derive = promisify<string, string, number, Buffer>(scrypt);
const digest = (text: string) => createHash("sha256").update(text).digest("hex");
/** Letters, digits and a few marks: no name is invisible. Names that differ only in case or in how they are encoded are the
 * same. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,30}[\p{L}\p{N}.]$/u;
const key = (name: string) => name.normalize("NFKC").toLowerCase();

type Account = Extract<Entry, { kind: "account" }>;

export class Accounts {
  readonly #byId = new Map<string, Account>();
  readonly #byName = new Map<string, Account>();
  readonly #sessions = new Map<string, string>();

  constructor(private readonly journal: Journal<Entry>) {
    journal.each((entry) => {
      if (entry.kind === "account") {
        this.#byId.set(entry.id, entry);
        this.#byName.set(key(entry.name), entry);
      } else if (entry.kind === "session") {
        this.#sessions.set(entry.hash, entry.account);
      }
    });
  }

  /** A new account; gives its session. */
  async register(name: string, password: string): Promise<string> {
    if (!NAME.test(name)) {
      throw new LobbyError(400, "A name has 2 to 32 letters, digits, spaces, points and dashes.");
    }
    if (password.length < 10 || password.length > 200) {
      throw new LobbyError(400, "A password has 10 to 200 characters.");
    }
    const salt = randomBytes(16).toString("hex");
    const hash = (await derive(password, salt, 32)).toString("hex");
    if (this.#byName.has(key(name))) {
      throw new LobbyError(409, "This name is taken.");
    }
    const id = randomUUID();
    this.journal.append({ kind: "account", id, name, salt, hash });
    return this.#newSession(id);
  }

  async logIn(name: string, password: string): Promise<string> {
    const account = this.#byName.get(key(name));
    // Unknown names take as long as known ones.
    const hash = await derive(password.slice(0, 200), account?.salt ?? "", 32);
    if (account === undefined || !timingSafeEqual(hash, Buffer.from(account.hash, "hex"))) {
      throw new LobbyError(401, "Name or password are wrong.");
    }
    return this.#newSession(account.id);
  }

  /** The account of a session. */
  of(session: string): string {
    const account = this.#sessions.get(digest(session));
    if (account === undefined) {
      throw new LobbyError(401, "Log in first.");
    }
    return account;
  }

  nameOf(account: string): string {
    return this.#byId.get(account)?.name ?? account;
  }

  #newSession(account: string): string {
    const session = randomBytes(32).toString("hex");
    this.journal.append({ kind: "session", account, hash: digest(session) });
    return session;
  }
}
