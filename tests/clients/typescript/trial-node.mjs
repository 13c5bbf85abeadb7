// Tries the client on Node: node trial-node.mjs GAMEKEEPERD. The line to the server is cut again and again.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { build } from "esbuild";

import { startRelay, startServer } from "../harness.mjs";
import { KingsburgService } from "./build/gen/gamekeeper/kingsburg/v1/kingsburg_service_pb.js";
import { GameStatus, ViewerKind } from "./build/gen/gamekeeper/v1/game_pb.js";
import { GamesService } from "./build/gen/gamekeeper/v1/games_service_pb.js";
import { reasonOf } from "./build/src/errors.js";
import { play, say } from "./build/src/play.js";
import { watch } from "./build/src/watch.js";

const server = await startServer(process.argv[2], ["--store", "memory"]);
const relay = await startRelay(server.address);
const transport = createGrpcTransport({ baseUrl: `http://${relay.address}` });
const service = createClient(KingsburgService, transport);

/** The call fails with this status and this reason. */
async function expectRefusal(call, code, reason) {
  const error = await call.then(
    () => assert.fail(`${reason} expected, the call went well`),
    (error) => error,
  );
  const info = reasonOf(error);
  assert.deepEqual([error.code, info?.domain, info?.reason], [code, "gamekeeper", reason]);
  return info.metadata;
}

async function refusals({ gameId, pending }) {
  const { seat } = pending[0];
  const action = { kind: { case: "passBuild", value: {} } };
  const act = (fields) => service.applyAction({ gameId, seat, action, ...fields });
  const refused = await expectRefusal(act({}), Code.FailedPrecondition, "WRONG_DECISION");
  assert.match(refused.rule, /^KIN-/);
  await expectRefusal(act({ seat: 3 - seat }), Code.FailedPrecondition, "NOT_YOUR_TURN");
  await expectRefusal(act({ action: {} }), Code.InvalidArgument, "MALFORMED");
  const stale = await expectRefusal(act({ expectedVersion: 7n }), Code.Aborted, "STALE_VERSION");
  assert.equal(stale.current, "1");
}

/** Follows the game to its end; the versions that were seen. */
async function follow(gameId, seen) {
  const viewer = { kind: ViewerKind.SPECTATOR };
  for await (const { game, logged } of watch(service, { gameId, viewer, afterVersion: 1n }, () => (seen.cuts += 1))) {
    assert.ok(logged.events.every(({ text }) => text !== ""));
    seen.versions.push(logged.version);
    if (game.status === GameStatus.FINISHED) return;
  }
}

const { rulesets } = await createClient(GamesService, transport).listRulesets({});
assert.ok(rulesets.some(({ id }) => id === "kingsburg"));
const { catalogue } = await service.getCatalogue({});
assert.equal(catalogue.advisors.length, 18);
const request = { players: [{ name: "Ada" }, { name: "Bob" }], requestId: crypto.randomUUID() };
const created = await service.createGame(request);
assert.equal((await service.createGame(request)).game.gameId, created.game.gameId);
await refusals(created.game);

const seen = { versions: [], cuts: 0 };
const followed = follow(created.game.gameId, seen);
let [game, retries] = [created.game, 0];
const listener = {
  onAction: (_, action) => {
    assert.doesNotMatch(say(action, catalogue), /undefined/);
    if (game.version % 10n === 5n) relay.loseAnswer();
  },
  onRetry: () => (retries += 1),
};
for await (const next of play(service, game, listener)) {
  assert.equal(next.version, game.version + 1n);
  game = next;
  if (game.version % 20n === 0n) relay.cut();
}
await followed;

assert.equal(game.status, GameStatus.FINISHED);
assert.deepEqual(seen.versions, Array.from({ length: Number(game.version) - 1 }, (_, index) => BigInt(index + 2)));
assert.ok(retries > 0 && seen.cuts > 0 && relay.cuts > 3, JSON.stringify({ retries, cuts: [seen.cuts, relay.cuts] }));
relay.stop();

const told = execFileSync("node", ["build/src/node.js", `http://${server.address}`], { cwd: import.meta.dirname, encoding: "utf8" });
assert.match(told, /^Caylus, .*\nrefused: WRONG_DECISION, rule KIN-/);
assert.match(told, /asks the .*\n(.*\n)*1\. (Ada|Bob), -?\d+ points\n/);

// The first TypeScript of the page for front ends does what it says.
const page = readFileSync(new URL("../../../proto/docs/front-ends.md", import.meta.url), "utf8");
const contents = /^```ts\n(.*?)^```$/ms.exec(page)[1].replace("127.0.0.1:50051", server.address);
const stdin = { contents, loader: "ts", resolveDir: import.meta.dirname };
const outfile = path.join(import.meta.dirname, "build/front-ends.mjs");
await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
assert.match(execFileSync("node", [outfile], { encoding: "utf8" }), /^\[ '\w+ plays/);
await server.stop();
console.log(`${game.version - 1n} actions played and watched over ${relay.cuts} cuts, ${retries} calls sent again`);
process.exit(0);
