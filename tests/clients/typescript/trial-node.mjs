// Tries the client on Node: node trial-node.mjs GAMEKEEPERD. Plays every ruleset, and one over a line that is cut.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { Client, Code, GameStatus, ViewerKind } from "@gamekeeper/client";
import { build } from "esbuild";

import { startRelay, startServer } from "../harness.mjs";
import { play, questionsOf } from "./build/play.js";

const server = await startServer(process.argv[2], ["--store", "memory"]);
const players = [{ name: "Ada" }, { name: "Bob" }];
// Every run plays the same games: this is their luck, and chooses the actions.
const seed = new Uint8Array(32).fill(7);

/** The numbers of a linear congruential generator. */
function randomNumbers(state = 7) {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The call fails with this status and this reason. */
async function expectRefusal(call, code, reason) {
  const error = await call.then(
    () => assert.fail(`${reason} expected, the call went well`),
    (error) => error,
  );
  assert.deepEqual([error.code, error.reason], [code, reason]);
  return error;
}

async function refusals({ games }, { gameId, pending }) {
  const { seat, decision } = pending[0];
  const action = { ruleset: { case: "kingsburg", value: { kind: { case: "passBuild", value: {} } } } };
  const act = (fields) => games.applyAction({ gameId, seat, action, ...fields });
  const wrong = await expectRefusal(act({}), Code.FailedPrecondition, "WRONG_DECISION");
  assert.match(wrong.rule, /^KIN-/);
  assert.equal(wrong.detail.case, "wrongDecision");
  assert.deepEqual([wrong.detail.value.action, wrong.detail.value.decision], ["pass_build", decision]);
  const early = await expectRefusal(act({ seat: 3 - seat }), Code.FailedPrecondition, "NOT_YOUR_TURN");
  assert.deepEqual([early.detail.case, early.detail.value.toAct], ["notYourTurn", seat]);
  await expectRefusal(act({ action: {} }), Code.InvalidArgument, "MALFORMED");
  const stranger = { ruleset: { case: "caylus", value: {} } };
  await expectRefusal(act({ action: stranger }), Code.InvalidArgument, "MALFORMED");
  const stale = await expectRefusal(act({ expectedVersion: 7n }), Code.Aborted, "STALE_VERSION");
  assert.equal(stale.metadata.current, "1");
}

/** Follows the game to its end; the versions that were seen. */
async function follow(client, gameId) {
  const versions = [];
  const viewer = { kind: ViewerKind.SPECTATOR };
  const show = { events: true, text: true };
  for await (const { table, entry } of client.watch({ gameId, viewer, afterVersion: 1n, show })) {
    assert.equal(table.game.version, entry.version);
    assert.ok(entry.events.some(({ text }) => text !== ""));
    versions.push(entry.version);
  }
  return versions;
}

const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One code path for every ruleset: what is opened and what stands beside it say the same. */
async function tryRuleset(ruleset) {
  const client = new Client(`http://${server.address}`);
  const { games } = client;
  const { catalogue } = await client.rulesets.getCatalogue({ ruleset });
  assert.equal(snake(catalogue.ruleset.case), ruleset);
  const questions = questionsOf(catalogue);
  const { table } = await games.createGame({ ruleset, players, seed, show: { view: true } });
  assert.equal(table.view.ruleset.case, catalogue.ruleset.case);
  let { game } = table;
  const onAction = ({ decision }, { action, kind, text }) => {
    assert.match(questions.get(decision) ?? "", /\?$/, decision);
    assert.equal(action.ruleset.case, catalogue.ruleset.case);
    assert.equal(snake(action.ruleset.value.kind.case), kind);
    assert.notEqual(text, "");
  };
  for await (game of play(client, game, onAction, randomNumbers()));
  assert.equal(game.status, GameStatus.FINISHED);
  assert.equal(game.standings.length, 2);
  const viewer = { kind: ViewerKind.SEAT, seat: 1 };
  const { entries } = await games.listEvents({ gameId: game.gameId, viewer, show: { text: true }, pageSize: 1_000 });
  for (const { kind, table, ruleset } of entries.flatMap(({ events }) => events)) {
    assert.equal(snake((table ? table.kind.case : ruleset.value.kind.case)), kind);
    assert.equal(ruleset.case, table ? undefined : catalogue.ruleset.case);
  }
  return Number(game.version) - 1;
}

/** A game over a line that is cut again and again. */
async function tryCuts() {
  const relay = await startRelay(server.address);
  let retries = 0;
  const client = new Client(`http://${relay.address}`, { onRetry: () => (retries += 1) });
  const { catalogue } = await client.rulesets.getCatalogue({ ruleset: "kingsburg" });
  assert.equal(catalogue.ruleset.value.advisors.length, 18);
  const request = { ruleset: "kingsburg", players, seed, requestId: crypto.randomUUID() };
  const created = await client.games.createGame(request);
  const { gameId } = created.table.game;
  assert.equal((await client.games.createGame(request)).table.game.gameId, gameId);
  await refusals(client, created.table.game);
  const followed = follow(client, gameId);
  let { game } = created.table;
  const onAction = () => {
    if (game.version % 10n === 5n) relay.loseAnswer();
  };
  for await (const next of play(client, game, onAction, randomNumbers())) {
    assert.equal(next.version, game.version + 1n);
    game = next;
    if (game.version % 20n === 0n) relay.cut();
  }
  assert.equal(game.status, GameStatus.FINISHED);
  assert.deepEqual(await followed, Array.from({ length: Number(game.version) - 1 }, (_, index) => BigInt(index + 2)));
  assert.ok(retries > 3 && relay.cuts > 3, JSON.stringify({ retries, cuts: relay.cuts }));
  client.close();
  relay.stop();
  return `${game.version - 1n} actions played and watched over ${relay.cuts} cuts, ${retries} calls and watches begun again`;
}

const { rulesets } = await new Client(`http://${server.address}`).rulesets.listRulesets({});
const played = [];
for (const { id } of rulesets) {
  played.push(`${id} ${await tryRuleset(id)}`);
}
assert.ok(played.length >= 5);
const summary = await tryCuts();

const told = execFileSync("node", ["build/node.js", `http://${server.address}`], { cwd: import.meta.dirname, encoding: "utf8" });
assert.match(told, /^Caylus, .*\nrefused: NOT_YOUR_TURN, rule KIN-.*: first (Ada|Bob)\n/);
assert.match(told, /^(Ada|Bob) \(.*\?\): influence the .*\n(.*\n)*1\. (Ada|Bob), -?\d+ points\n/m);

// The first TypeScript of the pages does what they say.
for (const [number, page] of ["docs/front-ends.md", "typescript/README.md"].entries()) {
  const text = readFileSync(new URL(`../../../proto/${page}`, import.meta.url), "utf8");
  const contents = /^```ts\n(.*?)^```$/ms.exec(text)[1].replace("127.0.0.1:50051", server.address);
  const stdin = { contents, loader: "ts", resolveDir: import.meta.dirname };
  const outfile = path.join(import.meta.dirname, `build/page-${number}.mjs`);
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
  assert.match(execFileSync("node", [outfile], { encoding: "utf8" }), /^\[ '\w+ plays/m);
}
await server.stop();
console.log(`actions played: ${played.join(", ")}; ${summary}`);
process.exit(0);
