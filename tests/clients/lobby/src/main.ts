// The lobby over HTTP: node build/main.js PORT JOURNAL GAMEKEEPER. GAMEKEEPER_KEY is the key of the tenant.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { Client, GamekeeperError } from "@gamekeeper/client";

import { Accounts } from "./accounts.js";
import { Games } from "./games.js";
import { type Entry, Journal, LobbyError } from "./journal.js";
import { Ratings } from "./ratings.js";
import { Tables } from "./tables.js";

const LOBBY = "main";
const MAX_BODY = 4_096;

const [port = "8080", path = "lobby.jsonl", address = "http://127.0.0.1:50051"] = process.argv.slice(2);
const client = new Client(address, { token: process.env["GAMEKEEPER_KEY"] });
const journal = new Journal<Entry>(path);
const accounts = new Accounts(journal);
const tables = new Tables(journal, client, accounts, LOBBY);
const games = new Games(client, LOBBY);
const ratings = new Ratings(journal, client, LOBBY);

interface Call {
  /** What the stars of the route stand for. */
  parts: string[];
  body: Record<string, unknown>;
  /** Who calls. */
  me: () => string;
  response: ServerResponse;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const whole = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0);

const routes: Record<string, (call: Call) => unknown> = {
  "POST /accounts": async ({ body }) => ({ session: await accounts.register(text(body["name"]), text(body["password"])) }),
  "POST /sessions": async ({ body }) => ({ session: await accounts.logIn(text(body["name"]), text(body["password"])) }),
  "GET /tables": () => ({ tables: tables.waiting() }),
  "POST /tables": async ({ me, body }) => {
    return { table: await tables.open(me(), text(body["ruleset"]), whole(body["seats"]), whole(body["seconds"])) };
  },
  "POST /tables/*/players": async ({ me, parts }) => ({ game: (await tables.join(parts[0]!, me())) ?? null }),
  "DELETE /tables/*/players": ({ me, parts }) => tables.leave(parts[0]!, me()),
  "POST /tables/*/start": async ({ me, parts }) => ({ game: await tables.start(parts[0]!, me()) }),
  "GET /games": async () => ({ games: await games.all() }),
  "POST /games/*/token": ({ me, parts }) => games.token(parts[0]!, me()),
  "GET /my/games": async ({ me }) => ({ games: await games.of(me(), false) }),
  "GET /my/turns": async ({ me }) => ({ games: await games.of(me(), true) }),
  "GET /my/news": ({ me, response }) => tell(me(), response),
  "GET /ratings": async () => {
    const all = await ratings.all();
    return { ratings: all.map(({ who, rating, games }) => ({ name: accounts.nameOf(who), rating: Math.round(rating), games })) };
  },
};

/** News of a person's games, each as a line of JSON, until the reader leaves. */
async function tell(user: string, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" }).flushHeaders();
  for await (const news of games.news(user, left.signal)) {
    response.write(`${JSON.stringify(news)}\n`);
  }
}

function find(method: string, path: string): [(call: Call) => unknown, string[]] {
  const way = path.split("/");
  for (const [route, answer] of Object.entries(routes)) {
    const [verb, pattern = ""] = route.split(" ");
    const wanted = pattern.split("/");
    if (verb === method && wanted.length === way.length && wanted.every((part, at) => part === "*" || part === way[at])) {
      return [answer, way.filter((_, at) => wanted[at] === "*")];
    }
  }
  throw new LobbyError(404, "There is nothing here.");
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += String(chunk);
    if (body.length > MAX_BODY) {
      throw new LobbyError(413, "That is too long.");
    }
  }
  try {
    const value: unknown = JSON.parse(body || "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    throw new LobbyError(400, "This is not JSON.");
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const [route, parts] = find(request.method ?? "", request.url?.split("?")[0] ?? "");
    const session = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const body = await read(request);
    const value = await route({ parts, body, me: () => accounts.of(session), response });
    if (!response.headersSent) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value ?? {}));
    }
  } catch (error) {
    const known = error instanceof LobbyError ? error.status : error instanceof GamekeeperError && error.reason === "NO_SUCH_GAME" ? 404 : 503;
    if (known === 503) {
      console.error(error);
    }
    if (!response.headersSent) {
      const message = known === 503 ? "Try again later." : (error as Error).message;
      response.writeHead(known, { "content-type": "application/json" }).end(JSON.stringify({ error: message }));
    }
  } finally {
    response.end();
  }
}

createServer((request, response) => void answer(request, response)).listen(Number(port), "127.0.0.1", () => {
  console.log(`Lobby listens on http://127.0.0.1:${port}`);
  tables.resume().catch((error: unknown) => console.error(error));
});
