// Every ruleset the same way: create a game, look, play a dozen actions, reload, be refused.

import assert from "node:assert/strict";

import { actions, board, create, isAccessible, outcome, picture, shows, showsAs, unfold } from "./common.mjs";

/** As many actions are played by clicking. */
const PLAYED = 12;

export async function tryRuleset(page, ruleset) {
  await create(page, ruleset);
  const drawn = await board(page);
  assert.match(drawn, /Ada[^]*Bob|Bob[^]*Ada/, drawn);
  assert.doesNotMatch(drawn, /\x1b/);
  assert.ok(await page.locator("#board span").count(), "the board has styles");
  const asked = await page.locator("#pending").textContent();
  assert.match(asked, /^(Ada|Bob) \(seat \d\): [A-Z][^_]*\?/, "who must decide, and the question");
  await playOn(page);
  await picture(page, ruleset);
  await isAccessible(page);
  await staysAfterReload(page);
  await isRefused(page);
}

/** One action after the other, with the seat that owes it. */
async function playOn(page) {
  for (let version = 2; version <= 1 + PLAYED && (await actions(page).count()) > 0; version += 1) {
    const chosen = actions(page).nth(Math.floor((await actions(page).count()) / 2));
    const words = await chosen.textContent();
    await chosen.click();
    await shows(page, version);
    await outcome(page, /was accepted/);
    assert.ok((await page.locator("#outcome").textContent()).includes(words), words);
    const [newest] = await page.locator("#events > li").allTextContents();
    assert.match(newest, new RegExp(`^${version}\\. (Ada|Bob)\\S.*\\.$`));
    assert.doesNotMatch(newest, /seat \d/i, "events name the players");
    assert.notEqual(await page.locator("#latest").textContent(), "");
  }
}

/** The address keeps the game, its seats and who looks. */
async function staysAfterReload(page) {
  const state = () => page.locator("#game").evaluate(({ dataset }) => ({ ...dataset }));
  const [before, drawn] = [await state(), await board(page)];
  await page.reload();
  await shows(page, before.version);
  assert.deepEqual(await state(), before);
  assert.equal(await board(page), drawn);
  await page.getByRole("button", { name: "Spectator" }).click();
  await showsAs(page, 0);
  assert.equal(await actions(page).count(), 0);
  await page.reload();
  await showsAs(page, 0);
  await page.getByLabel("Follow the turn").check();
  await showsAs(page, before.viewer);
}

/** A refusal has a code, a message, the id of a rule and its text. */
async function isRefused(page) {
  await unfold(page, "editor");
  const button = page.getByRole("button", { name: "Act out of turn" });
  if (await button.isDisabled()) {
    return;
  }
  await button.click();
  await outcome(page, /^✗ (Ada|Bob) \(seat \d\) was refused: \w+.*Rule [A-Z]+-[\d.]+.*FAILED_PRECONDITION/s);
  const rule = page.locator("#outcome").getByRole("button", { name: /^Rule / });
  const id = (await rule.textContent()).replace("Rule ", "");
  await rule.click();
  const shown = page.locator("#outcome .rule");
  await shown.getByRole("heading", { name: `${id}:` }).waitFor();
  assert.match(await shown.locator("p").textContent(), /\w+ \w+ \w+/);
  await rule.click();
  await shown.waitFor({ state: "hidden" });
}
