// Games that begin on a described table: from a file, and from the table of another game.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";

import { backEnd } from "./backend.mjs";
import { actions, code, create, isAccessible, KEY, OPERATOR_KEY, pictureOf, shows, unfold } from "./common.mjs";

/** The second of five turns of Goofspiel, without the order of the prizes to come. */
function secondTurn() {
  const cards = (...names) => names.map((name) => `CARD_${name}`);
  return {
    goofspiel: {
      options: { cards: 5 },
      offered: cards("TWO"),
      players: [
        { seat: 1, hand: cards("ACE", "TWO", "THREE", "FOUR"), won: cards("FIVE") },
        { seat: 2, hand: cards("TWO", "THREE", "FOUR", "FIVE") },
      ],
    },
  };
}

export async function tryPositions(page, address, folder) {
  await tryFiles(page, folder);
  await tryTableOfGame(page, backEnd(address).call);
}

const beginning = (page, words) => page.locator("#beginning").filter({ hasText: words }).waitFor();
const status = (page, words) => page.locator("#position-status").filter({ hasText: words }).waitFor();
const start = (page) => page.getByLabel("Beginning");

/** Opens a game by its id. */
async function open(page, game) {
  await page.getByLabel("Game to open").fill(game);
  await page.getByRole("button", { name: "Open", exact: true }).click();
}

/** Presses the button; the page goes to the new game at its first version. */
async function begin(page) {
  const before = page.url();
  await page.getByRole("button", { name: "Create a game" }).click();
  await page.waitForURL((url) => url.href !== before);
  await shows(page, 1);
}

/** A table in a file: the form becomes that of its ruleset, and a table that breaks a rule is refused with rule and field. */
async function tryFiles(page, folder) {
  const choose = async (name, text) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    await unfold(page, "create-panel");
    await start(page).selectOption({ label: "Position" });
    await page.getByLabel("Table", { exact: true }).setInputFiles(file);
  };
  const refused = (...words) => Promise.all(words.map((one) => page.getByRole("alert").filter({ hasText: one }).waitFor()));
  await unfold(page, "create-panel");
  await page.getByLabel("Ruleset").selectOption("caylus");
  await choose("table.json", JSON.stringify(secondTurn()));
  await status(page, /^table\.json: a table of Goofspiel with 2 players\./);
  assert.equal(await page.getByLabel("Ruleset").inputValue(), "goofspiel");
  assert.equal(await start(page).inputValue(), "GAME_START_POSITION");
  await pictureOf(page, "create-panel");
  await isAccessible(page);
  await begin(page);
  await beginning(page, /^This game began on a table that its creator has described; luck has dealt what was left out\.$/);
  assert.match(await code(page, "create"), / --from table\.json --take-back unseen$/);
  await page.locator("#events").filter({ hasText: "begins on a table" }).waitFor();
  await actions(page).first().click();
  await shows(page, 2);

  const before = page.url();
  const broken = secondTurn();
  broken.goofspiel.players[1].bid = "CARD_ACE";
  await choose("broken.json", JSON.stringify(broken));
  await status(page, /^broken\.json/);
  await page.getByRole("button", { name: "Create a game" }).click();
  await refused("INVALID_POSITION", "Rule GOO-15.3", "position.goofspiel.players[1].bid", "2, 3, 4 and 5");
  await page.getByRole("button", { name: "Rule GOO-15.3" }).click();
  await page.locator("#failure .rule h4").filter({ hasText: "GOO-15.3" }).waitFor();
  for (const [name, text] of [
    ["notes.json", "This is no table."],
    ["none.json", "{}"],
    ["other.json", JSON.stringify({ goofspiel: { unheard: 1 } })],
  ]) {
    await choose(name, text);
    await refused(`${name} describes no table`);
    await status(page, /^broken\.json/);
  }
  assert.equal(page.url(), before, "the page stays at its game");
  // A table is one of its ruleset: it goes with that, and the form asks for another.
  await page.getByLabel("Ruleset").selectOption("caylus");
  await status(page, /^No table is chosen\.$/);
  await page.getByRole("button", { name: "Create a game" }).click();
  assert.ok(await page.locator("#position-file").evaluate(({ validity }) => validity.valueMissing));
  await start(page).selectOption({ label: "Set Up" });
  assert.ok(await page.locator("#position-choice").isHidden());
}

/** A game from the table of another one, in the middle of it: with its players, and the same table. */
async function tryTableOfGame(page, call) {
  const names = ["Eve", "Dan", "Cleo"];
  const { table } = await call("CreateGame", { ruleset: "goofspiel", options: { goofspiel: { cards: 7 } }, players: names.map((name) => ({ name })) });
  const { gameId } = table.game;
  const whole = async (gameId, atVersion) => (await call("GetGame", { gameId, atVersion, viewer: { kind: "VIEWER_KIND_OPERATOR" }, show: { view: true } })).table.view;
  await open(page, gameId);
  await shows(page, 1);
  for (let version = 2; version <= 6; version += 1) {
    await actions(page).first().click();
    await shows(page, version);
  }
  await unfold(page, "life-panel");
  await page.getByLabel("At version").fill("5");
  await page.getByRole("button", { name: "Begin a game from this table" }).click();
  await status(page, /^Version 5 of the game of Eve, Dan, Cleo: a table of Goofspiel with 3 players\./);
  assert.deepEqual(await page.locator("#names input").evaluateAll((inputs) => inputs.map(({ value }) => value)), names);
  assert.ok(await start(page).evaluate((select) => select === document.activeElement), "the form has the focus");
  await begin(page);
  await beginning(page, /^This game began on a table that its creator has described\.$/);
  const begun = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("game");
  assert.deepEqual(await whole(begun, 1), await whole(gameId, 5));
  await page.reload();
  await shows(page, 1);
  await beginning(page, /described\.$/);
  await tryEndOfGame(page, call);
}

/** No game begins on a table that is over, but on the one before. */
async function tryEndOfGame(page, call) {
  const players = ["Ada", "Bob"].map((name) => ({ name, bot: { policy: "random" } }));
  const { table } = await call("CreateGame", { ruleset: "goofspiel", options: { goofspiel: { cards: 5 } }, players });
  await open(page, table.game.gameId);
  await page.locator("#pending").filter({ hasText: "The game is over." }).waitFor();
  await unfold(page, "life-panel");
  const over = await page.locator("#game").getAttribute("data-version");
  await page.getByLabel("At version").fill(over);
  const here = page.getByRole("button", { name: "Begin a game from this table" });
  await here.click();
  await status(page, `Version ${over} of the game`);
  await page.getByRole("button", { name: "Create a game" }).click();
  await page.getByRole("alert").filter({ hasText: "INVALID_POSITION" }).waitFor();
  await page.getByLabel("At version").fill("");
  await here.click();
  await status(page, `Version ${over - 1} of the game`);
  await begin(page);
}

/** Operators see everything at any time, and tenants when the game is over. */
export async function tryWhoseTables(page) {
  const use = async (key) => {
    await page.getByLabel("Key of a tenant").fill(key);
    await page.getByRole("button", { name: "Use it" }).click();
  };
  const here = page.getByRole("button", { name: "Begin a game from this table" });
  await create(page, "dominion");
  await unfold(page, "life-panel");
  assert.ok(await page.getByRole("button", { name: "Fork the game" }).isVisible());
  assert.ok(await here.isHidden(), "a tenant does not see what lies hidden");
  const played = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("game");
  await use(OPERATOR_KEY);
  await open(page, played);
  await unfold(page, "life-panel");
  await here.click();
  await status(page, /^Version 1 of the game of Ada, Bob: a table of Dominion with 2 players\./);
  // Only tenants create games: the table is still there with the key of one.
  await use(KEY);
  await status(page, /^Version 1 of the game of Ada, Bob/);
  await begin(page);
  await beginning(page, /described\.$/);

  await unfold(page, "life-panel");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Leave for good" }).click();
  await page.locator("#pending").filter({ hasText: "The game is over." }).waitFor();
  await here.click();
  await status(page, /^Version 1 of the game/);
  await begin(page);
}
