// Tries the lobby as people would use it, and then while it and its server are killed again and again.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Client, GameStatus, NotAllowedError } from "@gamekeeper/client";

import { startServer } from "../harness.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-lobby-"));
const file = (name) => path.join(folder, name);
const key = randomBytes(32).toString("hex");
writeFileSync(file("tenant-keys"), `acme:${createHash("sha256").update(key).digest("hex")}\n`);
writeFileSync(file("token-keys"), `${randomBytes(32).toString("hex")}\n`);
const flags = ["--data-dir", file("games"), "--auth", "tokens", "--serve-examples"];
flags.push("--tenant-keys-file", file("tenant-keys"), "--token-keys-file", file("token-keys"));

const open = (address) => startServer(process.env.GAMEKEEPERD, flags, address);
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
  const child = spawn("node", ["build/main.js", String(port), file("lobby.jsonl"), `http://${address}`], {
    env: { ...process.env, GAMEKEEPER_KEY: key },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  return {
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

let lobby = await openLobby();
after(async () => {
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

/** An account that exists once, however often its creation was sent. */
async function person(name) {
  const made = await sure("POST /accounts", { name, password });
  if (made.status === 200) return made.session;
  assert.equal(made.status, 409);
  return (await sure("POST /sessions", { name, password })).session;
}

/** Plays one of the person's turns. */
async function play(gameId, session) {
  const { seat, token } = await sure(`POST /games/${gameId}/token`, {}, session);
  const own = gamekeeper.with({ token });
  const { actions } = await own.legalActions({ gameId, seat });
  const choice = actions[Math.floor(Math.random() * actions.length)];
  if (choice === undefined) return;
  await own.games.applyAction({ gameId, seat, action: choice.action }).catch((error) => {
    // Another client of this test, or the clock, was faster.
    assert.ok(["WRONG_DECISION", "NOT_YOUR_TURN", "GAME_OVER"].includes(error.reason), String(error));
  });
}

/** Plays until no game of the person goes on. */
async function playAll(session) {
  for (;;) {
    const { games } = await sure("GET /my/games", undefined, session);
    if (games.every(({ isOver }) => isOver)) return;
    for (const { game, myTurns } of games) {
      if (myTurns.length > 0) await play(game, session);
    }
  }
}

const table = { ruleset: "goofspiel", seats: 2, seconds: 0 };

test("two people meet, play, watch and are rated", async () => {
  const [ada, bob, cyd] = await Promise.all(["Ada", "Bob", "Cyd"].map(person));
  const { table: id } = await ask("POST /tables", table, ada);
  assert.deepEqual((await ask("GET /tables")).tables, [{ id, ...table, players: ["Ada"] }]);

  const news = await fetch(`http://127.0.0.1:${port}/my/news`, { headers: { authorization: `Bearer ${ada}` } });
  const { game } = await ask(`POST /tables/${id}/players`, {}, bob);
  assert.deepEqual((await ask("GET /tables")).tables, []);
  const { value } = await news.body.getReader().read();
  assert.deepEqual([JSON.parse(new TextDecoder().decode(value).split("\n")[0]).game], [game]);

  const [turn] = (await ask("GET /my/turns", undefined, bob)).games;
  assert.deepEqual([turn.game, turn.players, turn.isOver], [game, ["Ada", "Bob"], false]);
  assert.equal((await ask(`POST /tables/${id}/players`, {}, cyd)).status, 409);

  // Cyd sees the game, and not what is hidden; nor can Cyd act in it.
  assert.deepEqual((await ask("GET /games")).games.map((one) => one.game), [game]);
  const { seat, token } = await ask(`POST /games/${game}/token`, {}, cyd);
  assert.equal(seat, null);
  const watcher = gamekeeper.with({ token });
  assert.equal((await watcher.games.getGame({ gameId: game })).table.game.gameId, game);
  await assert.rejects(watcher.legalActions({ gameId: game, seat: 1 }), NotAllowedError);

  await Promise.all([playAll(ada), playAll(bob)]);
  assert.deepEqual((await ask("GET /games")).games, []);
  const { ratings } = await ask("GET /ratings");
  assert.deepEqual(ratings.map(({ games }) => games), [1, 1]);
  assert.equal(ratings[0].rating + ratings[1].rating, 3_000);
});

test("bots take empty seats, and clocks need nobody", async () => {
  const dan = await person("Dan");
  const { table: id } = await ask("POST /tables", { ruleset: "goofspiel", seats: 3, seconds: 1 }, dan);
  const { game } = await ask(`POST /tables/${id}/start`, {}, dan);
  const [{ players, myTurns }] = (await ask("GET /my/games", undefined, dan)).games;
  assert.deepEqual(players, ["Dan", "Bot 1", "Bot 2"]);
  assert.ok(Date.parse(myTurns[0].due) > 0);
  // Dan never moves.
  for await (const _ of gamekeeper.watch({ gameId: game }));
  const { ratings } = await ask("GET /ratings");
  assert.ok(ratings.some(({ name, games }) => name === "bot:greedy" && games > 0));
});

test("what cannot be is refused, and changes nothing", async () => {
  const [eve, fay] = await Promise.all(["Eve", "Fay"].map(person));
  const before = readFileSync(file("lobby.jsonl"), "utf8");
  const nobody = "00000000-0000-4000-8000-000000000000";
  for (const [route, body, session, status] of [
    ["POST /accounts", { name: "EVE", password }, "", 409],
    ["POST /accounts", { name: "\u200b\u200b", password }, "", 400],
    ["POST /accounts", { name: "Gil", password: "short" }, "", 400],
    ["POST /sessions", { name: "Eve", password: "wrong" }, "", 401],
    ["POST /sessions", { name: "Nobody", password }, "", 401],
    ["POST /tables", table, "stolen", 401],
    ["POST /tables", { ...table, ruleset: "chess" }, eve, 400],
    ["POST /tables", { ...table, seats: 9_000_000 }, eve, 400],
    ["POST /tables", { ...table, seats: 1 }, eve, 400],
    [`POST /tables/${nobody}/players`, {}, eve, 404],
    [`POST /games/${nobody}/token`, {}, eve, 404],
    ["POST /tables", { ...table, more: "x".repeat(5_000) }, eve, 413],
    ["GET /nothing", undefined, eve, 404],
  ]) {
    const answer = await ask(route, body, session);
    assert.deepEqual([answer.status, typeof answer.error], [status, "string"], `${route} ${JSON.stringify(body)?.slice(0, 80)}`);
  }
  assert.equal(readFileSync(file("lobby.jsonl"), "utf8"), before);

  const { table: id } = await ask("POST /tables", table, eve);
  assert.equal((await ask(`POST /tables/${id}/start`, {}, fay)).status, 403);
  assert.equal((await ask(`DELETE /tables/${id}/players`, undefined, eve)).status, 200);
  assert.equal((await ask(`POST /tables/${id}/players`, {}, fay)).status, 404);
});

test("nothing is lost and nothing counts twice, whatever is killed", { timeout: 200_000 }, async () => {
  let isDone = false;
  let kills = 0;
  const killing = (async () => {
    while (!isDone) {
      await pause(200 + Math.random() * 400);
      if (kills++ % 2 === 0) {
        await lobby.kill();
        lobby = await openLobby();
      } else {
        await server.kill();
        server = await open(address);
      }
    }
  })();

  const names = ["Kim", "Lea", "Max", "Noa", "Oli", "Pia"];
  const rounds = 4;
  const joined = new Map(names.map((name) => [name, new Set()]));
  const sessions = await Promise.all(names.map(person));
  // Everybody plays to the end: a table whose creation was answered to nobody may still find a second player.
  const playing = sessions.map(async (session) => {
    while (!isDone) {
      await playAll(session);
      await pause(20);
    }
  });
  await Promise.all(
    sessions.map(async (session, at) => {
      for (let round = 0; round < rounds; round++) {
        const { tables } = await sure("GET /tables");
        const other = tables.find(({ players }) => !players.includes(names[at]));
        const id = other?.id ?? (await sure("POST /tables", table, session)).table;
        let start = other ? await sure(`POST /tables/${id}/players`, {}, session) : { status: 200, game: null };
        // A table for oneself is filled with a bot, unless somebody has come.
        if (start.status === 200 && start.game === null) start = await sure(`POST /tables/${id}/start`, {}, session);
        if (start.game) joined.get(names[at]).add(start.game);
        await pause(Math.random() * 600);
      }
    }),
  );
  while ((await sure("GET /games")).games.length > 0) await pause(50);
  isDone = true;
  await Promise.all([killing, ...playing]);
  assert.ok(kills >= 5, `${kills} kills`);

  // Every table that was closed has one game, and every game has a table.
  const lines = readFileSync(file("lobby.jsonl"), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const of = (kind) => lines.filter((line) => line.kind === kind);
  const { games } = await gamekeeper.games.listGames({ filter: { labels: { lobby: "main" } }, pageSize: 1_000 });
  assert.deepEqual(new Set(games.map(({ labels }) => labels.table)), new Set(of("closed").map(({ table: id }) => id)));
  assert.equal(new Set(games.map(({ labels }) => labels.table)).size, games.length);
  assert.ok(games.every(({ status }) => status === GameStatus.FINISHED));
  for (const [name, own] of joined) {
    const { games: shown } = await ask("GET /my/games", undefined, await person(name));
    for (const game of own) assert.ok(shown.some((one) => one.game === game && one.isOver), `${name} has lost ${game}`);
  }

  // Every game is rated once, and nobody gains what nobody loses.
  const { ratings } = await ask("GET /ratings");
  const rated = readFileSync(file("lobby.jsonl"), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line)).filter(({ kind }) => kind === "rated");
  assert.deepEqual(rated.map(({ game }) => game).sort(), games.map(({ gameId }) => gameId).sort());
  for (const { changes } of rated) {
    assert.ok(Math.abs(Object.values(changes).reduce((sum, change) => sum + change, 0)) < 1e-6);
  }
  const counted = ratings.filter(({ name }) => names.includes(name)).reduce((sum, { games: count }) => sum + count, 0);
  assert.ok(counted >= names.length, JSON.stringify(ratings));

  // The same from the journal alone.
  await lobby.kill();
  lobby = await openLobby();
  assert.deepEqual((await ask("GET /ratings")).ratings, ratings);
});
