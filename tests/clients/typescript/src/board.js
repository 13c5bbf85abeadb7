// A board for every ruleset: board.html?server=http://HOST:PORT&ruleset=caylus makes a game and plays all its seats;
// with &game=ID&seat=1&token=TOKEN it plays one seat of a game, and without a seat it watches.

import { Client, ViewerKind } from "@gamekeeper/client";

const asked = new URLSearchParams(location.search);
const client = new Client(asked.get("server") ?? "http://127.0.0.1:50051", { token: asked.get("token") ?? "" });
const place = (id) => document.getElementById(id);

/** The widest drawing that the page has room for. */
const width = () => [1200, 800].find((width) => width <= place("board").clientWidth) ?? 390;

/** The game, who looks, what they may do, and the components that were picked. */
let game, seat, version, actions, picked;

/** The game of the address, or a new one. */
async function open() {
  const gameId = asked.get("game");
  if (gameId !== null) return (await client.games.getGame({ gameId })).table.game;
  const players = [{ name: "Ada" }, { name: "Bob" }];
  return (await client.games.createGame({ ruleset: asked.get("ruleset") ?? "kingsburg", players })).table.game;
}

/** Returns the viewer: the seat of the address, otherwise the one that decides now, otherwise a spectator. */
function viewer() {
  seat = Number(asked.get("seat") ?? (asked.has("game") ? 0 : (game.pending[0]?.seat ?? 0)));
  return seat === 0 ? { kind: ViewerKind.SPECTATOR } : { kind: ViewerKind.SEAT, seat };
}

/** Shows the table as it is now. */
async function show() {
  const request = { gameId: game.gameId, viewer: viewer(), show: { drawing: { width: width() } } };
  const owes = game.pending.some((owed) => owed.seat === seat);
  const listed = owes ? client.legalActions({ gameId: game.gameId, seat, show: { text: true, components: true } }) : undefined;
  const [{ table }, legal] = await Promise.all([client.games.getGame(request), listed]);
  place("board").innerHTML = table.drawing;
  place("status").textContent = place("board").querySelector("title").textContent;
  [actions, version] = [legal?.actions ?? [], legal?.version];
  pick([]);
  document.body.dataset.version = table.game.version;
  document.body.dataset.over = table.game.pending.length === 0;
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

async function act({ action }) {
  const events = { events: true, text: true };
  const played = await client.games.applyAction({ gameId: game.gameId, seat, action, expectedVersion: version, show: events });
  await update(played.table.game, played.entry);
}

/** The game has moved on, by an action of this page or of another one. */
async function update(newer, entry) {
  if (newer.version <= game.version) return;
  game = newer;
  const line = document.createElement("li");
  line.textContent = entry?.events.map(({ text }) => text).join(" ") ?? "";
  place("log").prepend(line);
  await show();
}

place("board").onclick = ({ target }) => {
  const component = target.closest("[data-component]")?.dataset.component;
  const touches = ({ components }) => components.includes(component);
  if (!actions.some(touches)) return pick([]);
  const narrower = [...new Set([...picked, component])];
  if (pick(narrower).length === 0) pick([component]);
};
addEventListener("resize", () => place("board").firstChild.getAttribute("width") === `${width()}` || show());

game = await open();
await show();
const watched = { gameId: game.gameId, viewer: viewer(), afterVersion: game.version, show: { events: true, text: true } };
for await (const { table, entry } of client.watch(watched)) await update(table.game, entry);
