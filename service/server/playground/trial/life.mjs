// What happens at a table beside the rules: clocks, take-backs, leaving, and forks.

import assert from "node:assert/strict";

import { actions, create, isAccessible, picture, shows, unfold } from "./common.mjs";

export async function tryLife(page) {
  await unfold(page, "create-panel");
  await page.getByLabel("Ruleset").selectOption("caylus");
  await page.locator("#create-form > details > summary", { hasText: "Clocks" }).click();
  const table = page.locator("#table-options");
  await table.getByLabel("Take back", { exact: true }).selectOption({ label: "Agreed" });
  await table.getByLabel("Clock", { exact: true }).check();
  await table.getByLabel("Bank seconds").fill("3600");
  await create(page, "caylus");
  const clocks = page.locator("#clocks li");
  assert.equal(await clocks.count(), 2);
  await clocks.filter({ hasText: /Ada: (1:00:00|59:\d\d) (left|in the bank)/ }).waitFor();
  await actions(page).first().click();
  await shows(page, 2);
  await unfold(page, "life-panel");
  await page.getByRole("button", { name: "Ask to take back the last action" }).click();
  await page.locator("#life li").filter({ hasText: /asks to take back the last action\./ }).waitFor();
  await picture(page, "table-life");
  await isAccessible(page);
  await page.getByRole("button", { name: /^(?!.*decide).*\(seat \d\)$/ }).first().click();
  await page.getByRole("button", { name: "Agree", exact: true }).click();
  await shows(page, 4);
  assert.equal(await page.locator("#life li").count(), 0);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Leave for good" }).click();
  await shows(page, 5);
  await page.locator("#pending").filter({ hasText: "The game is over." }).waitFor();
  const over = page.url();
  await page.getByRole("button", { name: "Fork the game" }).click();
  await page.waitForURL((url) => url.href !== over);
  await shows(page, 4);
  await unfold(page, "life-panel");
  await page.locator("#life li").filter({ hasText: /Forked from game .* at version 4/ }).waitFor();
  await actions(page).first().click();
  await shows(page, 5);
  await tryClaim(page);
}

/** Somebody is late: anybody claims it, and the fallback answers. */
async function tryClaim(page) {
  await unfold(page, "create-panel");
  await page.locator("#table-options").getByLabel("Bank seconds").fill("1");
  await create(page, "caylus");
  const late = page.locator("#clocks li").filter({ hasText: "out of time" });
  const claim = late.getByRole("button", { name: /^Claim the time of / });
  await claim.click();
  await shows(page, 2);
  await page.locator("#events").filter({ hasText: /time/ }).waitFor();
  await isAccessible(page);
}
