// Writes one module for each ruleset and one for `gamekeeper.v1`, so that importers need not know the files of the contract.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";

const gen = new URL("gen/", import.meta.url);
mkdirSync(new URL("rulesets", gen));
for (const name of readdirSync(new URL("gamekeeper", gen))) {
  const files = readdirSync(new URL(`gamekeeper/${name}${name === "v1" ? "" : "/v1"}`, gen)).filter((file) => file.endsWith("_pb.ts"));
  const [place, folder] = name === "v1" ? ["v1.ts", "./gamekeeper/v1"] : [`rulesets/${name}.ts`, `../gamekeeper/${name}/v1`];
  writeFileSync(new URL(place, gen), files.map((file) => `export * from "${folder}/${file.replace(".ts", ".js")}";\n`).join(""));
}
