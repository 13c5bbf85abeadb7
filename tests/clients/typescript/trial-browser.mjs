// Tries the page in headless Chromium: node trial-browser.mjs GAMEKEEPERD.

import assert from "node:assert/strict";

import { chromium } from "playwright-core";

import { startBrowser, startPages } from "../browser.mjs";
import { startRelay, startServer } from "../harness.mjs";

const [origin, stranger] = [await startPages(import.meta.dirname), await startPages(import.meta.dirname)];
const server = await startServer(process.argv[2], ["--store", "memory", "--cors-origins", origin]);
const relay = await startRelay(server.address);
const { browser, stop } = await startBrowser(chromium);

/** The number of the newest version in the log of the page. */
async function versionAfter(page, version) {
  const newest = await page.waitForFunction((version) => {
    const last = document.querySelector("#log li:last-child")?.value ?? 0;
    return (last > version || document.querySelector("#status").textContent.includes("wins")) && last;
  }, version);
  return newest.jsonValue();
}

const page = await browser.newPage();
const faults = [];
page.on("pageerror", (error) => faults.push(error.message));
await page.goto(`${origin}/?server=http://${relay.address}`);
await page.getByRole("button", { name: "Play a game" }).click();

// The connection is cut while the page plays and watches.
let version = 0;
for (const step of [10, 10, 10, 10]) {
  version = await versionAfter(page, version + step);
  relay.cut();
}
await page.waitForFunction(() => document.querySelector("#status").textContent.includes("wins"));
const told = await page.locator("#status").textContent();
const last = Number(/^(?:Ada|Bob) wins at version (\d+)\.$/.exec(told)?.[1]);
const logged = await page.locator("#log li").evaluateAll((lines) => lines.map((line) => line.value));
assert.ok(last > 40, told);
assert.deepEqual(logged, Array.from({ length: last - 1 }, (_, index) => index + 2));
assert.match(await page.locator("#refusal").textContent(), /^Refused: NOT_YOUR_TURN, rule KIN-/);
assert.deepEqual(faults, []);

// A page of another origin may not call.
await page.goto(`${stranger}/`);
const call = (address) =>
  fetch(`http://${address}/gamekeeper.v1.RulesetService/ListRulesets`, {
    method: "POST",
    headers: { "content-type": "application/grpc-web+proto", "x-grpc-web": "1" },
    body: new Uint8Array(5),
  }).then((answer) => answer.status, String);
assert.match(String(await page.evaluate(call, server.address)), /Failed to fetch/);
await page.goto(`${origin}/`);
assert.equal(await page.evaluate(call, server.address), 200);

await stop();
await server.stop();
console.log(`${last - 1} actions played and watched over gRPC-Web and ${relay.cuts} cuts`);
process.exit(0);
