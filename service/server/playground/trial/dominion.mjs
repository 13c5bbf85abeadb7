// What depends on the rules: hidden cards, a price that cannot be paid, and the code of each step.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

import { actions, board, code, outcome, shows, showsAs, unfold } from "./common.mjs";

export async function tryDominion(page, address, gamekeeper) {
  await createGame(page);
  await keepsSecrets(page);
  await filters(page);
  await edits(page);
  await playsByKeyboard(page);
  await isFollowed(page, address, gamekeeper);
}

async function createGame(page) {
  await unfold(page, "create-panel");
  await page.getByLabel("Ruleset").selectOption("dominion");
  await page.getByLabel("Players").selectOption("3");
  await page.getByLabel("Seat 2", { exact: true }).fill("Zoë <b>");
  await page.getByText("Options", { exact: true }).click();
  await page.locator("#options").getByText(/drawn at random/).first().waitFor();
  await page.getByLabel("Kingdom", { exact: true }).selectOption({ label: "Kingdom cards" });
  await page.getByRole("button", { name: "Add to Kingdom cards" }).click();
  await page.getByLabel("Kingdom cards, item 1", { exact: true }).selectOption({ label: "Moat" });
  await page.getByRole("button", { name: "Create a game" }).click();
  await page.getByRole("alert").filter({ hasText: /INVALID_.*Rule DOM-5\.2.*INVALID_ARGUMENT/s }).waitFor();
  await page.getByLabel("Kingdom", { exact: true }).selectOption({ label: "Recommended set" });
  await page.getByLabel("Recommended set", { exact: true }).selectOption({ label: "Big Money" });
  await page.getByLabel("First player").fill("1");
  await page.getByRole("button", { name: "Create a game" }).click();
  await shows(page, 1);
  assert.match(await code(page, "create"), /create dominion Ada 'Zoë <b>' Cleo --options '\{"set":"KINGDOM_SET_BIG_MONEY","firstPlayer":1\}' --take-back unseen/);
  assert.match(await board(page), /Supply[^]*Adventurer[^]*Zoë <b>/);
}

/** Each seat sees its own hand; others do not. */
async function keepsSecrets(page) {
  const hand = /^ +hand +\S/m;
  assert.match(await board(page), hand);
  await page.getByRole("button", { name: "Spectator" }).click();
  await showsAs(page, 0);
  assert.doesNotMatch(await board(page), hand);
  await unfold(page, "views-panel");
  await page.locator(".view").nth(3).waitFor();
  const [ada, other, , spectator] = await page.locator(".view").allTextContents();
  assert.match(ada, /hand.*own.*Copper/);
  assert.match(other, /hand.*own.*Copper/);
  assert.doesNotMatch(spectator, /Copper ×|own/);
  await page.getByLabel("Follow the turn").check();
  await showsAs(page, 1);
}

/** By kind, which the server does, and by words. */
async function filters(page) {
  const all = await actions(page).count();
  await page.getByLabel("Words").fill("COPPER buy");
  await page.locator("#count").filter({ hasText: "1 to 1 found" }).waitFor();
  assert.deepEqual(await actions(page).allTextContents(), ["buy a Copper for 0 coins"]);
  await page.getByLabel("Words").fill("");
  await page.getByLabel("Kind", { exact: true }).selectOption({ label: "buy card" });
  await page.locator("#actions").filter({ hasNotText: "play" }).waitFor();
  assert.ok((await actions(page).count()) < all);
  await page.getByLabel("Kind", { exact: true }).selectOption({ label: "all kinds" });
  await page.locator("#actions").filter({ hasText: "play" }).waitFor();
}

/** Any action, as a form and as JSON; judged only, and played. */
async function edits(page) {
  const json = page.getByLabel("Action as JSON");
  await unfold(page, "editor");
  await page.locator("#composer").getByLabel("kind").selectOption({ label: "buy card" });
  await page.locator("#composer").getByLabel("card", { exact: true }).selectOption({ label: "Gold" });
  assert.deepEqual(JSON.parse(await json.inputValue()), { buyCard: { card: "CARD_GOLD" } });
  await page.getByRole("button", { name: "Play it" }).click();
  await outcome(page, /refused: CANNOT_AFFORD.*Rule DOM-6\.10.*FAILED_PRECONDITION/s);
  await shows(page, 1);
  await showsCode(page);
  await json.fill('{"buyCard": {"card": "CARD_COPPER"');
  await page.getByRole("button", { name: "Check only" }).click();
  await outcome(page, /^✗ This is not an action as JSON/);
  await json.fill('{"sellCard": {}}');
  await page.getByRole("button", { name: "Check only" }).click();
  await outcome(page, /^✗ .*sellCard/);
  await page.getByRole("button", { name: "Edit: buy a Copper for 0 coins" }).click();
  assert.deepEqual(JSON.parse(await json.inputValue()), { buyCard: { card: "CARD_COPPER" } });
  await page.getByRole("button", { name: "Check only" }).click();
  await outcome(page, /would be accepted/);
  await shows(page, 1);
}

async function showsCode(page) {
  await unfold(page, "code-panel");
  assert.match(await code(page, "apply"), /apply \S+ --seat 1 --expect 1 '\{"buyCard":\{"card":"CARD_GOLD"\}\}'$/);
  await page.getByLabel("TypeScript").check();
  assert.match(await code(page, "apply"), /service\.applyAction\(\{[^]*case: "dominion",[^]*\{ kind: \{ case: "buyCard", value: \{ card: Card\.GOLD \} \} \}/);
  await page.getByLabel("Python").check();
  assert.match(await code(page, "apply"), /action=\{"dominion": \{"buy_card": \{"card": "CARD_GOLD"\}\}\},/);
  await page.getByLabel("Command line").check();
}

async function playsByKeyboard(page) {
  await page.locator("#actions").getByRole("button", { name: /^play all Treasures \(brings \d+ coins\)$/ }).focus();
  await page.keyboard.press("Enter");
  await shows(page, 2);
  assert.ok(await page.evaluate(() => document.activeElement.matches("#actions button")), "the focus stays with the actions");
}

/** The commands of the page work, and the page follows what others play. */
async function isFollowed(page, address, gamekeeper) {
  const env = { ...process.env, GAMEKEEPER_SERVER: `http://${address}` };
  const command = (line) => execFileSync("sh", ["-c", line.replace(/\bgamekeeper (?=\w+ )/, `"${gamekeeper}" `)], { env, encoding: "utf8" });
  const listed = command(await code(page, "actions")).trim().split("\n");
  assert.equal(listed.length, await actions(page).count());
  command(await code(page, "views"));
  command(await code(page, "events"));
  const id = await page.locator("#game-id").inputValue();
  command(`gamekeeper apply ${id} --seat 1 '{"endTurn":{}}'`);
  await shows(page, 3);
  await showsAs(page, 2);
  await page.locator("#events").filter({ hasText: "1. set-up" }).waitFor();
  await page.getByRole("button", { name: "Ten at random" }).click();
  await shows(page, 13);
}
