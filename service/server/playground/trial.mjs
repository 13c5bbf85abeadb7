// Tries the playground in headless Chromium: node trial.mjs GAMEKEEPERD GAMEKEEPER.

import assert from "node:assert/strict";
import http from "node:http";
import path from "node:path";

import { chromium } from "playwright-core";

import { startBrowser } from "../../../tests/clients/browser.mjs";
import { startServer } from "../../../tests/clients/harness.mjs";
import { tryBeginnings } from "./trial/beginnings.mjs";
import { ADMIN, faults, isAccessible, openPage, PICTURES, startPlayground } from "./trial/common.mjs";
import { tryDominion } from "./trial/dominion.mjs";
import { tryFeeds } from "./trial/feeds.mjs";
import { tryLife } from "./trial/life.mjs";
import { tryLinks, tryTokens } from "./trial/links.mjs";
import { tryMotion } from "./trial/motion.mjs";
import { tryMythotopia } from "./trial/mythotopia.mjs";
import { tryPeople } from "./trial/people.mjs";
import { tryRuleset } from "./trial/rulesets.mjs";
import { tryUsers } from "./trial/users.mjs";

const [, , gamekeeperd, gamekeeper] = process.argv;

/** The status of a page that is asked for under this name of the host. */
function ask(url, host) {
  return new Promise((resolve, reject) => {
    const answered = (answer) => resolve([answer.resume().statusCode, answer.headers["content-security-policy"] ?? ""]);
    http.get(url, { headers: { host } }, answered).on("error", reject);
  });
}

/** There is no page unless it is asked for, and none under a name that anybody may have given us. */
async function tryDoors(url) {
  const { host, origin } = new URL(url);
  const [status, policy] = await ask(url, host);
  assert.equal(status, 200);
  assert.match(policy, /^default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal((await ask(url, "evil.example"))[0], 403);
  assert.equal((await ask(`${origin}/playground/api/gamekeeper.v1.RulesetService/ListRulesets`, "evil.example"))[0], 403);
  const plain = await startServer(gamekeeperd, ADMIN);
  const admin = await plain.hear(/ on ([\d.:]+)\.$/);
  assert.equal((await ask(`http://${admin}/playground/`, admin))[1], "");
  await plain.stop();
}

const { browser, stop } = await startBrowser(chromium);
const { server, url } = await startPlayground(gamekeeperd);
const page = await openPage(browser, url);
process.on("uncaughtExceptionMonitor", () => console.error(faults));
await page.getByLabel("Ruleset").waitFor();
await isAccessible(page);
const rulesets = await page.locator("#ruleset option").evaluateAll((options) => options.map(({ value }) => value));
assert.ok(rulesets.length >= 5, rulesets.join());
for (const ruleset of rulesets) {
  await tryRuleset(page, ruleset);
}
await tryPeople(browser, url, rulesets);
await tryMotion(page);
await tryMythotopia(page);
await tryDominion(page, server.address, gamekeeper);
await tryLife(page);
await isAccessible(page);
await tryLinks(browser, page, url);
await tryDoors(url);
await tryTokens(browser, gamekeeperd);
await tryFeeds(browser, gamekeeperd);
await tryUsers(browser, gamekeeperd);
await tryBeginnings(browser, gamekeeperd, gamekeeper);
assert.deepEqual(faults, []);
await stop();
await server.stop();
console.log(`${rulesets.length} rulesets tried; pictures in ${path.relative(process.cwd(), PICTURES)}`);
process.exit(0);
