// Tries the client on Node: node trial-node.mjs GAMEKEEPERD. Plays every ruleset, and one over a line that is cut.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { build } from "esbuild";

import { startRelay, startServer } from "../harness.mjs";
import { GameStatus, ViewerKind } from "./build/gen/gamekeeper/v1/game_pb.js";
import { GameService } from "./build/gen/gamekeeper/v1/game_service_pb.js";
import { RulesetService } from "./build/gen/gamekeeper/v1/ruleset_service_pb.js";
import { detailOf, reasonOf } from "./build/src/errors.js";
import { play, questionsOf } from "./build/src/play.js";
import { watch } from "./build/src/watch.js";

const server = await startServer(process.argv[2], ["--store", "memory"]);
const clients = (address) => {
  const transport = createGrpcTransport({ baseUrl: `http://${address}` });
  return [createClient(GameService, transport), createClient(RulesetService, transport)];
};
const players = [{ name: "Ada" }, { name: "Bob" }];

/** The call fails with this status and this reason. */
async function expectRefusal(call, code, reason) {
  const error = await call.then(
    () => assert.fail(`${reason} expected, the call went well`),
    (error) => error,
  );
  const info = reasonOf(error);
  assert.deepEqual([error.code, info?.domain, info?.reason], [code, "gamekeeper", reason]);
  return { ...info.metadata, detail: detailOf(error) };
}

async function refusals(games, { gameId, pending }) {
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
  assert.equal(stale.current, "1");
}

/** Follows the game to its end; the versions that were seen. */
async function follow(games, gameId, seen) {
  const viewer = { kind: ViewerKind.SPECTATOR };
  for await (const { table, entry } of watch(games, { gameId, viewer, afterVersion: 1n }, () => (seen.cuts += 1))) {
    assert.equal(table.game.version, entry.version);
    assert.ok(entry.events.some(({ text }) => text !== ""));
    seen.versions.push(entry.version);
    if (table.game.status === GameStatus.FINISHED) return;
  }
}

const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One code path for every ruleset: what is opened and what stands beside it say the same. */
async function tryRuleset(ruleset) {
  const [games, rulesets] = clients(server.address);
  const { catalogue } = await rulesets.getCatalogue({ ruleset });
  assert.equal(snake(catalogue.ruleset.case), ruleset);
  const questions = questionsOf(catalogue);
  const { table } = await games.createGame({ ruleset, players, show: { view: true } });
  assert.equal(table.view.ruleset.case, catalogue.ruleset.case);
  let { game } = table;
  const onAction = ({ decision }, { action, kind, text }) => {
    assert.match(questions.get(decision) ?? "", /\?$/, decision);
    assert.equal(action.ruleset.case, catalogue.ruleset.case);
    assert.equal(snake(action.ruleset.value.kind.case), kind);
    assert.notEqual(text, "");
  };
  for await (game of play(games, game, { onAction }));
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
  const [games, rulesets] = clients(relay.address);
  const { catalogue } = await rulesets.getCatalogue({ ruleset: "kingsburg" });
  assert.equal(catalogue.ruleset.value.advisors.length, 18);
  const request = { ruleset: "kingsburg", players, requestId: crypto.randomUUID() };
  const created = await games.createGame(request);
  const { gameId } = created.table.game;
  assert.equal((await games.createGame(request)).table.game.gameId, gameId);
  await refusals(games, created.table.game);
  const seen = { versions: [], cuts: 0 };
  const followed = follow(games, gameId, seen);
  let [game, retries] = [created.table.game, 0];
  const listener = {
    onAction: () => {
      if (game.version % 10n === 5n) relay.loseAnswer();
    },
    onRetry: () => (retries += 1),
  };
  for await (const next of play(games, game, listener)) {
    assert.equal(next.version, game.version + 1n);
    game = next;
    if (game.version % 20n === 0n) relay.cut();
  }
  await followed;
  assert.equal(game.status, GameStatus.FINISHED);
  assert.deepEqual(seen.versions, Array.from({ length: Number(game.version) - 1 }, (_, index) => BigInt(index + 2)));
  assert.ok(retries > 0 && seen.cuts > 0 && relay.cuts > 3, JSON.stringify({ retries, cuts: [seen.cuts, relay.cuts] }));
  relay.stop();
  return `${game.version - 1n} actions played and watched over ${relay.cuts} cuts, ${retries} calls sent again`;
}

const { rulesets } = await clients(server.address)[1].listRulesets({});
const played = [];
for (const { id } of rulesets) {
  played.push(`${id} ${await tryRuleset(id)}`);
}
assert.ok(played.length >= 5);
const summary = await tryCuts();

const told = execFileSync("node", ["build/src/node.js", `http://${server.address}`], { cwd: import.meta.dirname, encoding: "utf8" });
assert.match(told, /^Caylus, .*\nrefused: NOT_YOUR_TURN, rule KIN-.*: first (Ada|Bob)\n/);
assert.match(told, /^(Ada|Bob) \(.*\?\): influence the .*\n(.*\n)*1\. (Ada|Bob), -?\d+ points\n/m);

// The first TypeScript of the page for front ends does what it says.
const page = readFileSync(new URL("../../../proto/docs/front-ends.md", import.meta.url), "utf8");
const contents = /^```ts\n(.*?)^```$/ms.exec(page)[1].replace("127.0.0.1:50051", server.address);
const stdin = { contents, loader: "ts", resolveDir: import.meta.dirname };
const outfile = path.join(import.meta.dirname, "build/front-ends.mjs");
await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
assert.match(execFileSync("node", [outfile], { encoding: "utf8" }), /^\[ '\w+ plays/);
await server.stop();
console.log(`actions played: ${played.join(", ")}; ${summary}`);
process.exit(0);
