// Plays a game at random, and follows it as each kind of page does. Only counts what it asks for: trial-traffic.mjs looks at the bytes.

import { Client, ViewerKind } from "@gamekeeper/client";

/** The fields that each watch of seat 1 shows. */
const WATCHES = {
  "events and texts": { events: true, text: true },
  "a view": { view: true },
  "a drawing": { drawing: {} },
  "changes of a drawing": { drawing: { changes: true } },
};

/** Begins a game, and follows it in every way, one watch after the other. Gives the names of the watches, and what plays on. */
window.follow = async (server, ruleset) => {
  const client = new Client(server);
  const players = [{ name: "Ada" }, { name: "Bob" }];
  const { table } = await client.games.createGame({ ruleset, players, seed: new Uint8Array(32).fill(7) });
  let { game } = table;
  const { gameId } = game;
  const watches = [];
  for (const show of Object.values(WATCHES)) {
    const tables = client.watch({ gameId, viewer: { kind: ViewerKind.SEAT, seat: 1 }, show });
    await tables.next();
    watches.push(tables);
  }
  let state = 7;
  const any = (some) => some[(state = (state * 48_271) % 2_147_483_647) % some.length];
  /** Plays this many actions, or to the end; all watches hear of each. Gives how many were played. */
  window.play = async (most) => {
    let played = 0;
    for (; played < most && game.pending.length > 0; played += 1) {
      const { seat } = any(game.pending);
      const { actions, version } = await client.games.listLegalActions({ gameId, seat, show: { text: true, components: true } });
      const { kind } = any([...new Map(actions.map((one) => [one.kind, one])).values()]);
      const { action } = any(actions.filter((one) => one.kind === kind));
      game = (await client.games.applyAction({ gameId, seat, action, expectedVersion: version })).table.game;
      for (const tables of watches) {
        while ((await tables.next()).value.table.game.version < game.version);
      }
    }
    return played;
  };
  return Object.keys(WATCHES);
};
