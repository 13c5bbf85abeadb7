// The lobby over HTTP, on the port that LOBBY_PORT names.

import { GamekeeperError, type JsonValue } from "@gamekeeper/client";
import { serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { streamSSE } from "hono/streaming";

import { accountOf, changePassword, nameOf, register, signIn, signOut } from "./accounts.js";
import * as chat from "./chat.js";
import { results, spectatorToken, userToken, watchable } from "./games.js";
import { noticesOf, receive } from "./notices.js";
import * as previews from "./previews.js";
import { followGames, ranking } from "./ratings.js";
import { need } from "./refusal.js";
import * as studies from "./studies.js";
import * as tables from "./tables.js";

/** The caller's account. */
const me = (c: Context) => accountOf(/^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1] ?? "");
const text = (value: unknown) => (typeof value === "string" ? value : "");
const whole = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0);

async function body(c: Context): Promise<Record<string, unknown>> {
  const value: unknown = await c.req.json().catch(() => undefined);
  need(typeof value === "object" && value !== null, 400, "This is no object of JSON.");
  return value as Record<string, unknown>;
}

const app = new Hono();
app.use(bodyLimit({ maxSize: 4_096, onError: (c) => c.json({ error: "That is too long." }, 413) }));

app.post("/accounts", async (c) => {
  const { name, password } = await body(c);
  return c.json({ session: await register(text(name), text(password)) });
});
app.post("/sessions", async (c) => {
  const { name, password } = await body(c);
  return c.json({ session: await signIn(text(name), text(password)) });
});
app.delete("/sessions", async (c) => c.json({ done: await signOut(me(c)) }));
app.put("/my/password", async (c) => {
  const { password, next } = await body(c);
  return c.json({ session: await changePassword(me(c), text(password), text(next)) });
});
app.post("/my/token", async (c) => {
  const token = await userToken(me(c));
  // Asked again: whoever signed out meanwhile gets none.
  return c.json({ user: me(c), token });
});

app.get("/tables", (c) => c.json({ tables: tables.waiting() }));
app.post("/tables", async (c) => {
  const { ruleset, seats, seconds, options: own, level } = await body(c);
  const options = { ruleset: text(ruleset), seats: whole(seats), seconds: whole(seconds), ...(own !== undefined && { options: own as JsonValue }), ...(level !== undefined && { level: text(level) }) };
  return c.json({ table: await tables.open(me(c), options) });
});
app.post("/tables/:id/players", async (c) => c.json({ game: (await tables.join(c.req.param("id"), me(c))) ?? null }));
app.delete("/tables/:id/players", (c) => c.json({ done: tables.leave(c.req.param("id"), me(c)) }));
app.post("/tables/:id/start", async (c) => c.json({ game: await tables.start(c.req.param("id"), me(c)) }));

app.get("/games", async (c) => c.json({ games: await watchable() }));
app.post("/games/:id/spectators", async (c) => c.json({ token: me(c) && (await spectatorToken(c.req.param("id"))) }));
// Links to share. Whoever has one may see this much, without an account.
app.get("/games/:id", async (c) => c.html(await previews.page(c.req.param("id"))));
app.get("/games/:id/pictures/:version{[1-9][0-9]*\\.png}", async (c) => {
  const version = BigInt(c.req.param("version").replace(".png", ""));
  const picture = await previews.picture(c.req.param("id"), version);
  return c.body(new Uint8Array(picture), 200, { "content-type": "image/png", "cache-control": "public, max-age=3600" });
});
app.get("/results", async (c) => c.json({ results: await results() }));
app.post("/games/:id/rematch", async (c) => c.json(await tables.rematch(c.req.param("id"), me(c))));
app.post("/games/:id/messages", async (c) => {
  const account = me(c);
  return c.json({ message: chat.say(c.req.param("id"), account, text((await body(c))["text"])) });
});
// Server-sent events: what was said after `last-event-id`, and then what is said, until the page goes.
app.get("/games/:id/messages", (c) => {
  const [begin, gone] = [whole(Number(c.req.header("last-event-id") ?? 0)), new AbortController()];
  const messages = chat.follow(c.req.param("id"), me(c), begin, gone.signal);
  return streamSSE(c, async (stream) => {
    stream.onAbort(() => gone.abort());
    try {
      for await (const { number, ...message } of messages) {
        await stream.writeSSE({ id: String(number), data: JSON.stringify(message) });
      }
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  });
});
// A study is read by everybody with its link, and changed by its author.
app.post("/games/:id/studies", async (c) => c.json({ study: await studies.open(c.req.param("id"), me(c)) }));
app.get("/studies/:id", (c) => c.json(studies.read(c.req.param("id"))));
app.post("/studies/:id/lines", async (c) => {
  const author = me(c);
  const { from, version, title, bot } = await body(c);
  const { seat, level } = (bot ?? {}) as Record<string, unknown>;
  const branch = { from: whole(from), version: whole(version), title: text(title), ...(bot !== undefined && { bot: { seat: whole(seat), level: text(level) } }) };
  return c.json(await studies.branch(c.req.param("id"), author, branch));
});
app.post("/studies/:id/comments", async (c) => {
  const author = me(c);
  const { line, version, text: said } = await body(c);
  return c.json({ done: studies.comment(c.req.param("id"), author, { line: whole(line), version: whole(version), text: text(said) }) });
});
app.get("/studies/:id/lines/:line/versions/:version", async (c) => {
  const { id, line, version } = c.req.param();
  return c.json({ continuations: await studies.continuations(id, whole(Number(line)), whole(Number(version))) });
});
app.post("/studies/:id/lines/:line/spectators", async (c) => c.json({ token: await studies.lineToken(c.req.param("id"), whole(Number(c.req.param("line")))) }));
app.get("/my/notices", (c) => c.json({ notices: noticesOf(me(c)) }));
// From `gamekeeper forward`. The signature is over the bytes of the body, so it is read as text.
app.post("/hooks", async (c) => {
  receive(await c.req.text(), c.req.header());
  return c.body(null, 204);
});
app.get("/ratings", (c) => c.json({ ratings: ranking().map(({ who, ...rating }) => ({ name: nameOf(who), ...rating })) }));

app.notFound((c) => c.json({ error: "There is nothing here." }, 404));
app.onError((error, c) => {
  if (error instanceof HTTPException) {
    return c.json({ error: error.message }, error.status);
  }
  if (error instanceof GamekeeperError && error.reason === "NO_RASTER") {
    return c.json({ error: "There are no pictures here." }, 404);
  }
  if (error instanceof GamekeeperError && (error.reason === "NO_SUCH_GAME" || error.fields.length > 0)) {
    return c.json({ error: error.message }, error.reason === "NO_SUCH_GAME" ? 404 : 400);
  }
  console.error(error);
  return c.json({ error: "Try again later." }, 503);
});

const port = Number(process.env["LOBBY_PORT"] ?? 8080);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => console.log(`Lobby listens on http://127.0.0.1:${port}`));
tables.resume().catch(console.error);
await followGames();
