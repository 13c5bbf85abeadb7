// What the trials of the playground share: servers, pages, and what a page shows.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { startServer } from "../../../../tests/clients/harness.mjs";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
export const PICTURES = new URL("../../../../target/playground/", import.meta.url).pathname;
export const ADMIN = ["--store", "memory", "--admin-listen", "127.0.0.1:0"];

/** The two widths at which the page is looked at. */
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** The errors of all pages so far. */
export const faults = [];

/** A server with a playground, and the address of its page. */
export async function startPlayground(gamekeeperd, flags = []) {
  const server = await startServer(gamekeeperd, [...ADMIN, "--playground", ...flags]);
  return { server, url: await server.hear(/^Playground: (\S+)/) };
}

/** The key of the only tenant of a server with tokens. */
export const KEY = "a key";

/** The key of an operator of such a server. */
export const OPERATOR_KEY = "a key of an operator";

/** The flags of such a server; its files are in the folder. */
export function withTokens(folder) {
  const hash = (key) => createHash("sha256").update(key).digest("hex");
  const file = (name, text) => {
    writeFileSync(path.join(folder, name), `${text}\n`);
    return path.join(folder, name);
  };
  const tenants = file("tenants", `red:${hash(KEY)}`);
  const operators = file("operators", hash(OPERATOR_KEY));
  const secrets = file("tokens", "a secret that is long enough to sign with");
  return ["--auth", "tokens", "--tenant-keys-file", tenants, "--operator-keys-file", operators, "--token-keys-file", secrets];
}

/** A page of the playground. Whatever goes wrong in it, and every address that holds a token, is a fault. */
export async function openPage(browser, url, developer = true) {
  const page = await browser.newPage();
  await page.setViewportSize(DESKTOP);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && /policy/i.test(message.text()) && faults.push(message.text()));
  page.on("request", (request) => {
    const { origin, protocol, search } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== "data:") faults.push(`asked ${request.url()}`);
    if (search !== "") faults.push(`sent ${search}`);
  });
  await page.goto(url);
  if (developer) await openDrawer(page);
  return page;
}

/** Opens the drawer for developers, where the trials find fields, code and the board as text. */
export async function openDrawer(page) {
  // The button does nothing until the page has begun.
  await page.locator("#server").filter({ hasText: "version" }).waitFor({ state: "attached" });
  const drawer = page.getByRole("button", { name: "For developers" });
  if ((await drawer.getAttribute("aria-expanded")) === "false") await drawer.click();
  await page.waitForFunction(() => {
    const game = document.getElementById("game");
    return game.hidden || game.dataset.developer === "true";
  });
}

/** Waits until the page shows this version, with board, actions and events. */
export async function shows(page, version) {
  await page.locator(`#game[data-version="${version}"]`).waitFor();
}

/** Waits until the page shows the table as this viewer; 0 is a spectator. */
export async function showsAs(page, viewer) {
  await page.locator(`#game[data-viewer="${viewer}"]`).waitFor();
}

/** Unfolds a panel. */
export async function unfold(page, id) {
  if (!(await page.locator(`#${id}`).evaluate(({ open }) => open))) {
    await page.locator(`#${id} > summary`).click();
  }
}

/** Creates a game; where nobody else has moved yet, the page shows its first version. */
export async function create(page, ruleset, isQuiet = true) {
  await unfold(page, "create-panel");
  await page.getByLabel("Ruleset").selectOption(ruleset);
  const before = page.url();
  await page.getByRole("button", { name: "Create a game" }).click();
  await page.waitForURL((url) => url.href !== before && url.hash.startsWith(`#ruleset=${ruleset}&`));
  await (isQuiet ? shows(page, 1) : page.locator("#game[data-version]").waitFor());
}

export const board = (page) => page.locator("#board").textContent();
export const code = (page, panel) => page.locator(`#${panel}-code code`).textContent();
export const outcome = (page, pattern) => page.locator("#outcome").filter({ hasText: pattern }).waitFor();
export const actions = (page) => page.locator("#actions .action");

/** Nothing of the page is wider than the screen, and everything can be hit with a finger. */
async function isForFingers(page) {
  const [wide, small] = await page.evaluate(() => {
    const targets = document.querySelectorAll("button, select, summary, textarea, input:not([type=checkbox], [type=radio]), .check label");
    const small = [...targets].filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 44);
    return [document.documentElement.scrollWidth, small.map(({ outerHTML }) => outerHTML.slice(0, 90))];
  });
  assert.ok(wide <= PHONE.width, `${wide} pixels on a screen of ${PHONE.width}`);
  assert.deepEqual(small, [], "too small for a finger");
}

/** Checks that the page of a table fits a phone: a narrow board, targets for fingers, and the drawing on the first screen. */
async function fitsPhone(page) {
  await page.setViewportSize(PHONE);
  await page.locator("#drawing svg[width='390']").waitFor();
  await page.waitForFunction(() => document.querySelector("#board").textContent.split("\n").every(({ length }) => length <= 46));
  await isForFingers(page);
  const first = await page.evaluate(() => {
    const top = (id) => document.getElementById(id).getBoundingClientRect().top;
    return top("drawing") < innerHeight / 2 && top("drawing") < top("choices");
  });
  assert.ok(first, "the board is on the first screen, and the actions below it");
}

/** Pictures of the page at both widths. */
export async function picture(page, name) {
  mkdirSync(PICTURES, { recursive: true });
  await page.setViewportSize(DESKTOP);
  await page.screenshot({ path: path.join(PICTURES, `${name}-1280.png`), fullPage: true });
  await fitsPhone(page);
  await page.screenshot({ path: path.join(PICTURES, `${name}-390.png`), fullPage: true });
  await page.setViewportSize(DESKTOP);
}

/** Pictures of a panel of the page at both widths. */
export async function pictureOf(page, panel) {
  mkdirSync(PICTURES, { recursive: true });
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    if (size === PHONE) await isForFingers(page);
    await page.locator(`#${panel}`).screenshot({ path: path.join(PICTURES, `${panel}-${size.width}.png`) });
  }
}

/** Nobody is kept out: names, roles and contrast, in light and in dark. */
export async function isAccessible(page) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]), []);
  }
}
