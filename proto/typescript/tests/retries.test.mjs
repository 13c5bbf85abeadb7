// Which failures are tried again, on a service that fails as the test wants.

import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";
import { ConnectError, createRouterTransport } from "@connectrpc/connect";
import { Client, Code, GameService, UnavailableError } from "@gamekeeper/client";

/** A detail of a status, without the generated code of the package: google.rpc is not part of its interface. */
import { ErrorInfoSchema, RetryInfoSchema } from "./details.mjs";

/** A client of a service whose calls end with these, one after the other: an error, or undefined for an answer. */
function clientOf(ends, settings = {}) {
  const requests = [];
  const transport = createRouterTransport(({ service }) => {
    service(GameService, {
      createGame(request) {
        requests.push(request.requestId);
        const error = ends[requests.length - 1];
        if (error) throw error;
        return {};
      },
    });
  });
  return { client: new Client(transport, settings), requests };
}

function failure(code, reason, delay) {
  const details = reason ? [{ desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain: "gamekeeper" }) }] : [];
  if (delay !== undefined) {
    details.push({ desc: RetryInfoSchema, value: { retryDelay: { seconds: 0n, nanos: delay * 1_000_000 } } });
  }
  return new ConnectError("no", code, undefined, details);
}

for (const [code, reason] of [
  [Code.ResourceExhausted, "LIMIT_EXCEEDED"],
  [Code.Aborted, "CONTENDED"],
  [Code.Unavailable, "STORE_UNAVAILABLE"],
  [Code.Unavailable, "OUTCOME_UNKNOWN"],
  [Code.DeadlineExceeded, "DEADLINE"],
  [Code.Unknown, ""],
]) {
  test(`${reason || "no answer"} passes, and every try is the same request`, async () => {
    const { client, requests } = clientOf([failure(code, reason), failure(code, reason), undefined]);
    await client.games.createGame({});
    assert.equal(requests.length, 3);
    assert.match(requests[0], /^[0-9a-f]{32}$/);
    assert.equal(new Set(requests).size, 1);
  });
}

for (const [code, reason] of [
  [Code.ResourceExhausted, "QUOTA_EXCEEDED"],
  [Code.Aborted, "STALE_VERSION"],
  [Code.FailedPrecondition, "GAME_IS_OVER"],
  [Code.Internal, "INTERNAL"],
]) {
  test(`${reason} does not pass`, async () => {
    const { client, requests } = clientOf([failure(code, reason)]);
    await assert.rejects(client.games.createGame({ requestId: "mine" }), { reason });
    assert.deepEqual(requests, ["mine"]);
  });
}

test("the client waits as long as the service asks", async () => {
  const { client } = clientOf([failure(Code.ResourceExhausted, "LIMIT_EXCEEDED", 400)]);
  const begun = performance.now();
  await client.games.createGame({});
  assert.ok(performance.now() - begun >= 399);
});

test("a wait that exceeds the patience of the caller is not begun", async () => {
  const { client, requests } = clientOf([failure(Code.ResourceExhausted, "LIMIT_EXCEEDED", 900)], { patience: 500 });
  await assert.rejects(client.games.createGame({}), (error) => error instanceof UnavailableError && error.retryAfter === 900);
  assert.equal(requests.length, 1);
});

test("a stream that ends as planned is resumed, however little patience there is", async () => {
  let opened = 0;
  const transport = createRouterTransport(({ service }) => {
    service(GameService, {
      async *watchGame() {
        opened += 1;
        throw failure(Code.Unavailable, opened > 20 ? "STORE_UNAVAILABLE" : "GOING_AWAY", 0);
      },
    });
  });
  const watch = new Client(transport, { patience: 0 }).watch({ gameId: "any" });
  await assert.rejects(watch.next(), { reason: "STORE_UNAVAILABLE" });
  assert.equal(opened, 21);
});

test("a call that is no longer wanted is not sent again", async () => {
  const { client, requests } = clientOf([failure(Code.Unavailable, "STORE_UNAVAILABLE", 300)]);
  await assert.rejects(client.games.createGame({}, { signal: AbortSignal.timeout(50) }));
  assert.equal(requests.length, 1);
});
