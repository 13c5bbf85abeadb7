// Measures what a browser reads for each move of a game, for deploy/SIZING.md: node trial-traffic.mjs GAMEKEEPERD.

import assert from "node:assert/strict";
import path from "node:path";

import { chromium } from "playwright-core";

import { startBrowser, startPages } from "../browser.mjs";
import { startServer } from "../harness.mjs";

const RULESETS = ["caylus", "dominion", "kingsburg", "mythotopia", "terra_mystica"];

/** Actions of each game at most. */
const MOVES = 100;

const origin = await startPages(import.meta.dirname);
const server = await startServer(process.argv[2], ["--store", "memory", "--cors-origins", origin]);
const { browser, stop } = await startBrowser(chromium);

/** The bytes of each kind of answer for a move, as they were sent and once they were decompressed. */
async function measure(ruleset) {
  const page = await browser.newPage();
  const requests = new Map();
  const watched = [];
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  network.on("Network.requestWillBeSent", ({ requestId, request }) => {
    const counted = { name: path.basename(request.url), method: request.method, sent: 0, plain: 0 };
    requests.set(requestId, counted);
    if (counted.name === "WatchGame" && counted.method === "POST") watched.push(counted);
  });
  network.on("Network.dataReceived", ({ requestId, encodedDataLength, dataLength }) => {
    const request = requests.get(requestId);
    request.sent += encodedDataLength;
    request.plain += dataLength;
  });
  await page.goto(`${origin}/traffic.html`);
  const names = await page.evaluate(([server, ruleset]) => follow(server, ruleset), [`http://${server.address}`, ruleset]);
  const begun = watched.map(({ sent, plain }) => ({ sent, plain }));
  const played = await page.evaluate((most) => play(most), MOVES);
  assert.ok(played > 30, `${ruleset}: ${played} actions`);
  // The browser reports the last bytes a little later than the page reads them.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const each = (bytes) => Math.round(bytes / played);
  const row = (name, sent, plain) => ({ ruleset, name, plain: each(plain), sent: each(sent) });
  const rows = names.map((name, at) => row(name, watched[at].sent - begun[at].sent, watched[at].plain - begun[at].plain));
  const lists = [...requests.values()].filter(({ name }) => name === "ListLegalActions");
  const sum = (of) => lists.reduce((sum, list) => sum + of(list), 0);
  rows.push(row("the list of legal actions", sum(({ sent }) => sent), sum(({ plain }) => plain)));
  await page.close();
  return rows;
}

const all = [];
for (const ruleset of RULESETS) all.push(...(await measure(ruleset)));
console.log("| what | ruleset | bytes | as a browser reads them |\n|---|---|---|---|");
const names = [...new Set(all.map(({ name }) => name))];
for (const name of names) {
  for (const { ruleset, plain, sent } of all.filter((row) => row.name === name)) console.log(`| ${name} | ${ruleset} | ${plain} | ${sent} |`);
}
const [drawings, changes] = ["a drawing", "changes of a drawing"].map((name) => all.filter((row) => row.name === name));
drawings.forEach(({ ruleset, sent, plain }, at) => {
  // The compression of a stream remembers the last 32 KiB: small drawings cost little without changes, too.
  assert.ok(changes[at].sent < sent && changes[at].plain * 3 < plain, `${ruleset}: changes of ${changes[at].sent} bytes instead of ${sent}`);
});
await stop();
await server.stop();
process.exit(0);
