// Plays every ruleset by clicks on the drawing, on the page of board.html in headless Chromium:
// node trial-board.mjs GAMEKEEPERD.

import assert from "node:assert/strict";

import { chromium } from "playwright-core";

import { startBrowser, startPages } from "../browser.mjs";
import { startServer } from "../harness.mjs";

const RULESETS = ["caylus", "dominion", "kingsburg", "mythotopia", "terra_mystica"];

/** Games go on to their end, but no further than this: by chance, some take thousands of actions. */
const LONGEST = 150;

const origin = await startPages(import.meta.dirname);
const server = await startServer(process.argv[2], ["--store", "memory", "--cors-origins", origin]);
const { browser, stop } = await startBrowser(chromium);

/** Clicks on components until few actions are left, and plays one of them; how many were played, and whether the game is over. */
async function playByClicks(longest) {
  let state = 7;
  /** Chooses one of several by a fixed sequence, so that every run makes the same choices as far as the game allows. */
  const any = (some) => some[(state = (state * 48_271) % 2_147_483_647) % some.length];
  const find = (what) => [...document.querySelectorAll(what)];
  const moved = (before) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`nothing follows version ${before}`)), 20_000);
      const look = () => {
        if (document.body.dataset.version === before) return requestAnimationFrame(look);
        clearTimeout(late);
        resolve();
      };
      look();
    });
  for (let played = 0; ; played += 1) {
    const over = document.body.dataset.over === "true";
    if (over || played === longest) return [played, over];
    const before = document.body.dataset.version;
    const components = find("#board .can");
    if (components.length === 0) throw new Error(`nothing can be clicked at version ${before}`);
    const all = find("#actions button").length;
    any(components).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const left = find("#actions button");
    if (left.length === 0 || left.length > all) throw new Error(`a click leaves ${left.length} of ${all}`);
    const next = moved(before);
    any(left).click();
    await next;
  }
}

/** From now on, the page asks for three actions at a time, and counts how often it asks. */
function listInPages() {
  const send = window.fetch;
  window.pages = 0;
  window.fetch = async (url, init) => {
    if (!url.endsWith("/ListLegalActions")) return send(url, init);
    window.pages += 1;
    // `page_size: 3`, in bytes, and a longer message.
    const body = Uint8Array.of(...init.body, 6 << 3, 3);
    new DataView(body.buffer).setUint32(1, body.length - 5);
    return send(url, { ...init, body });
  };
}

/** The page lists every action, also where the server gives a few at a time. */
async function listsAllPages(page) {
  const all = await page.locator("#actions button").allTextContents();
  await page.evaluate(listInPages);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator("#board svg[width='390']").waitFor();
  assert.deepEqual(await page.locator("#actions button").allTextContents(), all);
  assert.equal(await page.evaluate(() => pages), Math.ceil(all.length / 3));
  await page.setViewportSize({ width: 1280, height: 720 });
  // Beside the list of actions, the board is narrower than the page.
  await page.locator("#board svg[width='800']").waitFor();
}

const faults = [];
for (const ruleset of RULESETS) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`${origin}/board.html?server=http://${server.address}&ruleset=${ruleset}`);
  await page.locator("body[data-version='1']").waitFor();
  await listsAllPages(page);
  const [played, over] = await page.evaluate(playByClicks, LONGEST);
  assert.ok(played > 20 && (over || played === LONGEST), `${ruleset} is over after ${played} actions`);
  assert.equal(await page.locator("#log li").count(), played);
  console.log(`${ruleset}: ${played} actions by clicks on the drawing${over ? ", to the end" : ""}`);
  await page.close();
}
assert.deepEqual(faults, []);
await stop();
await server.stop();
process.exit(0);
