// Games that begin elsewhere than at their set-up: late or rich, on a described table, and from a record.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { backEnd } from "./backend.mjs";
import { actions, code, create, isAccessible, KEY, openPage, pictureOf, shows, startPlayground, unfold, withTokens } from "./common.mjs";
import { tryPositions, tryWhoseTables } from "./positions.mjs";

export async function tryBeginnings(browser, gamekeeperd, gamekeeper) {
  const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-records-"));
  const { server, url } = await startPlayground(gamekeeperd, ["--serve-examples"]);
  const page = await openPage(browser, url);
  await page.getByLabel("Ruleset").waitFor();
  await tryStarts(page);
  await tryPositions(page, server.address, folder);
  await tryRecords(page, server.address, { gamekeeper, folder });
  await page.close();
  await server.stop();
  await tryTenants(browser, gamekeeperd, folder);
  rmSync(folder, { recursive: true });
}

const beginning = (page) => page.locator("#beginning").textContent();

/** The starts that the page offers, once they are these. */
const offers = (page, starts) =>
  page.waitForFunction((starts) => [...document.querySelectorAll("#start option")].map(({ textContent }) => textContent).join() === starts, starts.join());

/** A game begins on the table that was chosen, and says so to everybody; where nobody can have more, nothing is richer. */
async function tryStarts(page) {
  await page.getByLabel("Ruleset").selectOption("goofspiel");
  await offers(page, ["Set Up", "Late", "Position"]);
  await page.getByLabel("Beginning").selectOption({ label: "Late" });
  await page.getByLabel("Ruleset").selectOption("dominion");
  await offers(page, ["Set Up", "Rich", "Late", "Position"]);
  assert.equal(await page.getByLabel("Beginning").inputValue(), "GAME_START_LATE", "what was chosen stays");
  for (const [start, told] of [["Rich", /^This game began at a set-up, but every player has much more/], ["Late", /^This game began late in the game: after three quarters/]]) {
    await unfold(page, "create-panel");
    await page.getByLabel("Ruleset").selectOption("dominion");
    await offers(page, ["Set Up", "Rich", "Late", "Position"]);
    await page.getByLabel("Beginning").selectOption({ label: start });
    await page.locator("#start-hint").filter({ hasText: new RegExp(start === "Rich" ? "much more" : "random") }).waitFor();
    await create(page, "dominion");
    assert.match(await beginning(page), told);
    assert.match(await code(page, "create"), new RegExp(` --start ${start.toLowerCase()} --take-back unseen$`));
    await page.locator("#events").filter({ hasText: /begins|began/ }).waitFor();
    await actions(page).first().click();
    await shows(page, 2);
    await page.reload();
    await shows(page, 2);
    assert.match(await beginning(page), told);
  }
  await create(page, "dominion");
  assert.equal(await beginning(page), "");
  assert.doesNotMatch(await code(page, "create"), /--start/);
}

/** Chooses a file in the form. */
async function choose(page, file, at = "") {
  await unfold(page, "create-panel");
  await page.getByLabel("Record", { exact: true }).setInputFiles(file);
  await page.getByLabel("Up to version").fill(at);
  await page.getByRole("button", { name: "Import the record" }).click();
}

/** An exported record comes back as a game, whole and up to a version; what is no record is refused in words. */
async function tryRecords(page, address, { gamekeeper, folder }) {
  const { call, create: begin, pass } = backEnd(address);
  const gameId = await begin();
  await pass(gameId, 1, 5);
  await call("Resign", { gameId, seat: 1 });
  const env = { ...process.env, GAMEKEEPER_SERVER: `http://${address}` };
  const record = execFileSync(gamekeeper, ["export", gameId], { env, encoding: "utf8" });
  const file = (name, text) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const whole = file("game.jsonl", record);
  await choose(page, whole, "4");
  await shows(page, 4);
  assert.equal(await beginning(page), "Up to version 4 it comes from a record.");
  assert.doesNotMatch(page.url(), new RegExp(gameId));
  await actions(page).first().click();
  await shows(page, 5);
  await choose(page, whole);
  await shows(page, 7);
  await page.locator("#pending").filter({ hasText: "The game is over." }).waitFor();
  await page.locator("#standings").filter({ hasText: /Rank 1: Bob/ }).waitFor();
  await unfold(page, "create-panel");
  await pictureOf(page, "create-panel");
  await isAccessible(page);

  const before = page.url();
  const lines = record.trimEnd().split("\n");
  const refused = async (name, text, told, at) => {
    await choose(page, file(name, text), at);
    await page.getByRole("alert").filter({ hasText: told }).waitFor();
    assert.equal(await page.locator("#import-status").textContent(), "");
    assert.equal(page.url(), before, "the page stays at its game");
  };
  await refused("half.jsonl", lines.slice(0, 4).join("\n"), /RECORD_REFUSED/);
  await refused("gap.jsonl", lines.filter((_, at) => at !== 3).join("\n"), /RECORD_REFUSED/);
  await refused("notes.json", "This is not a record.", /MALFORMED_MESSAGE.*not the JSON of a ImportGameRequest/s);
  await refused("empty.jsonl", "", /header/);
  await refused("late.jsonl", record, /at_version|version 99/, "99");
  await refused("large.jsonl", "{}".padEnd(20 << 20), /larger than|not sent/);
}

/** A tenant's game is its own, with tokens for its seats. */
async function tryTenants(browser, gamekeeperd, folder) {
  const { server, url } = await startPlayground(gamekeeperd, withTokens(folder));
  const page = await openPage(browser, url);
  await page.getByLabel("Key of a tenant").fill(KEY);
  await page.getByRole("button", { name: "Use it" }).click();
  await choose(page, path.join(folder, "game.jsonl"), "2");
  await shows(page, 2);
  const fields = new URLSearchParams(new URL(page.url()).hash.slice(1));
  assert.ok(["seat1", "seat2", "spectator"].every((name) => fields.get(name) !== ""));
  await tryWhoseTables(page);
  await page.close();
  await server.stop();
}
