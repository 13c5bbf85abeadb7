// Compares drawings, as a browser shows them, with reviewed pictures.

import { existsSync, mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";

import pixelmatch from "pixelmatch";
import sharp from "sharp";

import { show } from "./pages.mjs";

/** The colors of a reviewed picture. Drawings have fewer, besides the edges of letters and shapes. */
const COLORS = 48;

/** The distance that a color may have from the reviewed one: the reviewed picture has few, and machines smooth edges differently. */
const THRESHOLD = 0.1;

/** As many pixels of a square of this side may differ: less than a digit that has changed. */
const SQUARE = 8;
const MOST = 5;

/** The picture of a drawing, as wide as its page. */
export async function photograph(page, drawing, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await show(page, drawing);
  return page.locator("svg").screenshot({ scale: "css" });
}

/** Writes a picture for review. */
export async function review(picture, file) {
  await writeFile(file, await sharp(picture).removeAlpha().png({ palette: true, colors: COLORS, dither: 0, effort: 10 }).toBuffer());
}

const pixels = async (picture) => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

/** Returns the difference of a picture from the reviewed one, in words; if there is any, writes picture and difference to `folder`. */
export async function compare(picture, file, folder, name) {
  if (!existsSync(file)) return `${name} has no reviewed picture`;
  const [is, was] = await Promise.all([pixels(picture), pixels(file)]);
  const write = (kind, content) => writeFile(path.join(folder, `${name}-${kind}.png`), content);
  if (is.width !== was.width || is.height !== was.height) {
    mkdirSync(folder, { recursive: true });
    await write("actual", picture);
    return `${name} is ${is.width} by ${is.height}, not ${was.width} by ${was.height}`;
  }
  const { width, height } = is;
  const difference = Buffer.alloc(is.data.length);
  const options = { threshold: THRESHOLD };
  const most = pixelmatch(was.data, is.data, undefined, width, height, { ...options, windowSize: SQUARE });
  if (most <= MOST) return undefined;
  const pixelsOff = pixelmatch(was.data, is.data, difference, width, height, options);
  mkdirSync(folder, { recursive: true });
  await write("actual", picture);
  await write("difference", await sharp(difference, { raw: { width, height, channels: 4 } }).png().toBuffer());
  return `${name} differs in ${pixelsOff} pixels`;
}
