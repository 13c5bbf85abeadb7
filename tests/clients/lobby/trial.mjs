// Tries the lobby as people would use it, and then while it, its server and what forwards webhooks are killed again and again.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { Client, GameStatus, NotAllowedError, ViewerKind } from "@gamekeeper/client";

import { startServer } from "../harness.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-lobby-"));
const file = (name) => path.join(folder, name);
const key = randomBytes(32).toString("hex");
writeFileSync(file("tenant-keys"), `acme:${createHash("sha256").update(key).digest("hex")}\n`);
writeFileSync(file("token-keys"), `${randomBytes(32).toString("hex")}\n`);
const secret = `whsec_${randomBytes(32).toString("base64")}`;
writeFileSync(file("webhook.secret"), `${secret}\n`);
const guard = ["--auth", "tokens", "--tenant-keys-file", file("tenant-keys"), "--token-keys-file", file("token-keys")];

const open = (address) => startServer(process.env.GAMEKEEPERD, ["--data-dir", file("games"), "--serve-examples", ...guard], address);
let server = await open();
const address = server.address;
const gamekeeper = new Client(`http://${address}`, { token: key });

/** A port that nobody has. */
async function freePort() {
  const holder = net.createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address();
  holder.close();
  return port;
}

const port = await freePort();
async function openLobby() {
  const child = spawn("node", ["build/main.js"], {
    env: {
      ...process.env,
      LOBBY_PORT: String(port),
      LOBBY_FOLDER: file("lobby"),
      GAMEKEEPER: `http://${address}`,
      GAMEKEEPER_KEY: key,
      LOBBY_WEBHOOK_SECRET: secret,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended.then(([code]) => assert.fail(`the lobby has ended: ${code}`))]);
  return {
    async kill() {
      assert.equal(child.exitCode, null, "the lobby has ended by itself");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

let lobby = await openLobby();

/** Starts what tells the lobby of turns. */
function openForward() {
  const flags = ["--to", `http://127.0.0.1:${port}/hooks`, "--secret-file", file("webhook.secret"), "--state", file("forward"), "--label", "lobby=main"];
  const env = { ...process.env, GAMEKEEPER_SERVER: `http://${address}`, GAMEKEEPER_TOKEN: key };
  const child = spawn(process.env.GAMEKEEPER_CLI, ["forward", ...flags], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  return {
    async kill() {
      assert.equal(child.exitCode, null, "forward has ended by itself");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

let forward = openForward();
after(async () => {
  await forward.kill();
  await lobby.kill();
  await server.kill();
  rmSync(folder, { recursive: true });
  process.exit();
});

/** One call. Gives status and answer; throws if there is none. */
async function ask(route, body, session) {
  const [method, way] = route.split(" ");
  const headers = { "content-type": "application/json", ...(session && { authorization: `Bearer ${session}` }) };
  const response = await fetch(`http://127.0.0.1:${port}${way}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, ...(await response.json()) };
}

/** One call, repeated until the lobby and its server are there. */
async function sure(route, body, session) {
  for (;;) {
    const answer = await ask(route, body, session).catch(() => ({ status: 503 }));
    if (answer.status !== 503) return answer;
    await pause(50);
  }
}

const password = "correct horse battery";

/** A person with a page: a session of the lobby, and one token of Gamekeeper for all games. */
class Person {
  constructor(name) {
    this.name = name;
    this.page = gamekeeper.with({ token: () => this.token });
  }

  /** An account that exists once, however often its creation was sent. */
  async enter() {
    const made = await sure("POST /accounts", { name: this.name, password });
    if (made.status !== 200) assert.equal(made.status, 409);
    await this.signIn(made.session);
    return this;
  }

  async signIn(session) {
    this.session = session ?? (await sure("POST /sessions", { name: this.name, password })).session;
    this.token = (await sure("POST /my/token", {}, this.session)).token;
    assert.ok(this.token);
  }

  /** Gives the token that was revoked. */
  async signOut() {
    const { status } = await sure("DELETE /sessions", undefined, this.session);
    // 401: it was done before, and the answer was lost.
    assert.ok([200, 401].includes(status));
    return this.token;
  }

  ask(route, body) {
    return ask(route, body, this.session);
  }

  sure(route, body) {
    return sure(route, body, this.session);
  }

  async games(filter = {}) {
    return (await this.page.games.listGames({ filter, pageSize: 1_000 })).games;
  }

  /** Plays one decision. */
  async play(gameId, seat) {
    const { actions } = await this.page.legalActions({ gameId, seat });
    const choice = actions[Math.floor(Math.random() * actions.length)];
    if (choice === undefined) return;
    await this.page.games.applyAction({ gameId, seat, action: choice.action }).catch((error) => {
      if (error.reason === "TOKEN_REPLACED") throw error;
      // Another page of this test was faster.
      assert.ok(["WRONG_DECISION", "NOT_YOUR_TURN", "GAME_IS_OVER"].includes(error.reason), String(error));
    });
  }

  /** Plays until no game goes on. */
  async playAll() {
    for (;;) {
      const games = await this.games({ status: GameStatus.ACTIVE });
      if (games.length === 0) return;
      for (const { gameId, players, pending } of games) {
        const [own] = pending.filter(({ seat }) => players.some((player) => player.seat === seat && player.user !== ""));
        if (own) await this.play(gameId, own.seat);
      }
    }
  }
}

/** The notices of a person, as soon as they are what is wanted. */
async function noticesOf(person, wanted) {
  for (let tries = 0; ; tries++) {
    const { notices } = await person.sure("GET /my/notices");
    if (wanted(notices)) return notices;
    assert.ok(tries < 300, JSON.stringify(notices));
    await pause(100);
  }
}

const people = (...names) => Promise.all(names.map((name) => new Person(name).enter()));
const table = { ruleset: "goofspiel", seats: 2, seconds: 0 };

/** Two people at a game. */
async function meet(host, guest) {
  const { table: id } = await host.ask("POST /tables", table);
  return (await guest.ask(`POST /tables/${id}/players`, {})).game;
}

/** All games of the lobby, as Gamekeeper has them. */
async function allGames() {
  return (await gamekeeper.games.listGames({ filter: { labels: { lobby: "main" } }, pageSize: 1_000 })).games;
}

/** Each game that is over counts once for everybody who played, and nobody gains what nobody loses. */
async function ratedOnce() {
  const expected = {};
  for (const { players, status } of await allGames()) {
    if (status !== GameStatus.FINISHED) continue;
    for (const name of new Set(players.map(({ name, bot }) => (bot ? `bot:${bot.policy}` : name)))) {
      expected[name] = (expected[name] ?? 0) + 1;
    }
  }
  let ratings;
  const counts = () => Object.fromEntries(ratings.map(({ name, games }) => [name, games]));
  for (let tries = 0; tries < 100; tries++) {
    ({ ratings } = await sure("GET /ratings"));
    if (isDeepStrictEqual(counts(), expected)) break;
    await pause(100);
  }
  assert.deepEqual(counts(), expected);
  const sum = ratings.reduce((total, { rating }) => total + rating, 0);
  assert.ok(Math.abs(sum - 1_500 * ratings.length) < 1e-6, `${sum}`);
  const rated = lines("rated").map(([game]) => game);
  assert.equal(new Set(rated).size, rated.length);
  return ratings;
}

const lines = (name) => readFileSync(file(`lobby/${name}.jsonl`), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const hasReason = (...reasons) => (error) => reasons.includes(error.reason) || assert.fail(String(error));

test("two people meet, play with one token each, are watched and rated", async () => {
  const [ada, bob, cyd] = await people("Ada", "Bob", "Cyd");
  const { table: id } = await ada.ask("POST /tables", table);
  assert.deepEqual((await ask("GET /tables")).tables, [{ id, ...table, players: ["Ada"] }]);
  // News come to the page from Gamekeeper.
  const news = ada.page.feed({})[Symbol.asyncIterator]();
  const first = news.next();
  const { game } = await bob.ask(`POST /tables/${id}/players`, {});
  assert.deepEqual((await ask("GET /tables")).tables, []);
  assert.equal((await first).value.value.table.game.gameId, game);
  await news.return();

  const [seen] = await bob.games();
  assert.deepEqual([seen.gameId, seen.players.map(({ name }) => name), seen.status], [game, ["Ada", "Bob"], GameStatus.ACTIVE]);
  assert.deepEqual(seen.players.map(({ user }) => user !== ""), [false, true], "nobody else's user");
  assert.equal((await cyd.ask(`POST /tables/${id}/players`, {})).status, 409);
  assert.equal((await bob.ask(`POST /tables/${id}/players`, {})).game, game, "joining again changes nothing");

  // Cyd has no seat: no token of Cyd opens the game, except to watch what everybody may see.
  const at = { gameId: game, seat: 1 };
  assert.deepEqual(await cyd.games(), []);
  await assert.rejects(cyd.page.games.getGame({ gameId: game }), hasReason("NO_SUCH_GAME"));
  await assert.rejects(cyd.page.games.resign(at), hasReason("NO_SUCH_GAME"));
  await assert.rejects(bob.page.legalActions(at), NotAllowedError);
  assert.deepEqual((await ask("GET /games")).games, [{ game, ruleset: "goofspiel", players: ["Ada", "Bob"] }]);
  const { token } = await cyd.ask(`POST /games/${game}/spectators`, {});
  const watcher = gamekeeper.with({ token });
  assert.equal((await watcher.games.getGame({ gameId: game })).table.game.gameId, game);
  await assert.rejects(watcher.games.resign(at), NotAllowedError);

  await Promise.all([ada.playAll(), bob.playAll()]);
  assert.deepEqual((await ask("GET /games")).games, []);
  assert.deepEqual((await ratedOnce()).map(({ games }) => games), [1, 1]);
});

test("players talk, get notices of turns and ends, see the result, and play again with seats turned", async () => {
  const [amy, ben, cat] = await people("Amy", "Ben", "Cat");
  const { table: id } = await amy.ask("POST /tables", { ...table, options: { goofspiel: { cards: 5 } } });
  assert.deepEqual((await ask("GET /tables")).tables, [{ id, ...table, options: { goofspiel: { cards: 5 } }, players: ["Amy"] }]);
  const { game } = await ben.ask(`POST /tables/${id}/players`, {});
  await noticesOf(amy, (notices) => notices.some((notice) => notice.kind === "your_turn" && notice.game === game));

  // Chat: a page that comes later reads what was said, and then what is said.
  const messages = `/games/${game}/messages`;
  assert.equal((await amy.ask(`POST ${messages}`, { text: " Hello\u202e " })).message, 1);
  const gone = new AbortController();
  const said = await fetch(`http://127.0.0.1:${port}${messages}`, { headers: { authorization: `Bearer ${ben.session}` }, signal: gone.signal });
  const stream = said.body.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  const hear = async (text) => {
    while (!heard.includes(text)) heard += (await stream.read()).value;
  };
  await hear('"text":"Hello"');
  assert.equal((await ben.ask(`POST ${messages}`, { text: "Good luck!" })).message, 2);
  await hear('"name":"Ben","text":"Good luck!"');
  assert.match(heard, /^id: 2$/m);
  gone.abort();
  for (const [body, session, status] of [
    [{ text: "x" }, cat.session, 403],
    [{ text: " \n " }, amy.session, 400],
    [{ text: "x".repeat(501) }, amy.session, 400],
    [{ text: "x" }, "", 401],
  ]) {
    assert.equal((await ask(`POST ${messages}`, body, session)).status, status);
  }
  assert.equal((await ask(`GET ${messages}`, undefined, cat.session)).status, 403);

  // Nobody else can send notices: the signature is wrong, old, or of other bytes.
  const forged = await fetch(`http://127.0.0.1:${port}/hooks`, {
    method: "POST",
    headers: { "webhook-id": "msg_1", "webhook-timestamp": `${Math.floor(Date.now() / 1_000)}`, "webhook-signature": "v1,AAAA" },
    body: "{}",
  });
  assert.equal(forged.status, 401);

  assert.equal((await amy.ask(`POST /games/${game}/rematch`, {})).status, 409);
  await Promise.all([amy.playAll(), ben.playAll()]);
  const versions = async (gameId) => Number((await gamekeeper.games.getGame({ gameId })).table.game.version);
  const rounds = ((await versions(game)) - 1) / 2;
  assert.ok(rounds < 6, "of five cards, not of thirteen");
  for (const person of [amy, ben]) {
    const notices = await noticesOf(person, (all) => all.some(({ kind }) => kind === "over"));
    assert.equal(notices.filter(({ kind }) => kind === "over").length, 1);
    assert.equal(notices.filter(({ kind }) => kind === "your_turn").length, rounds, "one for each round");
    assert.equal(new Set(notices.map(({ version, kind }) => `${version} ${kind}`)).size, notices.length);
  }
  assert.deepEqual(await noticesOf(cat, () => true), []);
  const [result] = (await ask("GET /results")).results.filter((one) => one.game === game);
  assert.deepEqual(result.players.map(({ name }) => name).sort(), ["Amy", "Ben"]);
  assert.ok(result.players.every(({ rank, score }) => rank >= 1 && score >= 0));

  // Everybody must want it; then it is one game, however many ask.
  assert.equal((await cat.ask(`POST /games/${game}/rematch`, {})).status, 403);
  const first = await amy.ask(`POST /games/${game}/rematch`, {});
  assert.deepEqual([first.game, first.waits], [null, ["Ben"]]);
  assert.equal((await cat.ask(`POST /tables/again-${game}/players`, {})).status, 404);
  assert.equal((await amy.ask(`POST /tables/again-${game}/start`, {})).status, 404);
  assert.deepEqual((await ask("GET /tables")).tables, []);
  const asked = await Promise.all([ben, ben, amy, ben].map((person) => person.ask(`POST /games/${game}/rematch`, {})));
  const again = new Set(asked.map((answer) => answer.game).filter(Boolean));
  assert.equal(again.size, 1);
  const [gameId] = again;
  const now = (await gamekeeper.games.getGame({ gameId })).table.game;
  assert.deepEqual(now.players.map(({ name }) => name), ["Ben", "Amy"]);
  assert.deepEqual(now.labels, { lobby: "main", table: `again-${game}` });
  await Promise.all([amy.playAll(), ben.playAll()]);
  assert.equal(await versions(gameId), await versions(game), "as many cards as before");
  await ratedOnce();
});

test("a link to a game has a preview, which shows what everybody may see", async () => {
  const [lil, mia] = await people("Lil", "Mia");
  const game = await meet(lil, mia);
  const read = async (way) => fetch(`http://127.0.0.1:${port}${way}`);
  const link = await read(`/games/${game}`);
  assert.match(link.headers.get("content-type"), /^text\/html/);
  const page = await link.text();
  assert.match(page, /<meta property="og:title" content="goofspiel: Lil, Mia"/);
  const [, image] = /<meta property="og:image" content="([^"]+)"/.exec(page);
  assert.ok(image.startsWith(`http://127.0.0.1:${port}/games/${game}/pictures/1.png`));
  const pixels = async (url) => {
    const response = await fetch(url);
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/png"]);
    return Buffer.from(await response.arrayBuffer());
  };
  const first = await pixels(image);
  assert.deepEqual([first.toString("latin1", 1, 4), first.readUInt32BE(16), first.readUInt32BE(20)], ["PNG", 1200, 800]);
  assert.deepEqual(await pixels(image), first);

  // The picture of a spectator: it does not change by what a player hides.
  await lil.play(game, 1);
  const spectator = { gameId: game, viewer: { kind: ViewerKind.SPECTATOR }, show: { drawing: { raster: true } } };
  const { table: seen } = await gamekeeper.games.getGame(spectator);
  assert.deepEqual(await pixels(image.replace("1.png", `${seen.game.version}.png`)), Buffer.from(seen.picture));
  assert.deepEqual(await pixels(image), first, "an earlier version stays as it was");
  await Promise.all([lil.playAll(), mia.playAll()]);
  assert.match(await (await read(`/games/${game}`)).text(), /The game is over/);

  // Names of others than this lobby's accounts may be anything.
  const players = [{ name: '"><script>alert(1)</script>' }, { name: "Mia" }];
  const odd = (await gamekeeper.games.createGame({ ruleset: "goofspiel", players, labels: { lobby: "main" } })).table.game.gameId;
  assert.match(await (await read(`/games/${odd}`)).text(), /<title>goofspiel: &quot;&gt;&lt;script&gt;/);
  await gamekeeper.games.deleteGame({ gameId: odd });
  const foreign = await gamekeeper.games.createGame({ ruleset: "goofspiel", players: [{ name: "A" }, { name: "B" }] });
  for (const way of [`/games/${odd}`, `/games/${foreign.table.game.gameId}`, `/games/${foreign.table.game.gameId}/pictures/1.png`, "/games/nothing", `/games/${game}/pictures/0.png`, `/games/${game}/pictures/x.png`]) {
    assert.equal((await read(way)).status, 404, way);
  }
});

test("bots take empty seats, and clocks need nobody", async () => {
  const [dan] = await people("Dan");
  const { table: id } = await dan.ask("POST /tables", { ruleset: "goofspiel", seats: 3, seconds: 1, level: "easy" });
  const { game } = await dan.ask(`POST /tables/${id}/start`, {});
  const [{ players, pending }] = await dan.games();
  assert.deepEqual(players.map(({ name }) => name), ["Dan", "Bot 1", "Bot 2"]);
  assert.ok(pending.some(({ due }) => due !== undefined));
  // Dan never moves.
  for await (const _ of dan.page.watch({ gameId: game }));
  assert.ok((await ratedOnce()).some(({ name }) => name === "bot:easy"));
});

test("whoever signs out, or has a new password, ends all sessions and tokens", async () => {
  const [uma, vic] = await people("Uma", "Vic");
  const game = await meet(uma, vic);
  const stream = (async () => {
    for await (const _ of uma.page.feed({}));
  })();
  const closed = assert.rejects(stream, hasReason("TOKEN_REPLACED"));
  const other = await new Person("Uma").enter();
  const stranger = vic.token;
  const tokens = [await uma.signOut(), other.token];
  const end = Date.now() + 10_000;
  for (const token of tokens) {
    await assert.rejects(gamekeeper.with({ token }).games.getGame({ gameId: game }), hasReason("TOKEN_REPLACED"));
  }
  await closed;
  assert.ok(Date.now() < end);
  for (const { session } of [uma, other]) assert.equal((await ask("POST /my/token", {}, session)).status, 401);
  assert.equal((await gamekeeper.with({ token: stranger }).games.getGame({ gameId: game })).table.game.gameId, game);

  await uma.signIn();
  const [{ session, token }, next] = [uma, "another horse battery"];
  assert.equal((await uma.ask("PUT /my/password", { password: "wrong horse", next })).status, 401);
  assert.equal((await uma.ask("PUT /my/password", { password, next: "short" })).status, 400);
  assert.equal((await uma.games()).length, 1, "nothing was changed");
  const changed = await uma.ask("PUT /my/password", { password, next });
  assert.equal((await ask("POST /my/token", {}, session)).status, 401);
  // That lasts: both come back after a crash.
  await Promise.all([lobby.kill(), server.kill()]);
  server = await open(address);
  lobby = await openLobby();
  assert.equal((await ask("POST /my/token", {}, session)).status, 401);
  await assert.rejects(gamekeeper.with({ token }).games.getGame({ gameId: game }), hasReason("TOKEN_REPLACED"));
  assert.equal((await ask("POST /sessions", { name: "Uma", password })).status, 401);
  assert.equal((await ask("POST /sessions", { name: "uma", password: next })).status, 200);
  await uma.signIn(changed.session);
  await Promise.all([uma.playAll(), vic.playAll()]);
});

test("what cannot be is refused, and changes nothing", async () => {
  const [eve, fay] = await people("Eve", "Fay");
  const all = () => ["accounts", "tables"].map((name) => readFileSync(file(`lobby/${name}.jsonl`), "utf8"));
  const before = all();
  const nobody = "00000000-0000-4000-8000-000000000000";
  const foreign = await gamekeeper.games.createGame({ ruleset: "goofspiel", players: [{ name: "A" }, { name: "B" }] });
  for (const [route, body, session, status] of [
    ["POST /accounts", { name: "EVE", password }, "", 409],
    ["POST /accounts", { name: "\u200b\u200b", password }, "", 400],
    ["POST /accounts", { name: "Gil", password: "short" }, "", 400],
    ["POST /accounts", "no object", "", 400],
    ["POST /sessions", { name: "Eve", password: "wrong" }, "", 401],
    ["POST /sessions", { name: "Nobody", password }, "", 401],
    ["DELETE /sessions", undefined, "", 401],
    ["POST /my/token", {}, `${eve.session}0`, 401],
    ["POST /tables", table, "stolen", 401],
    ["POST /tables", { ...table, ruleset: "chess" }, eve.session, 400],
    ["POST /tables", { ...table, seats: 9_000_000 }, eve.session, 400],
    ["POST /tables", { ...table, seats: 1 }, eve.session, 400],
    [`POST /tables/${nobody}/players`, {}, eve.session, 404],
    [`POST /games/${nobody}/spectators`, {}, eve.session, 404],
    [`POST /games/${foreign.table.game.gameId}/spectators`, {}, eve.session, 404],
    ["POST /games/nothing/spectators", {}, eve.session, 404],
    [`POST /games/${nobody}/spectators`, {}, "", 401],
    ["POST /tables", { ...table, more: "x".repeat(5_000) }, eve.session, 413],
    ["GET /nothing", undefined, eve.session, 404],
  ]) {
    const answer = await ask(route, body, session);
    assert.deepEqual([answer.status, typeof answer.error], [status, "string"], `${route} ${JSON.stringify(body)?.slice(0, 80)}`);
  }
  assert.deepEqual(all(), before);

  const { table: id } = await eve.ask("POST /tables", table);
  assert.equal((await fay.ask(`POST /tables/${id}/start`, {})).status, 403);
  assert.equal((await eve.ask(`DELETE /tables/${id}/players`)).status, 200);
  assert.equal((await fay.ask(`POST /tables/${id}/players`, {})).status, 404);
  for (let count = 0; count < 3; count++) assert.equal((await fay.ask("POST /tables", table)).status, 200);
  assert.equal((await fay.ask("POST /tables", table)).status, 409);
  for (const { id: own } of (await ask("GET /tables")).tables) await fay.ask(`DELETE /tables/${own}/players`);
});

test("a lobby that was away counts what ended meanwhile, once, from its cursor or from lists", async () => {
  const [rob, sue] = await people("Rob", "Sue");
  /** Games that end while nobody counts. */
  const away = async (change = () => {}) => {
    const games = [await meet(rob, sue), await meet(sue, rob)];
    await lobby.kill();
    await Promise.all([rob.playAll(), sue.playAll()]);
    change();
    lobby = await openLobby();
    const ratings = await ratedOnce();
    const rated = lines("rated").map(([game]) => game);
    assert.ok(games.every((game) => rated.includes(game)));
    return ratings.find(({ name }) => name === "Rob").games;
  };
  const note = (cursor) => appendFileSync(file("lobby/cursors.jsonl"), `${JSON.stringify(["ratings", cursor])}\n`);
  assert.match(new Map(lines("cursors")).get("ratings"), /./);
  assert.equal(await away(), 2);
  // Gone too long: a cursor of a store that was replaced has expired like one that is old.
  const replaced = await startServer(process.env.GAMEKEEPERD, ["--store", "memory", ...guard]);
  const past = new Client(`http://${replaced.address}`, { token: key });
  const { value } = await past.tenantFeed().next();
  past.close();
  await replaced.stop();
  assert.equal(await away(() => note(value.cursor)), 4);
  assert.notEqual(new Map(lines("cursors")).get("ratings"), value.cursor);
  // A crash between a rating and its cursor: the feed tells again what is known.
  const cursor = new Map(lines("cursors")).get("ratings");
  assert.equal(await away(), 6);
  await lobby.kill();
  note(cursor);
  lobby = await openLobby();
  await meet(rob, sue);
  await Promise.all([rob.playAll(), sue.playAll()]);
  assert.equal((await ratedOnce()).find(({ name }) => name === "Sue").games, 7);
});

test("a game that is over is studied: lines, a bot's opinion, comments, and a link", { timeout: 90_000 }, async () => {
  const [ina, jon, kay] = await people("Ina", "Jon", "Kay");
  const { table: id } = await ina.ask("POST /tables", { ...table, ruleset: "dominion", options: { dominion: { firstPlayer: 1 } } });
  const { game } = await jon.ask(`POST /tables/${id}/players`, {});
  await ina.play(game, 1);
  assert.equal((await ina.ask(`POST /games/${game}/studies`, {})).status, 409, "the game is not over");
  await jon.page.games.resign({ gameId: game, seat: 2 });
  assert.equal((await kay.ask(`POST /games/${game}/studies`, {})).status, 403);
  const { study } = await ina.ask(`POST /games/${game}/studies`, {});

  // A line of one's own: played with the same token as all games, and the same line when it is asked for again.
  const lines = `POST /studies/${study}/lines`;
  const own = { from: 0, version: 1, title: "Something else" };
  const tried = await ina.ask(lines, own);
  assert.deepEqual([tried.status, tried.line], [200, 1]);
  assert.deepEqual(await ina.ask(lines, own), tried);
  await ina.play(tried.game, 1);
  // A bot at the same place.
  const asked = { ...own, title: "What a bot would do", bot: { seat: 1, level: "medium" } };
  const bot = await ina.ask(lines, asked);
  assert.equal(bot.line, 2);
  const continuations = async () => (await ask(`GET /studies/${study}/lines/0/versions/1`)).continuations;
  let compared = await continuations();
  for (let tries = 0; compared[2].happened.length === 0 && tries < 300; tries++) {
    await pause(100);
    compared = await continuations();
  }
  assert.deepEqual(compared.map(({ line, title, bot }) => [line, title, bot]), [
    [0, undefined, undefined],
    [1, own.title, undefined],
    [2, asked.title, asked.bot],
  ]);
  for (const { happened } of compared) assert.match(happened[0], /^Ina /);
  // Play goes on against the bot; who branches off there ends that line, and has a further one.
  const { version } = (await ina.page.games.getGame({ gameId: bot.game })).table.game;
  const further = await ina.ask(lines, { from: 2, version: Number(version), title: "And then" });
  assert.deepEqual([further.status, further.line], [200, 3]);
  const ended = (await ina.page.games.getGame({ gameId: bot.game })).table.game;
  assert.equal(ended.status, GameStatus.FINISHED);

  // Comments are the author's; everybody with the link reads them, and sees the lines.
  const comments = `POST /studies/${study}/comments`;
  const remark = { line: 2, version: 2, text: "Better than mine." };
  assert.equal((await ina.ask(comments, remark)).status, 200);
  for (const [route, body, person, status] of [
    [comments, remark, kay, 403],
    [comments, { ...remark, line: 9 }, ina, 404],
    [comments, { ...remark, text: "x".repeat(501) }, ina, 400],
    [comments, { ...remark, text: "" }, ina, 400],
    [lines, own, kay, 403],
    [lines, { ...own, from: 9 }, ina, 404],
    [lines, { ...own, version: 99 }, ina, 400],
    [lines, { ...own, title: "" }, ina, 400],
    [lines, { ...asked, bot: { seat: 3, level: "strong" } }, ina, 400],
    [lines, { ...asked, bot: { seat: 1, level: "best" } }, ina, 400],
    [`POST /studies/${id}/lines`, own, ina, 404],
  ]) {
    assert.equal((await person.ask(route, body)).status, status, `${route} ${JSON.stringify(body)}`);
  }
  const { token } = await ask(`POST /studies/${study}/lines/1/spectators`, {});
  const seen = (await gamekeeper.with({ token }).games.getGame({ gameId: tried.game })).table.game;
  assert.deepEqual([seen.forkedFrom.gameId, Number(seen.forkedFrom.version)], [game, 1]);

  // Whatever is killed meanwhile, a line is one game.
  const last = { ...own, title: "Once" };
  const lost = ina.ask(lines, last).catch(() => undefined);
  await pause(5);
  await lobby.kill();
  lobby = await openLobby();
  await lost;
  const { line, game: once } = await ina.sure(lines, last);
  const tree = await ask(`GET /studies/${study}`);
  assert.deepEqual(tree.lines.map(({ game }) => game), [game, tried.game, bot.game, further.game, once]);
  assert.deepEqual([tree.author, tree.seat, line, tree.comments], ["Ina", 1, 4, [remark]]);
  const { games } = await gamekeeper.games.listGames({ filter: { labels: { study } } });
  assert.equal(games.length, 4);
  assert.ok((await allGames()).every(({ labels }) => labels.study === undefined), "studies are not rated");
});

test("nothing is lost and nothing counts twice, whatever is killed", { timeout: 200_000 }, async (context) => {
  let isDone = false;
  let kills = 0;
  const killing = (async () => {
    while (!isDone) {
      await pause(200 + Math.random() * 400);
      const kill = kills++ % 3;
      if (kill === 0) {
        await forward.kill();
        forward = openForward();
      } else if (kill === 1) {
        await lobby.kill();
        lobby = await openLobby();
      } else {
        await server.kill();
        server = await open(address);
      }
    }
  })();

  const crowd = await people("Kim", "Lea", "Max", "Noa", "Oli", "Pia");
  const MANY = 30;
  const joined = new Map(crowd.map(({ name }) => [name, new Set()]));
  const revoked = [];
  // Everybody plays to the end: a table whose creation was answered to nobody may still find a second player.
  const playing = crowd.map(async (person) => {
    while (!isDone) {
      await person.playAll().catch(hasReason("TOKEN_REPLACED"));
      await pause(20);
    }
  });
  await Promise.all(
    crowd.map(async (person) => {
      for (let round = 0; round < 4 || kills < MANY; round++) {
        const { tables } = await sure("GET /tables");
        const other = tables.find(({ players }) => !players.includes(person.name));
        const id = other?.id ?? (await person.sure("POST /tables", table)).table;
        let start = other ? await person.sure(`POST /tables/${id}/players`, {}) : { status: 200, game: null };
        // A table for oneself is filled with a bot, unless somebody has come.
        if (start.status === 200 && start.game === null) start = await person.sure(`POST /tables/${id}/start`, {});
        if (start.game) joined.get(person.name).add(start.game);
        await pause(Math.random() * 1_200);
        if (round === 1) {
          revoked.push(await person.signOut());
          await person.signIn();
        }
      }
    }),
  );
  while ((await sure("GET /games")).games.length > 0) await pause(50);
  isDone = true;
  await Promise.all([killing, ...playing]);
  context.diagnostic(`${kills} kills, ${lines("tables").length} tables`);

  // Every table that was closed has one game, and every game has a table.
  const games = await allGames();
  const closed = new Map(lines("tables").filter(([, { isClosed }]) => isClosed));
  assert.deepEqual(games.map(({ labels }) => labels.table).sort(), [...closed.keys()].sort());
  assert.deepEqual(games.map(({ gameId }) => gameId).sort(), [...closed.values()].map(({ game }) => game).sort());
  assert.ok(games.every(({ status }) => status === GameStatus.FINISHED));
  for (const person of crowd) {
    const shown = (await person.games()).map(({ gameId }) => gameId);
    for (const game of joined.get(person.name)) assert.ok(shown.includes(game), `${person.name} has lost ${game}`);
  }
  for (const token of revoked) {
    await assert.rejects(gamekeeper.with({ token }).games.listGames({}), hasReason("TOKEN_REPLACED"));
  }

  // Everybody got one notice of the end of each game.
  for (const person of crowd) {
    const own = games.filter(({ players }) => players.some(({ name }) => name === person.name)).map(({ gameId }) => gameId);
    const user = (await person.sure("POST /my/token", {})).user;
    const told = () => lines("notices").filter(([, notice]) => notice.user === user && notice.kind === "over");
    for (let tries = 0; told().length < own.length && tries < 600; tries++) await pause(100);
    assert.deepEqual(told().map(([, { game }]) => game).sort(), own.sort());
  }

  // Every game is rated once; the same from the files alone.
  const ratings = await ratedOnce();
  await lobby.kill();
  lobby = await openLobby();
  assert.deepEqual(await ratedOnce(), ratings);
});
