// Looks at the reviewed drawings of all rulesets in headless Chromium: texts can be read, and nothing looks other than in
// the reviewed pictures. With GAMEKEEPER_UPDATE=1, pictures that differ are written anew.

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { chromium } from "playwright-core";

import { startBrowser } from "../clients/browser.mjs";
import { compare, photograph, review } from "./images.mjs";
import { openPage } from "./pages.mjs";
import { illegible } from "./texts.mjs";
import { themeFaults } from "./themes.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;
const RULES = path.join(ROOT, "service/rules/src");
/** The folder for pictures that differ. */
const FOLDER = path.join(ROOT, "target/pictures");
const UPDATE = process.env.GAMEKEEPER_UPDATE === "1";

/** The drawings of a ruleset, with the width at which each is looked at. */
const WIDTHS = { wide: 1200, tablet: 800, phone: 390 };

/** Machines draw the same letters and colors. */
const FLAGS = ["--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"];

const folderOf = (ruleset) => path.join(RULES, ruleset, "tests/pictures");
const rulesets = readdirSync(RULES).filter((name) => existsSync(path.join(RULES, name, "picture.rs")));

const drawingOf = (ruleset, size) => readFileSync(path.join(folderOf(ruleset), `${size}.snap.svg`), "utf8");

/** Returns the faults of a drawing of one size, in words. */
async function faultsOf(page, ruleset, size) {
  const faults = [];
  const drawing = drawingOf(ruleset, size);
  for (const colorScheme of ["light", "dark"]) {
    const picture = await photograph(page, drawing, colorScheme);
    const file = path.join(folderOf(ruleset), `${size}-${colorScheme}.png`);
    const compared = () => compare(picture, file, FOLDER, `${ruleset}-${size}-${colorScheme}`);
    if (UPDATE && (await compared()) !== undefined) await review(picture, file);
    faults.push(await compared());
  }
  faults.push(...(await illegible(page)).map((fault) => `${ruleset}-${size}: ${fault}`));
  return faults.filter((fault) => fault !== undefined);
}

rmSync(FOLDER, { recursive: true, force: true });
const { browser, stop } = await startBrowser(chromium, FLAGS);
const faults = [];
for (const [size, width] of Object.entries(WIDTHS)) {
  const page = await openPage(browser, width);
  for (const ruleset of rulesets) faults.push(...(await faultsOf(page, ruleset, size)));
}
const wide = Object.fromEntries(rulesets.map((ruleset) => [ruleset, drawingOf(ruleset, "wide")]));
faults.push(...(await themeFaults(await openPage(browser, WIDTHS.wide), wide, { folder: FOLDER, update: UPDATE })));
await stop();
faults.forEach((fault) => console.log(fault));
if (existsSync(FOLDER) && !UPDATE) console.log(`actual pictures and differences are in ${path.relative(process.cwd(), FOLDER)}`);
console.log(`${rulesets.length} rulesets, ${faults.length} faults`);
process.exit(rulesets.length > 0 && faults.length === 0 ? 0 : 1);
