// The feed of a tenant, which goes on where it was, and the list of what is due.

import assert from "node:assert/strict";

import { backEnd, timed } from "./backend.mjs";
import { code, isAccessible, openDrawer, openPage, pictureOf, shows, startPlayground, unfold } from "./common.mjs";

/** As many messages stay on the page. */
const KEPT = 200;

export async function tryFeeds(browser, gamekeeperd) {
  const { server, url } = await startPlayground(gamekeeperd);
  const back = backEnd(server.address);
  const page = await openPage(browser, url);
  await unfold(page, "feed-panel");
  await goesOn(page, back, url);
  await selects(page, back);
  await refuses(page);
  await isBounded(page, back);
  await pictureOf(page, "feed-panel");
  await isAccessible(page);
  await tryDue(page, back);
  await page.close();
  await server.stop();
}

/** The messages of the feed, the newest first: the game, and the version where there is one. */
const messages = (page) =>
  page.locator("#feed > li").evaluateAll((lines) => lines.map((line) => `${line.dataset.game} ${/version (\d+)/.exec(line.querySelector("h4").textContent)?.[1] ?? "gone"}`));

/** Waits for these messages, the newest first, and for no others. */
async function told(page, expected) {
  await page.locator(`#feed > li:nth-child(${expected.length})`).waitFor();
  assert.deepEqual(await messages(page), expected);
}

const status = (page, words) => page.locator("#feed-status").filter({ hasText: words }).waitFor();
const cursorOf = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get("feed");

/** Waits until the address has the cursor of the last message. */
async function isKept(page) {
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("feed") === document.getElementById("feed-cursor").value);
  assert.notEqual(cursorOf(page), "");
}

/** Checks that events come as they happen; after a pause and after a reload, missed ones come first, and none twice. */
async function goesOn(page, back, url) {
  await page.getByRole("button", { name: "Follow the feed" }).click();
  await status(page, /^Following\.$/);
  await page.waitForFunction(() => document.getElementById("feed-cursor").value !== "");
  const game = await back.create();
  await back.pass(game, 1);
  await told(page, [`${game} 2`, `${game} 1`]);
  const line = page.locator("#feed > li").first();
  assert.match(await line.textContent(), /^Dominion: Ada, Bob version 2/);
  await line.locator("code").filter({ hasText: "cleaned_up" }).waitFor();
  await line.locator("li").filter({ hasText: /Ada/ }).first().waitFor();
  await isKept(page);

  await page.getByRole("button", { name: "Stop the feed" }).click();
  await status(page, /^Stopped\.$/);
  assert.equal(cursorOf(page), null, "a feed that was stopped does not come back");
  await back.pass(game, 2);
  await page.getByRole("button", { name: "Follow the feed" }).click();
  await status(page, /from the cursor on/);
  await told(page, [`${game} 3`, `${game} 2`, `${game} 1`]);
  assert.match(await code(page, "feed"), /^gamekeeper .*watch --all --cursor \S+$/m);

  // While the page is somewhere else, the game goes on.
  await isKept(page);
  const kept = page.url();
  await page.goto("about:blank");
  await back.pass(game, 1, 2);
  await page.goto(kept);
  await told(page, [`${game} 5`, `${game} 4`]);
  assert.ok(await page.locator("#feed-panel").isVisible());

  // The game is one press away, and the feed stays in the address beside it.
  await page.getByRole("button", { name: "Open Dominion: Ada, Bob" }).first().click();
  await shows(page, 5);
  assert.ok(cursorOf(page).length > 0 && page.url().includes(game));
  await back.pass(game, 1);
  await shows(page, 6);
  await told(page, [`${game} 6`, `${game} 5`, `${game} 4`]);
  await isKept(page);
  await page.reload();
  await shows(page, 6);
  await status(page, /from the cursor on/);
  await back.pass(game, 2);
  await told(page, [`${game} 7`]);
  // Links for others have no feed.
  await unfold(page, "links-panel");
  assert.ok(!(await page.getByLabel("Link for Bob (seat 2)").inputValue()).includes("feed"));
  await page.getByRole("button", { name: "Stop the feed" }).click();
  await page.goto("about:blank");
  await page.goto(url);
}

/** A feed by label and by user: a game comes with its label and goes with it. By keyboard alone. */
async function selects(page, back) {
  await openDrawer(page);
  await unfold(page, "feed-panel");
  await page.locator("#feed-label").focus();
  await page.keyboard.type("league=gold");
  await page.keyboard.press("Enter");
  await status(page, /^Following\.$/);
  await page.waitForFunction(() => document.getElementById("feed-cursor").value !== "");
  assert.match(await code(page, "feed"), /watch --all --label 'league=gold'$/m);
  const other = await back.create();
  const gold = await back.create({ labels: { league: "gold" } }, ["ada"]);
  await back.call("UpdateGame", { gameId: other, setLabels: { league: "gold" } });
  await back.call("UpdateGame", { gameId: gold, removeLabels: ["league"] });
  await told(page, [`${gold} gone`, `${other} 1`, `${gold} 1`]);
  assert.match(await page.locator("#feed > li").first().textContent(), /the filter no longer selects it/);
  await back.call("DeleteGame", { gameId: other });
  await told(page, [`${other} gone`, `${gold} gone`, `${other} 1`, `${gold} 1`]);
  assert.match(await page.locator("#feed > li").first().textContent(), /there is no game/);
  await page.getByRole("button", { name: "Stop the feed" }).click();

  // What happened before can be asked for.
  await page.locator("#feed-label").fill("");
  await page.locator("#feed-cursor").fill("");
  await page.locator("#feed-user").fill("ada");
  await page.locator("#feed-ruleset").selectOption({ label: "Dominion" });
  await page.getByLabel("Begin", { exact: true }).selectOption({ label: "an hour ago" });
  await back.pass(gold, 1);
  await page.getByRole("button", { name: "Follow the feed" }).click();
  await page.locator(`#feed > li[data-key="${gold} 2"]`).waitFor();
  assert.match(await code(page, "feed"), /watch --all --ruleset dominion --user ada --since \S+Z$/m);
  await page.getByRole("button", { name: "Stop the feed" }).click();
  await page.locator("#feed-user").fill("");
  await page.locator("#feed-ruleset").selectOption({ label: "all" });
}

/** Checks that a refusal of the server is shown like any other, and that the feed is over. */
async function refuses(page) {
  for (const [field, wrong, shown] of [
    ["feed-cursor", "no cursor", /MALFORMED.*cursor.*INVALID_ARGUMENT/s],
    ["feed-label", "=gold", /MALFORMED.*filter\.labels.*INVALID_ARGUMENT/s],
  ]) {
    await page.locator("#feed-cursor").fill("");
    await page.locator(`#${field}`).fill(wrong);
    await page.getByRole("button", { name: "Follow the feed" }).click();
    await page.getByRole("alert").filter({ hasText: shown }).waitFor();
    await status(page, /^Refused\.$/);
    assert.ok(await page.getByRole("button", { name: "Stop the feed" }).isDisabled());
    assert.equal(cursorOf(page), null);
    await page.locator(`#${field}`).fill("");
  }
}

/** However much happens, the page keeps only the newest. */
async function isBounded(page, back) {
  await page.getByLabel("Begin", { exact: true }).selectOption({ label: "now" });
  await page.getByRole("button", { name: "Follow the feed" }).click();
  await page.waitForFunction(() => document.getElementById("feed-cursor").value !== "");
  assert.equal(await page.getByRole("alert").textContent(), "");
  const game = await back.create();
  await back.pass(game, 1, KEPT + 10);
  await page.locator(`#feed > li[data-key="${game} ${KEPT + 11}"]`).waitFor();
  assert.equal(await page.locator("#feed > li").count(), KEPT);
  assert.ok(await page.locator("#feed-dropped").isVisible());
  await page.getByRole("button", { name: "Stop the feed" }).click();
}

const listed = (page) => page.locator("#games > li").evaluateAll((lines) => lines.map(({ dataset }) => dataset.game));

/** Presses the button, and waits for the list that comes. */
async function lists(page, expected) {
  await page.getByRole("button", { name: "List the games" }).click();
  await page.locator("#games-status").filter({ hasText: expected }).waitFor();
}

/** Checks that the game that is due first comes first, and that each game is one press away. */
async function tryDue(page, back) {
  await page.locator("#games-panel > summary").press("Enter");
  await page.locator("#games-status").filter({ hasText: /^\d+ games$/ }).waitFor();
  await page.getByLabel("Order", { exact: true }).selectOption({ label: "what is due first" });
  await page.locator("#games-status").filter({ hasText: "Nothing is due." }).waitFor();
  const hour = await back.create(timed(3_600), ["bob"]);
  const day = await back.create(timed(86_400), ["ada"]);
  const second = await back.create(timed(1), ["ada"]);
  await lists(page, /^3 games$/);
  assert.deepEqual(await listed(page), [second, hour, day]);
  const lines = page.locator("#games > li");
  await lines.nth(0).filter({ hasText: "out of time" }).waitFor();
  await lines.nth(1).filter({ hasText: /Ada to decide.*due in (1:00:00|59:\d\d)/ }).waitFor();
  await lines.nth(2).filter({ hasText: /due in (24:00:00|23:59:\d\d)/ }).waitFor();
  // Clocks that stand still are not due.
  await back.call("PauseGame", { gameId: second });
  await lists(page, /^2 games$/);
  await page.locator("#games-user").fill("ada");
  await lists(page, /^1 game$/);
  assert.deepEqual(await listed(page), [day]);
  assert.match(await code(page, "games"), /list --user ada --order due --limit 20$/m);
  await page.locator("#games-label").fill("=gold");
  await page.getByRole("button", { name: "List the games" }).click();
  await page.getByRole("alert").filter({ hasText: /MALFORMED.*filter\.labels/s }).waitFor();
  await page.locator("#games-label").fill("");
  await page.locator("#games-user").fill("");
  for (let game = 0; game < 20; game += 1) await back.create(timed(7_200));
  await lists(page, /^20 games, and there may be more$/);
  assert.equal((await listed(page))[0], hour);
  await page.getByRole("button", { name: "Further games" }).click();
  await page.locator(`#games > li[data-game="${day}"]`).waitFor();
  assert.equal((await listed(page)).at(-1), day);
  await lists(page, /^20 games/);
  await isAccessible(page);
  await page.locator("#games > li").first().getByRole("button", { name: "Open Dominion: Ada, Bob" }).focus();
  await page.keyboard.press("Enter");
  await shows(page, 1);
  assert.ok(page.url().includes(hour));
}
