// Long lists: every set of cards and armies, page after page, and a board that wants more room than a phone has.

import assert from "node:assert/strict";

import { actions, create, DESKTOP, outcome, PHONE, shows } from "./common.mjs";

export async function tryMythotopia(page) {
  await create(page, "mythotopia");
  let version = 1;
  for (; !/: What do you do\?/.test(await page.locator("#pending").textContent()); version += 1) {
    await actions(page).first().click();
    await shows(page, version + 1);
  }
  await listsSets(page);
  await turnsPages(page);
  await playsSet(page);
  await shows(page, version + 1);
  await drawsWide(page);
}

const count = (page, pattern) => page.locator("#count").filter({ hasText: pattern }).waitFor();
const kind = (page, label) => page.getByLabel("Kind", { exact: true }).selectOption({ label });

/** The usual list has single cards; on request, every set of them. */
async function listsSets(page) {
  await kind(page, "discard cards");
  await count(page, /^[1-5] legal$/);
  const single = await actions(page).allTextContents();
  await page.getByLabel("All ways to pay, all sets").check();
  await count(page, /^\d\d legal$/);
  const sets = await actions(page).allTextContents();
  assert.deepEqual(single.filter((words) => !sets.includes(words)), []);
  assert.ok(sets.some((words) => / and /.test(words)), sets.join());
}

/** No more than one page is shown, and all pages together are the list. */
async function turnsPages(page) {
  await kind(page, "all kinds");
  await count(page, /^1 to 40 of \d+ legal$/);
  const whole = Number(/of (\d+)/.exec(await page.locator("#count").textContent())[1]);
  const seen = [];
  for (let from = 1; from <= whole; from += 40) {
    const to = Math.min(whole, from + 39);
    await count(page, new RegExp(`^${from} to ${to} of`));
    const shown = await actions(page).allTextContents();
    assert.equal(shown.length, to - from + 1);
    assert.notDeepEqual(shown, seen.at(-1));
    seen.push(shown);
    if (to < whole) await page.getByRole("button", { name: "Next" }).click();
  }
  assert.equal(seen.flat().length, whole);
  assert.ok(await page.getByRole("button", { name: "Next" }).isDisabled());
}

/** Cards at once, found by words; then one of them twice, by editing what the list has. */
async function playsSet(page) {
  await kind(page, "discard cards");
  await page.getByLabel("Words").fill(" and ");
  await count(page, /found/);
  await page.getByRole("button", { name: /^Edit: discard [^,]+ and [^,]+$/ }).first().click();
  const json = page.getByLabel("Action as JSON");
  const { discardCards } = JSON.parse(await json.inputValue());
  assert.ok(discardCards.cards.length >= 2);
  await json.fill(JSON.stringify({ discardCards: { cards: [...discardCards.cards, discardCards.cards[0]] } }));
  await page.getByRole("button", { name: "Check only" }).click();
  await outcome(page, /was refused: [A-Z_]+.*Rule MYT-/s);
  await json.fill(JSON.stringify({ discardCards }));
  await page.getByRole("button", { name: "Play it" }).click();
  await outcome(page, /was accepted.*discards \S+.* and |was accepted.*discards \S+.*, /s);
}

/** On a phone the board fits, or has 80 columns, in small letters or to scroll. */
async function drawsWide(page) {
  const drawn = (narrow) =>
    page.waitForFunction((narrow) => {
      const widest = Math.max(...document.querySelector("#board").textContent.split("\n").map(({ length }) => length));
      return narrow ? widest > 36 && widest <= 46 : widest > 60;
    }, narrow);
  const overflow = () => page.locator("#board").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  const size = page.getByLabel("Size");
  await page.setViewportSize(PHONE);
  await drawn(true);
  await size.selectOption("small");
  await drawn(false);
  assert.ok((await overflow()) <= 1, "small letters fit");
  await size.selectOption("scroll");
  assert.ok((await overflow()) > 100, "large letters are scrolled");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
  await size.selectOption("room");
  await drawn(true);
  await page.setViewportSize(DESKTOP);
}
