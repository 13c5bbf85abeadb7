// A board for every ruleset: board.html?server=http://HOST:PORT&ruleset=caylus makes a game and plays all its seats;
// with &game=ID&seat=1&token=TOKEN it plays one seat of a game, and without a seat it watches.

import { Client, ViewerKind } from "@gamekeeper/client";

const asked = new URLSearchParams(location.search);
const client = new Client(asked.get("server") ?? "http://127.0.0.1:50051", { token: asked.get("token") ?? "" });
const place = (id) => document.getElementById(id);

/** The widest drawing that the page has room for. */
const width = () => [1200, 800].find((width) => width <= place("board").clientWidth) ?? 390;

/** The game, who looks, what they may do, the components that were picked, and what ends the watch of the moment. */
let game, seat, version, actions, picked, watching;

/** The game of the address, or a new one. */
async function open() {
  const gameId = asked.get("game");
  if (gameId !== null) return (await client.games.getGame({ gameId })).table.game;
  const players = [{ name: "Ada" }, { name: "Bob" }];
  return (await client.games.createGame({ ruleset: asked.get("ruleset") ?? "kingsburg", players })).table.game;
}

/** Returns who looks: the seat of the address, otherwise the one that decides now, otherwise 0, a spectator. */
const looking = () => Number(asked.get("seat") ?? (asked.has("game") ? 0 : (game.pending[0]?.seat ?? 0)));

/** Follows the game as this seat sees it, from the version that it has: the drawing is whole at first, then its changes come. */
async function follow() {
  watching?.abort();
  const { signal } = (watching = new AbortController());
  seat = looking();
  const viewer = seat === 0 ? { kind: ViewerKind.SPECTATOR } : { kind: ViewerKind.SEAT, seat };
  const show = { events: true, text: true, drawing: { width: width(), changes: true } };
  const { gameId } = game;
  for await (const { table, entry } of client.watch({ gameId, viewer, afterVersion: game.version - 1n, show }, { signal })) {
    if (table.game.version > game.version) log(entry);
    game = table.game;
    if (looking() !== seat) return follow();
    const owes = game.pending.some((owed) => owed.seat === seat);
    const legal = owes ? await client.legalActions({ gameId, seat, show: { text: true, components: true } }) : undefined;
    if (signal.aborted) return;
    draw(table, legal);
  }
}

/** Shows the table as it is now. */
function draw(table, legal) {
  place("board").innerHTML = table.drawing;
  place("status").textContent = place("board").querySelector("title").textContent;
  [actions, version] = [legal?.actions ?? [], legal?.version];
  pick([]);
  document.body.dataset.version = game.version;
  document.body.dataset.over = game.pending.length === 0;
}

/** Keeps the actions that touch all of these components. */
function pick(components) {
  picked = components;
  const left = actions.filter((action) => picked.every((one) => action.components.includes(one)));
  for (const element of place("board").querySelectorAll("[data-component]")) {
    element.classList.toggle("picked", picked.includes(element.dataset.component));
  }
  place("actions").replaceChildren(...left.map(button));
  return left;
}

/** A button that plays an action. */
function button(action) {
  const button = document.createElement("button");
  button.textContent = action.text;
  button.onclick = () => act(action);
  return button;
}

const act = ({ action }) => client.games.applyAction({ gameId: game.gameId, seat, action, expectedVersion: version });

/** Adds a line about what has happened. */
const log = (entry) =>
  place("log").prepend(Object.assign(document.createElement("li"), { textContent: entry?.events.map(({ text }) => text).join(" ") ?? "" }));

place("board").onclick = ({ target }) => {
  const component = target.closest("[data-component]")?.dataset.component;
  const touches = ({ components }) => components.includes(component);
  if (!actions.some(touches)) return pick([]);
  const narrower = [...new Set([...picked, component])];
  if (pick(narrower).length === 0) pick([component]);
};
addEventListener("resize", () => place("board").firstChild.getAttribute("width") === `${width()}` || follow());

game = await open();
await follow();
