// Links: several games in one history, one seat for somebody else, and tokens that stay in the address.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { actions, create, openDrawer, openPage, shows, showsAs, startPlayground, unfold, withTokens } from "./common.mjs";

/** A person with one seat, one who watches, and a way back. */
export async function tryLinks(browser, page, url) {
  await page.goto("about:blank");
  await page.goto(url);
  await openDrawer(page);
  await page.getByLabel("Ruleset").waitFor();
  await create(page, "caylus");
  const first = page.url();
  await create(page, "kingsburg");
  await page.goBack();
  await page.getByRole("heading", { name: "Caylus", exact: true }).waitFor();
  await shows(page, 1);
  assert.equal(page.url(), first);
  const [seat] = await followLinks(browser, page, url, ["Bob (seat 2)", "spectators"]);
  await seat.close();
}

/** Opens the links of these, and tries that each has its place alone. */
async function followLinks(browser, page, url, whom) {
  await unfold(page, "links-panel");
  const links = whom.map((name) => page.getByLabel(`Link for ${name}`).inputValue());
  const [seat, spectator] = await Promise.all((await Promise.all(links)).map((link) => openPage(browser, link)));
  await showsAs(seat, 2);
  assert.deepEqual(await seat.locator("#seats button").evaluateAll((all) => all.map(({ textContent }) => textContent.replace("to decide", ""))), [
    "Bob (seat 2)",
    "Spectator",
  ]);
  await showsAs(spectator, 0);
  assert.equal(await spectator.locator("#seats button").count(), 1);
  // The table moves on for everybody, whoever plays.
  const version = Number(await page.locator("#game").getAttribute("data-version"));
  await actions(page).first().click();
  for (const watching of [page, seat, spectator]) {
    await shows(watching, version + 1);
  }
  await spectator.close();
  assert.ok(seat.url().startsWith(url));
  return [seat];
}

const seatsOf = (page) => {
  const fields = new URLSearchParams(new URL(page.url()).hash.slice(1));
  return { game: fields.get("game"), tokens: [fields.get("seat1"), fields.get("seat2")] };
};

/** Forks the game of a page, and plays on there. */
async function fork(page, version) {
  const origin = page.url();
  await unfold(page, "life-panel");
  await page.getByRole("button", { name: "Fork the game" }).click();
  await page.waitForURL((address) => address.href !== origin && !address.hash.includes(seatsOf({ url: () => origin }).game));
  await shows(page, version);
  const forked = seatsOf(page);
  await actions(page).first().click();
  await shows(page, version + 1);
  return forked;
}

/** While a game is played its owner forks it, and nobody gets tokens; when it is over, a player does. */
async function tryForks(browser, page, url) {
  const origin = seatsOf(page);
  await unfold(page, "links-panel");
  const bob = await openPage(browser, await page.getByLabel("Link for Bob (seat 2)").inputValue());
  await showsAs(bob, 2);
  await unfold(bob, "life-panel");
  assert.ok(await bob.locator("#fork-form").isHidden(), "a player forks a game that is not over");
  const ofOwner = await fork(page, 2);
  assert.notEqual(ofOwner.game, origin.game);
  assert.deepEqual(ofOwner.tokens, ["", ""]);
  await page.goBack();
  await shows(page, 2);
  assert.deepEqual(seatsOf(page), origin);
  // A game of its own is over when Bob leaves.
  await create(page, "kingsburg");
  await unfold(page, "links-panel");
  await bob.goto(await page.getByLabel("Link for Bob (seat 2)").inputValue());
  await showsAs(bob, 2);
  await shows(bob, 1);
  await unfold(bob, "life-panel");
  await bob.getByRole("button", { name: "Resign" }).click();
  await bob.getByRole("button", { name: "Leave for good" }).click();
  await bob.locator("#pending").filter({ hasText: "The game is over." }).waitFor();
  const [left, ofPlayer] = [seatsOf(bob), await fork(bob, 1)];
  assert.notEqual(ofPlayer.game, left.game);
  for (const token of ofPlayer.tokens) {
    assert.ok(token !== "" && !left.tokens.includes(token) && !url.includes(token));
  }
  await bob.close();
  await page.goBack();
  await shows(page, 2);
}

/** The page asks for a key and forgets it; tokens of seats are in the address alone. */
export async function tryTokens(browser, gamekeeperd) {
  const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-keys-"));
  const { server, url } = await startPlayground(gamekeeperd, withTokens(folder));
  const page = await openPage(browser, url);
  const key = page.getByLabel("Key of a tenant");
  await key.fill("another key");
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("alert").filter({ hasText: /_TOKEN.*UNAUTHENTICATED/s }).waitFor();
  await key.fill("a key");
  await page.getByRole("button", { name: "Use it" }).click();
  await create(page, "kingsburg");
  await actions(page).first().click();
  await shows(page, 2);
  await tryForks(browser, page, url);
  const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  assert.deepEqual(kept, [0, 0, ""]);
  // Without the key, the address alone goes on with the game.
  await page.reload();
  await shows(page, 2);
  assert.equal(await key.inputValue(), "");
  const fields = new URLSearchParams(new URL(page.url()).hash.slice(1));
  assert.deepEqual([...fields.keys()], ["ruleset", "game", "seat1", "seat2", "spectator", "view", "developer"]);
  const [seat] = await followLinks(browser, page, url, ["Bob (seat 2)", "spectators"]);
  assert.ok(!seat.url().includes(fields.get("seat1")) && seat.url().includes(fields.get("seat2")));
  // A token that is not that of the seat is refused.
  await seat.goto(`${url}#ruleset=kingsburg&game=${fields.get("game")}&seat1=${fields.get("seat2")}x`);
  await seat.reload();
  await seat.getByRole("alert").filter({ hasText: /TOKEN.*UNAUTHENTICATED/s }).waitFor();
  await seat.close();
  await page.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}
