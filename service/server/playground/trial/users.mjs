// Users: a tenant issues and revokes tokens, and whoever has one plays all games of the user.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { backEnd } from "./backend.mjs";
import { actions, code, isAccessible, KEY, openPage, pictureOf, shows, showsAs, startPlayground, unfold, withTokens } from "./common.mjs";

export async function tryUsers(browser, gamekeeperd) {
  const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-users-"));
  const { server, url } = await startPlayground(gamekeeperd, withTokens(folder));
  const back = backEnd(server.address, KEY);
  const first = await back.create({}, ["ada", "bob"]);
  const second = await back.create({}, ["eve", "ada"]);
  const strange = await back.create({}, ["eve", "bob"]);

  const tenant = await openPage(browser, url);
  assert.ok(await tenant.locator("#games-panel").isHidden(), "nobody's games");
  await useKey(tenant, KEY);
  await unfold(tenant, "games-panel");
  await listed(tenant, [strange, second, first]);
  const token = await issues(tenant);

  const ada = await openPage(browser, url);
  await useKey(ada, token);
  await ada.getByRole("heading", { name: "My games" }).waitFor();
  await listed(ada, [second, first]);
  assert.ok(await ada.locator("#create-panel").isHidden(), "users create nothing");
  assert.ok(await ada.locator("#games-filter").isHidden());
  await plays(ada, back, first, second);
  await pictureOf(ada, "games-panel");
  await mayNotDoMore(ada);
  await isAccessible(ada);
  await loses(ada, back, first, second);
  for (const page of [tenant, ada]) {
    assert.ok(!page.url().includes(token), "the token of a user is in no address");
    assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
  }
  await revokes(tenant, ada);
  await playsAs(tenant, second);
  await ada.close();
  await tenant.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function useKey(page, key) {
  await page.getByLabel("Key of a tenant").fill(key);
  await page.getByRole("button", { name: "Use it" }).click();
}

/** Waits until the page lists these games. */
async function listed(page, games) {
  const found = () => page.locator("#games > li").evaluateAll((lines) => lines.map(({ dataset }) => dataset.game));
  await page.waitForFunction((games) => [...document.querySelectorAll("#games > li")].map(({ dataset }) => dataset.game).join() === games, games.join()).catch(async () => {
    assert.deepEqual(await found(), games);
  });
}

const said = (page, words) => page.locator("#users-status").filter({ hasText: words }).waitFor();
const alerted = (page, words) => page.getByRole("alert").filter({ hasText: words }).waitFor();

/** A tenant issues a token; what is wrong is said. */
async function issues(page) {
  await unfold(page, "users-panel");
  const user = page.getByLabel("User to issue a token for");
  // 64 letters of two bytes are more than a user may have.
  await user.fill("ö".repeat(64));
  await page.getByRole("button", { name: "Issue a token" }).click();
  await alerted(page, /MALFORMED.*holder\.user\.user.*INVALID_ARGUMENT/s);
  assert.ok(await page.locator("#users-token").isHidden());
  await user.fill("ada");
  await user.press("Enter");
  await said(page, /^A token for ada, valid until /);
  assert.match(await code(page, "users"), /token issue --user ada --expires-in 3600s$/m);
  const token = await page.getByLabel("Issued token").inputValue();
  assert.ok(token.length > 40, token);
  await page.getByRole("button", { name: "Copy the token" }).click();
  await said(page, /^The token is (copied|selected)/);
  await pictureOf(page, "users-panel");
  await isAccessible(page);
  return token;
}

const seats = (page) => page.locator("#seats button").evaluateAll((all) => all.map(({ textContent }) => textContent.replace("to decide", "")));
const turn = (page, game) => page.locator(`#games > li[data-game="${game}"] .turn`);

/** In each game the user has their own seat, and what others play shows in the list at once. */
async function plays(page, back, first, second) {
  await turn(page, first).waitFor();
  assert.equal(await turn(page, second).count(), 0);
  await page.locator(`#games > li[data-game="${first}"] button`).press("Enter");
  await showsAs(page, 1);
  await shows(page, 1);
  assert.deepEqual(await seats(page), ["Ada (seat 1)", "Spectator"]);
  await actions(page).last().click();
  await shows(page, 2);
  await back.pass(second, 1);
  await turn(page, second).waitFor();
  await page.locator(`#games > li[data-game="${second}"] button`).click();
  await showsAs(page, 2);
  await shows(page, 2);
  assert.deepEqual(await seats(page), ["Bob (seat 2)", "Spectator"]);
  assert.match(await page.locator("#links").textContent(), /no links to give away/);
}

async function mayNotDoMore(page) {
  await unfold(page, "feed-panel");
  await page.getByRole("button", { name: "Follow the feed" }).click();
  await alerted(page, /NOT_ALLOWED.*PERMISSION_DENIED/s);
  await unfold(page, "users-panel");
  await page.getByLabel("User to issue a token for").fill("bob");
  await page.getByRole("button", { name: "Issue a token" }).click();
  await alerted(page, /only tenants issue and revoke tokens of users/);
}

/** A seat that goes to somebody else is gone from the list, without a reload. */
async function loses(page, back, first, second) {
  await back.call("UpdateGame", { gameId: first, players: [{ seat: 1, user: "eve" }] });
  await listed(page, [second]);
}

/** Revoked tokens are over, also on pages that are open. */
async function revokes(tenant, ada) {
  await tenant.getByLabel("User to issue a token for").fill("ada");
  await tenant.getByRole("button", { name: "Revoke all tokens of the user" }).click();
  await said(tenant, /^All tokens that were issued to ada are revoked\.$/);
  await alerted(ada, /TOKEN_REPLACED.*UNAUTHENTICATED/s);
  await ada.getByRole("button", { name: "List the games" }).click();
  await alerted(ada, /TOKEN_REPLACED.*UNAUTHENTICATED/s);
}

/** The page of the tenant becomes that of a user, and back. */
async function playsAs(page, second) {
  await page.getByRole("button", { name: "Issue a token" }).click();
  await page.getByRole("button", { name: "Play as this user" }).click();
  await page.getByRole("heading", { name: "My games" }).waitFor();
  await listed(page, [second]);
  await useKey(page, KEY);
  await page.getByRole("heading", { name: "Games", exact: true }).waitFor();
  await page.locator("#games > li").nth(2).waitFor();
  assert.ok(await page.locator("#create-panel").isVisible());
}
