// Looks at the reviewed drawings in the themes of the gallery: their texts can be read there, too.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { pale } from "./contrast.mjs";
import { compare, photograph, review } from "./images.mjs";
import { wear } from "./pages.mjs";

/** The folder of the themes, and the drawing that the page of each shows. */
const FOLDER = new URL("../../proto/docs/themes/", import.meta.url).pathname;
const SHOWN = { parchment: "caylus", harbor: "kingsburg" };

/** The themes by name. */
const themes = () =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".css"))
    .map((file) => ({ name: path.basename(file, ".css"), rules: readFileSync(path.join(FOLDER, file), "utf8") }));

/** Returns the faults of wide drawings, given by ruleset, in all themes, in words. */
export async function themeFaults(page, drawings, { folder, update }) {
  const faults = [];
  for (const { name, rules } of themes()) {
    await wear(page, name, rules);
    for (const [ruleset, drawing] of Object.entries(drawings)) {
      const picture = await photograph(page, drawing, "light");
      faults.push(...(await pale(page)).map((fault) => `${ruleset} in ${name}: ${fault}`));
      if (SHOWN[name] !== ruleset) continue;
      const file = path.join(FOLDER, `${name}.png`);
      const compared = () => compare(picture, file, folder, `theme-${name}`);
      if (update && (!existsSync(file) || (await compared()) !== undefined)) await review(picture, file);
      faults.push(await compared());
    }
  }
  return faults.filter((fault) => fault !== undefined);
}
