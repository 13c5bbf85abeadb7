// Who plays: accounts with passwords, and sessions.

import { createHash, randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

import { DurableMap } from "./durable.js";
import { revoke } from "./games.js";
import { need } from "./refusal.js";

const derive = promisify<string, string, number, Buffer>(scrypt);
const digest = (text: string) => createHash("sha256").update(text).digest("hex");
/** Letters, digits and a few marks: no name is invisible. Names that differ only in case or encoding are the same. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,30}[\p{L}\p{N}.]$/u;
const key = (name: string) => name.normalize("NFKC").toLowerCase();
/** An account keeps its newest sessions, and each of them for a time in milliseconds. */
const [MAX_SESSIONS, LIFETIME] = [10, 30 * 86_400_000];

interface Account {
  name: string;
  secret: { salt: string; hash: string };
  sessions: { hash: string; until: number }[];
}

const accounts = new DurableMap<Account>("accounts");
const ids = new Map([...accounts].map(([id, { name }]) => [key(name), id]));
/** Accounts that are being signed out. */
const leaving = new Set<string>();

export const nameOf = (id: string) => accounts.get(id)?.name ?? id;

/** A new account; gives its session. */
export async function register(name: string, password: string): Promise<string> {
  need(NAME.test(name), 400, "A name has 2 to 32 letters, digits, spaces, points and dashes.");
  const secret = await secretOf(password);
  need(!ids.has(key(name)), 409, "This name is taken.");
  const id = randomUUID();
  ids.set(key(name), id);
  return newSession(id, { name, secret, sessions: [] });
}

export async function signIn(name: string, password: string): Promise<string> {
  const id = ids.get(key(name)) ?? "";
  return newSession(id, await checked(id, password));
}

/** The account of a session. */
export function accountOf(session: string): string {
  const [id = "", secret = ""] = session.split(".");
  const found = accounts.get(id)?.sessions.find(({ hash }) => hash === digest(secret));
  need(found !== undefined && found.until > Date.now() && !leaving.has(id), 401, "Sign in first.");
  return id;
}

/** Ends all sessions and tokens of an account, which may get a new password. Who gets no answer asks again. */
export async function signOut(id: string, changed: Partial<Account> = {}): Promise<void> {
  leaving.add(id);
  try {
    await revoke(id);
    accounts.set(id, { ...accounts.get(id)!, ...changed, sessions: [] });
  } finally {
    leaving.delete(id);
  }
}

/** Signs out; gives a new session. */
export async function changePassword(id: string, password: string, next: string): Promise<string> {
  await checked(id, password);
  await signOut(id, { secret: await secretOf(next) });
  return newSession(id, accounts.get(id)!);
}

async function secretOf(password: string): Promise<Account["secret"]> {
  need(password.length >= 10 && password.length <= 200, 400, "A password has 10 to 200 characters.");
  const salt = randomBytes(16).toString("hex");
  return { salt, hash: (await derive(password, salt, 32)).toString("hex") };
}

/** The account, if that is its password. Unknown ones take as long. */
async function checked(id: string, password: string): Promise<Account> {
  const { salt, hash } = accounts.get(id)?.secret ?? { salt: "", hash: "00".repeat(32) };
  const isRight = timingSafeEqual(await derive(password.slice(0, 200), salt, 32), Buffer.from(hash, "hex"));
  const account = accounts.get(id);
  need(isRight && account?.secret.hash === hash, 401, "Name or password are wrong.");
  return account;
}

function newSession(id: string, account: Account): string {
  const secret = randomBytes(32).toString("hex");
  const sessions = [...account.sessions, { hash: digest(secret), until: Date.now() + LIFETIME }].slice(-MAX_SESSIONS);
  accounts.set(id, { ...account, sessions });
  return `${id}.${secret}`;
}
