// The page as people see it, with the drawer closed: every ruleset on its drawn table, by mouse, finger and keyboard.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";

import { create, DESKTOP, isAccessible, openPage, PHONE, PICTURES, shows, unfold } from "./common.mjs";

/** The number of actions before the table is looked at closely. */
const OPENING = 20;

/** The ruleset with the shortest games, which is played to the end; `board` of the clients does so with all. */
const SHORTEST = "kingsburg";

/** No game of it is longer than this. */
const LONGEST = 1_000;

/** The words that only the drawer may contain. */
const MACHINE = /`|[A-Z]{2,}_[A-Z]|\bversion \d|\bJSON\b|[{}]|\b[a-z]+_[a-z]+\b|undefined|\[object/;

export async function tryPeople(browser, url, rulesets) {
  const page = await openPage(browser, url, false);
  await page.getByLabel("Ruleset").waitFor();
  for (const ruleset of rulesets) {
    await offersInWords(page, ruleset);
    await create(page, ruleset);
    await filtersByClicks(page);
    await playsByKeyboard(page);
    await playByClicks(page, OPENING);
    await isLookedAt(page, ruleset);
    await takesBack(page);
    await sharesSeats(browser, page);
    if (ruleset === SHORTEST) {
      await playByClicks(page, LONGEST);
      await isOver(page);
    }
  }
  await playsAgainstBot(page);
  await page.close();
}

/** A bot of the server answers by itself, and its seat is nobody else's. */
async function playsAgainstBot(page) {
  await unfold(page, "create-panel");
  await page.getByLabel("Ruleset").selectOption("kingsburg");
  await page.getByLabel("Who plays seat 2").selectOption({ label: "an easy bot" });
  await create(page, "kingsburg", false);
  assert.deepEqual(await page.locator("#seats button").evaluateAll((all) => all.map(({ textContent }) => textContent.replace("to decide", ""))), [
    "Ada (seat 1)",
    "Spectator",
  ]);
  for (let played = 0; played < 4; played += 1) {
    await page.locator("#choices .action, #choices .way").first().waitFor();
    await playByClicks(page, 1);
  }
  await page.locator("#events h4").filter({ hasText: /^\d+\. Bob$/ }).first().waitFor();
}

const state = (page) => page.locator("#game").evaluate(({ dataset }) => ({ ...dataset }));
const version = async (page) => Number((await state(page)).version);

/** Everything that is written on the page, or read aloud. */
async function speaksPlainly(page) {
  const said = await page.evaluate(() => {
    const named = [...document.querySelectorAll("[aria-label], [title], [placeholder]")].filter((element) => element.checkVisibility());
    const names = named.flatMap((element) => ["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""));
    return [document.body.innerText, ...names].join("\n");
  });
  const found = MACHINE.exec(said);
  assert.equal(found?.[0], undefined, found && said.slice(Math.max(0, found.index - 60), found.index + 60));
}

/** The form for a new game has titles, and no names of code. */
async function offersInWords(page, ruleset) {
  await unfold(page, "create-panel");
  await page.getByLabel("Ruleset").selectOption(ruleset);
  await page.locator("#create-form > details").evaluateAll((folds) => folds.forEach((fold) => (fold.open = true)));
  await speaksPlainly(page);
}

/** A component of the drawing that several actions touch, or one. */
const component = (page, pattern) => page.locator("#drawing .can").and(page.getByRole("button", { name: pattern })).first();

/** A press on the middle of a component, whatever is drawn there. */
async function press(page, component) {
  await component.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await component.boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
}

/** A click keeps the actions that touch a component, and plays nothing; the rest comes back. */
async function filtersByClicks(page) {
  const before = await version(page);
  const all = await page.locator("#choices-count").textContent();
  const chosen = component(page, /; \d+ actions?$/);
  const [, count] = /; (\d+) action/.exec(await chosen.getAttribute("aria-label"));
  const away = [() => page.keyboard.press("Escape"), () => page.locator("h1").click(), () => press(page, chosen)];
  for (const clear of away) {
    await press(page, chosen);
    assert.match(await page.locator("#choices-count").textContent(), count === "1" ? /^One action with/ : new RegExp(`^${count} actions with`));
    assert.equal(await page.locator("#choices .offered").count(), count === "1" ? 1 : 0);
    assert.ok(await page.locator("#drawing .picked").count(), "what is picked has a frame");
    await clear();
    assert.equal(await page.locator("#choices-count").textContent(), all);
  }
  await page.locator("#choices .action, #choices .way").first().hover();
  await page.locator("#drawing .pointed").first().waitFor();
  assert.equal(await version(page), before, "nothing is played by a click on the board");
}

/** From the top of the page to a component, around the board, to an action, and back by Escape. */
async function playsByKeyboard(page) {
  for (let played = 0; played < 3; played += 1) {
    const before = await version(page);
    await page.locator("#game-title").focus();
    const isOnBoard = () => page.evaluate(() => document.activeElement.matches("#drawing .can"));
    for (let tabs = 0; !(await isOnBoard()); tabs += 1) {
      assert.ok(tabs < 20, "the board is reached by the keyboard");
      await page.keyboard.press("Tab");
    }
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft"]) {
      await page.keyboard.press(key);
      assert.ok(await isOnBoard());
    }
    const chosen = await page.evaluate(() => document.activeElement.dataset.component);
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.matches("#choices button")), "Enter leads to what can be done");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.component), chosen, "Escape leads back");
    await page.keyboard.press("Enter");
    while ((await version(page)) === before) {
      assert.ok(await page.evaluate(() => document.activeElement.matches("#choices button")));
      const plays = await page.evaluate(() => document.activeElement.matches(".action"));
      await page.keyboard.press("Enter");
      if (plays) await shows(page, before + 1);
    }
  }
  await page.locator("#drawing .happened").first().waitFor();
}

/** Plays with clicks on the drawing until the game is over, or at most this many actions; what the board leaves open is chosen in the list. */
async function playByClicks(page, most) {
  const trouble = await page.evaluate(async (most) => {
    const game = document.getElementById("game");
    const find = (what) => [...document.querySelectorAll(what)];
    const any = (some) => some[Math.floor(Math.random() * some.length)];
    const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const moved = (from) =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (game.dataset.version === from) return;
          observer.disconnect();
          clearTimeout(late);
          resolve(true);
        });
        observer.observe(game, { attributes: true });
        const late = setTimeout(() => resolve(false), 10_000);
      });
    for (let played = 0; played < most; played += 1) {
      const before = game.dataset.version;
      const components = find("#drawing .can");
      if (components.length === 0) return document.getElementById("standings").childElementCount > 0 ? "" : `${before}: nothing to click`;
      click(any(components));
      for (let steps = 0; find("#choices .action").length === 0 && steps < 9; steps += 1) click(any(find("#choices .way")));
      const action = find("#choices .offered")[0] ?? any(find("#choices .action"));
      if (action === undefined) return `${before}: a component without an action`;
      const next = moved(before);
      action.click();
      if (!(await next)) return `${before}: ${action.textContent} was not played`;
    }
    return "";
  }, most);
  assert.equal(trouble, "");
}

/** In the middle of a game, light and dark, at both widths, with nothing and something picked. */
async function isLookedAt(page, ruleset) {
  mkdirSync(PICTURES, { recursive: true });
  await speaksPlainly(page);
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await page.locator(`#drawing svg[width='${size === PHONE ? 390 : 800}']`).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    const [top, wide] = await page.evaluate(() => [document.getElementById("drawing").getBoundingClientRect().top, document.documentElement.scrollWidth]);
    assert.ok(top < size.height / 2 && wide <= size.width, `the board begins at ${top}, the page is ${wide} wide`);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(PICTURES, `${ruleset}-board-${size.width}-${colorScheme}.png`) });
    }
    await isAccessible(page);
    await press(page, page.locator("#drawing .can").first());
    assert.ok(await page.locator("#choices button").first().isVisible());
    await page.screenshot({ path: path.join(PICTURES, `${ruleset}-picked-${size.width}.png`) });
    await isAccessible(page);
    if (size === PHONE) {
      const { y } = await page.locator("#choices button").first().boundingBox();
      assert.ok(y < PHONE.height, "what was picked is offered on the screen");
    }
    await page.keyboard.press("Escape");
  }
  await page.setViewportSize(DESKTOP);
  await page.locator("#drawing svg[width='800']").waitFor();
}

/** Takes back the last action where this is possible, and checks that the table is as it was. */
async function takesBack(page) {
  const undo = page.getByRole("button", { name: "Undo" });
  const tables = [];
  for (let played = 0; played < 8; played += 1) {
    tables.push(await page.locator("#drawing").innerHTML());
    await playByClicks(page, 1);
    if (await undo.isVisible()) {
      const before = await version(page);
      await undo.click();
      await shows(page, before + 1);
      await page.locator("#latest").filter({ hasText: /back/ }).waitFor();
      return;
    }
  }
}

/** A link for a seat opens that seat alone, without the drawer. */
async function sharesSeats(browser, page) {
  await page.getByRole("button", { name: "Share" }).click();
  const seat = await openPage(browser, await page.getByLabel("Link for Bob (seat 2)").inputValue(), false);
  await seat.locator('#game[data-viewer="2"]').waitFor();
  assert.deepEqual(await seat.locator("#seats button").count(), 2);
  await seat.locator("#drawing svg").waitFor();
  await speaksPlainly(seat);
  await seat.close();
}

/** Everybody has a rank. */
async function isOver(page) {
  assert.match(await page.locator("#pending").textContent(), /The game is over/);
  assert.equal(await page.locator("#standings > li").count(), 2);
  assert.match(await page.locator("#standings > li").first().textContent(), /^Rank 1: (Ada|Bob) \(seat \d\), -?\d+ points/);
  await speaksPlainly(page);
}
