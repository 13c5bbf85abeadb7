// Link previews: chats and social networks read the page behind a link, and show its title and picture (Open Graph). Both show
// what everybody may see of a game. Whoever fetches them has no account, and may come often: a picture is painted once.

import { ColorScheme, GameStatus, ViewerKind } from "@gamekeeper/client";
import { html } from "hono/html";

import { gamekeeper, ownGame } from "./games.js";

/** The address of the lobby: previews need whole addresses. */
const ORIGIN = process.env["LOBBY_URL"] ?? `http://127.0.0.1:${process.env["LOBBY_PORT"] ?? 8080}`;

/** The most pictures that are kept, about 100 kB each. */
const MAX_PICTURES = 100;

/** Pictures by game and version, those that were asked for last at the end. */
const pictures = new Map<string, Promise<Uint8Array>>();

/** The page behind a link to a game. Names are escaped. */
export async function page(gameId: string) {
  const { ruleset, players, status, version } = await ownGame(gameId);
  const names = players.map(({ name }) => name).join(", ");
  const title = `${ruleset.replaceAll("_", " ")}: ${names}`;
  const image = `${ORIGIN}/games/${gameId}/pictures/${version}.png`;
  return html`<!doctype html>
    <html lang="en" prefix="og: https://ogp.me/ns#">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta property="og:type" content="website" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${status === GameStatus.FINISHED ? "The game is over." : "The game is being played."}" />
        <meta property="og:url" content="${ORIGIN}/games/${gameId}" />
        <meta property="og:image" content="${image}" />
        <meta property="og:image:type" content="image/png" />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="800" />
        <meta property="og:image:alt" content="The table as spectators see it" />
        <meta name="twitter:card" content="summary_large_image" />
      </head>
      <body>
        <h1>${title}</h1>
        <img src="${image}" width="1200" alt="The table as spectators see it" />
      </body>
    </html>`;
}

/** The table at a version as spectators see it, as PNG. It never changes, unless the version is taken back. */
export async function picture(gameId: string, version: bigint): Promise<Uint8Array> {
  const { version: newest } = await ownGame(gameId);
  const key = `${gameId} ${version < newest ? version : newest}`;
  const known = pictures.get(key) ?? paint(gameId, version < newest ? version : newest);
  pictures.delete(key);
  pictures.set(key, known);
  // What failed is tried again.
  known.catch(() => pictures.delete(key));
  for (const oldest of [...pictures.keys()].slice(0, -MAX_PICTURES)) {
    pictures.delete(oldest);
  }
  return known;
}

async function paint(gameId: string, atVersion: bigint): Promise<Uint8Array> {
  const show = { drawing: { raster: true, colorScheme: ColorScheme.LIGHT } };
  const { table } = await gamekeeper.games.getGame({ gameId, atVersion, viewer: { kind: ViewerKind.SPECTATOR }, show });
  return table!.picture;
}
