// Tries the playground in headless Chromium: node trial.mjs GAMEKEEPERD GAMEKEEPER.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

import { chromium } from "playwright-core";

import { startBrowser } from "../../../tests/clients/browser.mjs";
import { startServer } from "../../../tests/clients/harness.mjs";

const [, , gamekeeperd, gamekeeper] = process.argv;
const AXE = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const PICTURES = new URL("../../../target/playground/", import.meta.url).pathname;
const ADMIN = ["--store", "memory", "--admin-listen", "127.0.0.1:0"];

/** A server with a playground, and the address of its page. */
async function startPlayground(flags = []) {
  const server = await startServer(gamekeeperd, [...ADMIN, "--playground", ...flags]);
  return { server, url: await server.hear(/^Playground: (\S+)/) };
}

/** A page of the playground. Whatever goes wrong in it ends up in `faults`. */
async function openPage(url) {
  const page = await browser.newPage();
  await page.setViewportSize({ width: 1400, height: 1000 });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== "data:") faults.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

/** Waits until the page shows this version, with views, actions and events. */
async function shows(page, version) {
  await page.locator(`#game[data-version="${version}"]`).waitFor();
}

async function create(page, ruleset) {
  await page.getByLabel("Ruleset").selectOption(ruleset);
  await page.getByRole("button", { name: "Create a game" }).click();
  await page.getByRole("heading", { name: /, version 1$/ }).waitFor();
  await shows(page, 1);
}

const code = (page, panel) => page.locator(`#${panel}-code code`).textContent();
const outcome = (page, pattern) => page.locator("#outcome").filter({ hasText: pattern }).waitFor();

/** Creates a game, plays an action, and is refused one: with any ruleset. */
async function tryRuleset(page, ruleset) {
  await create(page, ruleset);
  assert.equal(await page.locator(".view").count(), 3, "two seats and a spectator");
  await page.locator("#actions button.action").first().click();
  await shows(page, 2);
  await outcome(page, /was accepted/);
  assert.match(await page.locator("#events > li").first().textContent(), /^2\. (Ada|Bob)\S/);
  const button = page.getByRole("button", { name: "Act out of turn" });
  if (await button.isEnabled()) {
    await button.click();
    await outcome(page, /^✗ (Ada|Bob) \(seat \d\) was refused: \w+, rule [A-Z]+-[\d.]+/);
  }
}

/** What depends on the rules: hidden cards, a price that cannot be paid, and the code of each step. */
async function tryDominion(page, address) {
  await page.getByLabel("Ruleset").selectOption("dominion");
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("kingdom").selectOption({ label: "set" });
  await page.getByLabel("set", { exact: true }).selectOption({ label: "Big Money" });
  await page.getByLabel("first player").fill("1");
  await page.getByRole("button", { name: "Create a game" }).click();
  await shows(page, 1);
  assert.match(await code(page, "create"), /create dominion Ada Bob --options '\{"set":"KINGDOM_SET_BIG_MONEY","firstPlayer":1\}'/);
  const [ada, bob, spectator] = await page.locator(".view").allTextContents();
  assert.match(ada, /hand.*own.*Copper/);
  assert.match(bob, /hand.*own.*Copper/);
  assert.doesNotMatch(spectator, /Copper ×|own/);

  await page.getByText("Try any action").click();
  await page.getByLabel("kind").selectOption({ label: "buy card" });
  await page.locator("#composer").getByLabel("card", { exact: true }).selectOption({ label: "Gold" });
  await page.getByRole("button", { name: "Send" }).click();
  await outcome(page, /refused: CANNOT_AFFORD, rule DOM-6\.10.*FAILED_PRECONDITION/s);
  await shows(page, 1);
  assert.match(await code(page, "apply"), /apply \S+ --seat 1 --expect 1 '\{"buyCard":\{"card":"CARD_GOLD"\}\}'$/);
  await page.getByLabel("TypeScript").check();
  assert.match(await code(page, "apply"), /action: \{ kind: \{ case: "buyCard", value: \{ card: Card\.GOLD \} \} \},/);
  await page.getByLabel("Python").check();
  assert.match(await code(page, "apply"), /action=\{"buy_card": \{"card": "CARD_GOLD"\}\},/);
  await page.getByLabel("Command line").check();
  await page.locator("#composer").getByLabel("card", { exact: true }).selectOption({ label: "Copper" });
  await page.getByLabel("Judge only").check();
  await page.getByRole("button", { name: "Send" }).click();
  await outcome(page, /would be accepted/);
  await shows(page, 1);

  // By keyboard alone.
  await page.getByRole("button", { name: "play all treasures" }).focus();
  await page.keyboard.press("Enter");
  await shows(page, 2);
  assert.ok(await page.evaluate(() => document.activeElement.matches("#actions button")), "the focus stays with the actions");

  // The commands of the page work, and the page follows what others play.
  const env = { ...process.env, GAMEKEEPER_SERVER: `http://${address}` };
  const command = (line) => execFileSync("sh", ["-c", line.replace(/\bgamekeeper (?=\w+ )/, `"${gamekeeper}" `)], { env, encoding: "utf8" });
  const listed = command(await code(page, "actions")).trim().split("\n");
  assert.equal(listed.length, await page.locator("#actions button.action").count());
  const id = await page.getByLabel("Game to open").inputValue();
  command(`gamekeeper apply ${id} --seat 1 '{"endTurn":{}}'`);
  await shows(page, 3);
  command(await code(page, "views"));
  await page.getByLabel("As seen by").selectOption({ label: "Bob (seat 2)" });
  await page.locator("#events").filter({ hasText: "1. set-up" }).waitFor();
  await page.getByRole("button", { name: "Ten at random" }).click();
  await shows(page, 13);
}

/** Nobody is kept out: names, roles and contrast, in light and in dark. */
async function tryAccess(page) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
    await page.screenshot({ path: path.join(PICTURES, `${colorScheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 400, height: 900 });
  const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= shown, `${wide} pixels on a screen of ${shown}`);
  await page.screenshot({ path: path.join(PICTURES, "narrow.png"), fullPage: true });
}

/** The page asks for a key and forgets it. */
async function tryTokens() {
  const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-keys-"));
  const hash = createHash("sha256").update("a key").digest("hex");
  writeFileSync(path.join(folder, "tenants"), `red:${hash}\n`);
  writeFileSync(path.join(folder, "tokens"), "a secret that is long enough to sign with\n");
  const files = ["--tenant-keys-file", path.join(folder, "tenants"), "--token-keys-file", path.join(folder, "tokens")];
  const { server, url } = await startPlayground(["--auth", "tokens", ...files]);
  const page = await openPage(url);
  const key = page.getByLabel("Key of a tenant");
  await key.fill("another key");
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("alert").filter({ hasText: "BAD_TOKEN" }).waitFor();
  await key.fill("a key");
  await page.getByRole("button", { name: "Use it" }).click();
  await create(page, "kingsburg");
  await page.locator("#actions button.action").first().click();
  await shows(page, 2);
  const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  assert.deepEqual(kept, [0, 0, ""]);
  await page.reload();
  assert.equal(await key.inputValue(), "");
  await page.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}

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
  assert.equal((await ask(url, "evil.example"))[0], 403);
  assert.equal((await ask(`${origin}/playground/api/gamekeeper.v1.GamesService/ListRulesets`, "evil.example"))[0], 403);
  const plain = await startServer(gamekeeperd, ADMIN);
  const admin = await plain.hear(/ on ([\d.:]+)\.$/);
  assert.equal((await ask(`http://${admin}/playground/`, admin))[1], "");
  await plain.stop();
}

mkdirSync(PICTURES, { recursive: true });
const faults = [];
const { browser, stop } = await startBrowser(chromium);
const { server, url } = await startPlayground();
const page = await openPage(url);
process.on("uncaughtExceptionMonitor", () => console.error(faults));
await page.getByLabel("Ruleset").waitFor();
const rulesets = await page.locator("#ruleset option").evaluateAll((options) => options.map(({ value }) => value));
assert.ok(rulesets.length >= 5, rulesets.join());
for (const ruleset of rulesets) {
  await tryRuleset(page, ruleset);
}
await tryDominion(page, server.address);
await tryAccess(page);
await tryDoors(url);
await tryTokens();
assert.deepEqual(faults, []);
await stop();
await server.stop();
console.log(`${rulesets.length} rulesets tried; pictures in ${path.relative(process.cwd(), PICTURES)}`);
process.exit(0);
