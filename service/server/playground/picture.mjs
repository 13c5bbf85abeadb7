// Takes the picture of the playground that README shows: node picture.mjs GAMEKEEPERD.
// Needs node_modules, which `run` installs.

import { chromium } from "playwright-core";

import { startBrowser } from "../../../tests/clients/browser.mjs";
import { create, openPage, shows, startPlayground } from "./trial/common.mjs";

const [, , gamekeeperd] = process.argv;
const { browser, stop } = await startBrowser(chromium);
const { server, url } = await startPlayground(gamekeeperd);
const page = await openPage(browser, url);
await page.setViewportSize({ width: 1180, height: 800 });
await create(page, "kingsburg");
for (const version of [11, 21, 31, 41]) {
  await page.getByRole("button", { name: "Ten at random" }).click();
  await shows(page, version);
}
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: new URL("pictures/kingsburg.png", import.meta.url).pathname });
await stop();
await server.stop();
