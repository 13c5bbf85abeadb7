// The part of a product's back end: it creates games for its users, and plays in them while nobody looks.

import assert from "node:assert/strict";

/** Calls methods of a server as plain JSON, with the key of a tenant where there is one. */
export function backEnd(address, key = "") {
  const headers = { "content-type": "application/json", ...(key === "" ? {} : { authorization: `Bearer ${key}` }) };
  const call = async (method, request) => {
    const [service, name] = method.includes("/") ? method.split("/") : ["GameService", method];
    const answer = await fetch(`http://${address}/gamekeeper.v1.${service}/${name}`, { method: "POST", headers, body: JSON.stringify(request) });
    const found = await answer.json();
    assert.ok(answer.ok, `${method}: ${JSON.stringify(found)}`);
    return found;
  };
  return {
    call,
    /** A game of Dominion in which seat 1 begins; its id. */
    async create(more = {}, users = []) {
      const players = ["Ada", "Bob"].map((name, at) => ({ name, user: users[at] ?? "" }));
      const { table } = await call("CreateGame", { ruleset: "dominion", options: { dominion: { firstPlayer: 1 } }, players, ...more });
      return table.game.gameId;
    },
    /** The seats end their turns, one after the other; the first is that of the seat. */
    async pass(gameId, seat, turns = 1) {
      for (let turn = 0; turn < turns; turn += 1) {
        await call("ApplyAction", { gameId, seat: ((seat + turn - 1) % 2) + 1, action: { dominion: { endTurn: {} } } });
      }
    },
  };
}

/** A table whose decisions have this many seconds. */
export const timed = (decisionSeconds) => ({ table: { clock: { decisionSeconds } } });
