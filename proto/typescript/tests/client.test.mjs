// The client on a server, over a line that is cut.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

import { act, Client, Code, GameStatus, GamekeeperError, NotAllowedError, RefusedError, StaleVersionError, timestampFromMs, timestampMs, UnavailableError, ViewerKind } from "@gamekeeper/client";
import { Card } from "@gamekeeper/client/dominion";

import { startRelay, startServer } from "./harness.mjs";

const binary = process.env.GAMEKEEPERD;
const server = await startServer(binary, ["--store", "memory"]);
const open = `http://${server.address}`;
after(async () => {
  await server.stop();
  process.exit();
});

const players = [{ name: "Ada" }, { name: "Bob" }];

async function newGame(client, ruleset = "dominion") {
  const { table } = await client.games.createGame({ ruleset, players });
  return table.game;
}

/** One legal action of a seat that must act. Gives the game after it. */
async function step(client, game) {
  const { seat } = game.pending[0];
  const { actions, version } = await client.legalActions({ gameId: game.gameId, seat });
  // The last legal action of Dominion ends the turn or plays what is best listed last: games stay short.
  const action = actions[Math.floor(Math.random() * actions.length)].action;
  const { table } = await client.games.applyAction({ gameId: game.gameId, seat, action, expectedVersion: version });
  return table.game;
}

test("the time of the server is known on a machine whose clock is wrong", async () => {
  const client = new Client(open);
  const [rightly, hour] = [Date.now, 3_600_000];
  Date.now = () => rightly() - hour;
  try {
    assert.ok(Math.abs(client.now() - rightly()) >= hour - 1_000, "nothing is known yet");
    await newGame(client);
    assert.ok(Math.abs(client.now() - rightly()) < 10_000);
    assert.equal(Math.round((client.with({}).now() - Date.now()) / hour), 1, "over the same connection");
  } finally {
    Date.now = rightly;
    client.close();
  }
});

test("errors are classes with typed values", async () => {
  const client = new Client(open);
  const { gameId, pending } = await newGame(client);
  const { seat } = pending[0];
  const gold = act("dominion", { case: "buyCard", value: { card: Card.GOLD } });
  await assert.rejects(client.games.applyAction({ gameId, seat, action: gold }), (error) => {
    assert.ok(error instanceof RefusedError);
    assert.deepEqual([error.reason, error.rule, error.code], ["CANNOT_AFFORD", "DOM-6.10", Code.FailedPrecondition]);
    assert.equal(error.detail.value.refusal.case, "cannotAfford");
    assert.equal(error.detail.value.refusal.value.cost, 6);
    return true;
  });
  const pass = act("dominion", { case: "endTurn", value: {} });
  await assert.rejects(client.games.applyAction({ gameId, seat, action: pass, expectedVersion: 9n }), StaleVersionError);
  await assert.rejects(client.games.applyAction({ gameId, seat, action: {} }), (error) => {
    assert.ok(error instanceof GamekeeperError && !(error instanceof UnavailableError));
    assert.deepEqual([error.reason, error.fields.map(({ field }) => field)], ["MALFORMED", ["action"]]);
    return true;
  });
  client.close();
});

test("a server that cannot be reached is unavailable after the patience of the caller", async () => {
  const nobody = new Client("http://127.0.0.1:1", { patience: 200 });
  await assert.rejects(nobody.rulesets.listRulesets({}), (error) => error instanceof UnavailableError && error.reason === "");
  nobody.close();
});

test("all pages of a list are one list", async () => {
  const client = new Client(open);
  const { gameId, pending } = await newGame(client);
  const request = { gameId, seat: pending[0].seat };
  const whole = await client.games.listLegalActions(request);
  assert.ok(whole.actions.length > 2);
  const paged = await client.legalActions({ ...request, pageSize: 2 });
  assert.deepEqual(paged.actions, whole.actions);
  client.close();
});

/** The drawings of a game that is followed, until this many have come. */
async function drawingsOf(tables, count) {
  const drawings = [];
  for await (const { drawing, drawingChanges } of tables) {
    assert.equal(drawingChanges, undefined);
    if (drawings.push(drawing) === count) return drawings;
  }
}

test("drawings that come as changes are whole", { timeout: 60_000 }, async () => {
  const relay = await startRelay(server.address);
  const [client, wired] = [new Client(open), new Client(`http://${relay.address}`)];
  let game = await newGame(client, "terra_mystica");
  const asked = (changes) => ({ gameId: game.gameId, show: { drawing: { changes } } });
  const tables = async function* (news) {
    for await (const { table, value } of news) yield table ?? value.table;
  };
  const [first, last] = [asked(true), 8];
  const raw = (async () => {
    let changed = 0;
    for await (const { table } of client.games.watchGame(first)) {
      changed += table?.drawingChanges ? 1 : 0;
      if (table?.game?.version === BigInt(last)) return changed;
    }
  })();
  const followed = [
    drawingsOf(tables(client.watch(asked(false))), last),
    drawingsOf(tables(wired.watch(first)), last),
    drawingsOf(tables(wired.feed({ games: [{ gameId: game.gameId }], show: first.show })), last),
  ];
  for (let version = 1; version < last; version += 1) {
    // Whoever follows has seen each version before the next.
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (version === 4) relay.cut();
    game = await step(client, game);
  }
  const [whole, watched, fed] = await Promise.all(followed);
  assert.deepEqual([watched, fed], [whole, whole]);
  assert.ok((await raw) > last / 2, "most of them come as changes");
  [client, wired].forEach((one) => one.close());
  relay.stop();
});

test("a feed of a tenant goes on from its cursor", { timeout: 60_000 }, async () => {
  const relay = await startRelay(server.address);
  const client = new Client(`http://${relay.address}`);
  const labels = { run: String(Math.random()) };
  const feed = client.tenantFeed({ filter: { labels } });
  const { value: begun } = await feed.next();
  assert.ok(begun.cursor);
  const until = async (messages, last) => {
    const versions = [];
    for await (const { update, cursor } of messages) {
      if (update.case === "change") versions.push(update.value.table.game.version);
      if (versions.at(-1) === last) return { versions, cursor };
    }
  };
  const players = [{ name: "Ada" }, { name: "Bob" }];
  const created = await client.games.createGame({ ruleset: "kingsburg", players, labels });
  relay.cut();
  const { gameId } = created.table.game;
  await client.games.resign({ gameId, seat: 1 });
  const first = await until(client.tenantFeed({ filter: { labels }, cursor: begun.cursor }), 1n);
  assert.deepEqual(first.versions, [1n]);
  // Another process goes on from the cursor that was stored; it may hear the first version again.
  const rest = await until(client.tenantFeed({ filter: { labels }, cursor: first.cursor }), 2n);
  assert.equal(rest.versions.at(-1), 2n);
  client.close();
  relay.stop();
});

test("a watch, a feed and an export miss nothing and repeat nothing on a line that is cut", { timeout: 120_000 }, async () => {
  const relay = await startRelay(server.address);
  let retries = 0;
  const client = new Client(`http://${relay.address}`, { onRetry: () => (retries += 1) });
  const game = await newGame(client);
  const { gameId } = game;
  const viewer = { kind: ViewerKind.SPECTATOR };

  const watched = (async () => {
    const versions = [];
    for await (const { table, entry } of client.watch({ gameId, viewer, afterVersion: 1n, show: { events: true } })) {
      assert.equal(entry.version, table.game.version);
      versions.push(entry.version);
    }
    return versions;
  })();
  const fed = (async () => {
    const versions = [];
    for await (const news of client.feed({ games: [{ gameId, afterVersion: 1n, viewer }] })) {
      assert.equal(news.case, "change");
      versions.push(news.value.table.game.version);
    }
    return versions;
  })();

  let now = game;
  while (now.status !== GameStatus.FINISHED) {
    if (now.version % 8n === 3n) relay.loseAnswer();
    const next = await step(client, now);
    assert.equal(next.version, now.version + 1n);
    now = next;
    if (now.version % 16n === 0n) relay.cut();
    if (now.version === 80n) {
      const resigned = await client.games.resign({ gameId, seat: 1 });
      now = resigned.game;
    }
  }
  const expected = Array.from({ length: Number(now.version) - 1 }, (_, index) => BigInt(index + 2));
  assert.deepEqual(await watched, expected);
  assert.deepEqual(await fed, expected);
  assert.ok(retries > 5 && relay.cuts > 5, JSON.stringify({ retries, cuts: relay.cuts }));

  const parts = [];
  for await (const { part } of client.export({ gameId })) {
    if (part.case === "version" && part.value.entry.version % 20n === 10n) relay.cut();
    parts.push(part.case === "version" ? part.value.entry.version : part.case);
  }
  assert.deepEqual(parts, ["header", 1n, ...expected, "end"]);
  client.close();
  relay.stop();
});

test("a watch can be left, and silence counts as a break", async () => {
  const client = new Client(open);
  const { gameId } = await newGame(client);
  const leaving = new AbortController();
  const seen = [];
  for await (const { table } of client.watch({ gameId }, { signal: leaving.signal })) {
    seen.push(table.game.version);
    leaving.abort();
  }
  assert.deepEqual(seen, [1n]);

  let breaks = 0;
  const quiet = new AbortController();
  const counting = client.with({
    onRetry: (error) => {
      assert.equal(error.message, "the service was silent");
      breaks += 1;
      if (breaks === 2) quiet.abort();
    },
  });
  for await (const change of counting.watch({ gameId, afterVersion: 1n }, { silence: 100, signal: quiet.signal })) {
    assert.fail(`nothing happens: ${change.table.game.version}`);
  }
  assert.equal(breaks, 2);
  client.close();
});

/** A server that wants tokens, and the key of a tenant. */
async function guard(...more) {
  const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-client-"));
  const key = randomBytes(32).toString("hex");
  const keys = path.join(folder, "tenant-keys");
  writeFileSync(keys, `acme:${createHash("sha256").update(key).digest("hex")}\n`);
  const secrets = path.join(folder, "token-keys");
  writeFileSync(secrets, `${randomBytes(32).toString("hex")}\n`);
  const flags = ["--store", "memory", "--auth", "tokens", "--tenant-keys-file", keys, "--token-keys-file", secrets];
  const guarded = await startServer(binary, [...flags, ...more]);
  const stop = async () => {
    await guarded.stop();
    rmSync(folder, { recursive: true });
  };
  return { key, address: guarded.address, stop };
}

test("a user's token follows the games of its user, new ones too, on a line that is cut", { timeout: 60_000 }, async () => {
  const guarded = await guard();
  const tenant = new Client(`http://${guarded.address}`, { token: guarded.key });
  const relay = await startRelay(guarded.address);
  const holder = { holder: { case: "user", value: { user: "ada" } } };
  const expireTime = timestampFromMs(1_000 * Math.round(tenant.now() / 1_000 + 60));
  const issued = await tenant.access.issueToken({ holder, expireTime });
  assert.equal(timestampMs(issued.expireTime), timestampMs(expireTime));
  let retries = 0;
  const ada = new Client(`http://${relay.address}`, { token: issued.token, onRetry: () => (retries += 1) });

  const create = async (user) => {
    const players = [{ name: "Ada", user }, { name: "Bob", user: "bob" }];
    return (await tenant.games.createGame({ ruleset: "kingsburg", players })).table.game.gameId;
  };
  const first = await create("ada");
  await create("cyd");
  const seen = [];
  let second;
  for await (const { value } of ada.feed({})) {
    const { gameId, version } = value.table.game;
    seen.push([gameId, version]);
    if (seen.length === 1) {
      relay.cut();
      second = await create("ada");
      await tenant.games.resign({ gameId: first, seat: 2 });
    }
    if (seen.length === 3) break;
  }
  const expected = [[first, 1n], [first, 2n], [second, 1n]];
  assert.deepEqual(seen.map(String).sort(), expected.map(String).sort());
  assert.ok(retries > 0);
  ada.close();
  tenant.close();
  relay.stop();
  await guarded.stop();
});

test("tokens are sent, and a caller that is too fast waits as the service asks", { timeout: 60_000 }, async () => {
  const guarded = await guard("--max-rate", "20", "--max-burst", "5");
  const { key } = guarded;
  const address = `http://${guarded.address}`;

  const stranger = new Client(address);
  const nothing = { gameId: "00000000-0000-4000-8000-000000000000" };
  await assert.rejects(stranger.games.getGame(nothing), (error) => error instanceof NotAllowedError && error.reason === "NO_TOKEN");

  const waits = [];
  const tenant = stranger.with({ token: () => Promise.resolve(key), onRetry: (error) => waits.push(error) });
  const { table, tokens } = await tenant.games.createGame({ ruleset: "dominion", players });
  const { gameId } = table.game;
  await Promise.all(Array.from({ length: 30 }, () => tenant.games.getGame({ gameId })));
  assert.ok(waits.length > 0 && waits.every(({ reason, retryAfter }) => reason === "LIMIT_EXCEEDED" && retryAfter > 0));

  const seat = stranger.with({ token: tokens.seats[0].token });
  assert.equal((await seat.games.getGame({ gameId })).table.viewer.seat, 1);
  const headers = { authorization: `Bearer ${tokens.seats[1].token}` };
  assert.equal((await seat.games.getGame({ gameId }, { headers })).table.viewer.seat, 2);
  stranger.close();
  await guarded.stop();
});
