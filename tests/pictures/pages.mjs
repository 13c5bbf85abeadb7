// Shows a drawing in a page, in letters that are the same on every machine.

import { readFileSync } from "node:fs";

/** Arimo has the widths of Helvetica, by which drawings are laid out. */
const FACES = { 400: "400Regular/Arimo_400Regular.ttf", 700: "700Bold/Arimo_700Bold.ttf" };

const fontFace = ([weight, file]) => {
  const font = readFileSync(new URL(`node_modules/@expo-google-fonts/arimo/${file}`, import.meta.url), "base64");
  return `@font-face { font-family: Bundled; font-weight: ${weight}; src: url(data:font/ttf;base64,${font}); }`;
};

const PAGE = `<!doctype html>
<style>
  ${Object.entries(FACES).map(fontFace).join("\n")}
  body { margin: 0; }
  body > svg[class] { display: block; width: 100%; height: auto; font-family: Bundled, monospace; }
</style>`;

/** Higher than every drawing. */
const HEIGHT = 2_400;

/** A page for drawings, this wide. */
export async function openPage(browser, width) {
  const page = await browser.newPage();
  await page.setViewportSize({ width, height: HEIGHT });
  await page.setContent(PAGE);
  await page.evaluate(() => Promise.all([400, 700].map((weight) => document.fonts.load(`${weight} 12px Bundled`))));
  return page;
}

/** Gives the page a theme: rules for the class of this name. */
export async function wear(page, name, rules) {
  await page.addStyleTag({ content: rules });
  await page.evaluate((name) => (document.body.className = name), name);
}

/** Shows this SVG as wide as the page. */
export async function show(page, drawing) {
  const height = await page.evaluate((drawing) => {
    document.body.innerHTML = drawing;
    return document.body.getBoundingClientRect().height;
  }, drawing);
  if (height > HEIGHT) throw new Error(`a drawing is ${height} high`);
}
