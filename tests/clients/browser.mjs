// Shared by the browser trials: headless Chromium, and a web server for pages.

import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser with nothing remembered. `chromium` is that of playwright-core, `flags` are further ones. */
export async function startBrowser(chromium, flags = []) {
  const folder = mkdtempSync(path.join(tmpdir(), "gamekeeper-browser-"));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launchPersistentContext(folder, { executablePath, headless: true, args: [...FLAGS, ...flags] });
  return {
    browser,
    async stop() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const TYPES = { ".html": "text/html", ".js": "text/javascript" };

/** Serves a folder on a port of its own; the origin of its pages. */
export async function startPages(folder) {
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, "http://pages").pathname;
    const file = createReadStream(path.join(folder, path.normalize(name === "/" ? "/index.html" : name)));
    response.setHeader("content-type", TYPES[path.extname(file.path)] ?? "application/octet-stream");
    file.on("error", () => response.writeHead(404).end());
    file.pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}
