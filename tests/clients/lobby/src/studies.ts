// Studies: what could have happened in a game that is over. A study is a tree of lines. The game is line 0; every other line
// branches off a version of another one, and is a game of its own, played by the author of the study or by a bot. What
// people write beside the versions is kept here, since Gamekeeper does not keep it.

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { type GameInfo, GameStatus, ViewerKind } from "@gamekeeper/client";

import { nameOf } from "./accounts.js";
import { cleaned } from "./chat.js";
import { DurableMap } from "./durable.js";
import { gamekeeper, ownGame, spectatorOf } from "./games.js";
import { need } from "./refusal.js";

/** The most lines of a study, the most comments, and the most characters of a comment or a title. */
const [MAX_LINES, MAX_COMMENTS, MAX_TEXT] = [50, 200, 500];

const LEVELS = ["easy", "medium", "strong"];

/** A branch, as its author asks for it: what is equal is the same line. */
interface Branch {
  /** The line that it leaves, and the last version that both share. */
  from: number;
  version: number;
  title: string;
  /** The level of the bot that plays on, and its seat. Not given: the author plays all seats. */
  bot?: { seat: number; level: string } | undefined;
}

interface Line extends Partial<Branch> {
  /** The game of the line; missing as long as Gamekeeper has not answered. */
  game?: string;
}

interface Study {
  author: string;
  /** The seat of the author in the game. */
  seat: number;
  lines: Line[];
  comments: { line: number; version: number; text: string }[];
}

const studies = new DurableMap<Study>("studies");

/** A new study of a game that is over, for somebody who played in it. Its id is its link: nobody guesses it. */
export async function open(game: string, author: string): Promise<string> {
  const { players, status } = await ownGame(game);
  const seat = players.find(({ user }) => user === author)?.seat;
  need(seat !== undefined, 403, "Only those who played this game can study it.");
  need(status === GameStatus.FINISHED, 409, "This game is not over.");
  const id = randomUUID();
  studies.set(id, { author, seat, lines: [{ game }], comments: [] });
  return id;
}

/** The whole tree with its comments, for everybody with the link. */
export function read(id: string) {
  const { author, ...study } = find(id);
  return { author: nameOf(author), ...study };
}

/** Tries something else from a version on. The same branch again is the same game, however often it is asked for. */
export async function branch(id: string, author: string, { from, version, bot, ...branch }: Branch): Promise<{ line: number; game: string }> {
  own(id, author);
  const title = cleaned(branch.title);
  need(title !== "" && title.length <= MAX_TEXT, 400, `A title has 1 to ${MAX_TEXT} characters.`);
  await check(id, from, version, bot);
  const { lines } = find(id);
  const asked = { from, version, title, ...(bot && { bot }) };
  let line = lines.findIndex(({ game, ...known }) => isDeepStrictEqual(known, asked));
  if (line < 0) {
    need(lines.length < MAX_LINES, 409, `A study has at most ${MAX_LINES} lines.`);
    line = lines.length;
    studies.set(id, { ...find(id), lines: [...lines, asked] });
  }
  return { line, game: await begin(id, line) };
}

/** Refuses what Gamekeeper would refuse, before the line is in the tree. */
async function check(id: string, from: number, version: number, bot: Branch["bot"]): Promise<void> {
  const origin = find(id).lines[from]?.game;
  need(origin, 404, "There is no such line, or it has not begun.");
  const { players, ...game } = await infoOf(origin);
  const last = Number(game.version) - (game.status === GameStatus.FINISHED ? 1 : 0);
  need(version >= 1 && version <= last, 400, `This line can be left at versions 1 to ${last}.`);
  need(!bot || (LEVELS.includes(bot.level) && players.some(({ seat }) => seat === bot.seat)), 400, `A bot has a seat and a level: ${LEVELS.join(", ")}.`);
}

/**
 * The game of a line; the id of its request makes it only once. The line that it leaves ends: as long as a game is played, what
 * lies hidden in it is open to nobody, in its forks neither, and it has no record. Whoever wants to play on there leaves it at its end.
 */
async function begin(id: string, line: number): Promise<string> {
  const { author, lines } = find(id);
  const { game, ...asked } = lines[line]!;
  if (game !== undefined) {
    return game;
  }
  const { from, version, bot } = asked as Branch;
  const origin = await infoOf(await begin(id, from));
  if (origin.status !== GameStatus.FINISHED) {
    await gamekeeper.games.endGame({ gameId: origin.gameId, requestId: `${id}-${from}-end` });
  }
  const at = { atVersion: BigInt(version), requestId: `${id}-${line}`, labels: { study: id } };
  const made = bot ? await played(origin, at, { author, bot }) : await forked(origin, at, author);
  const study = find(id);
  studies.set(id, { ...study, lines: study.lines.map((one, number) => (number === line ? { ...asked, game: made } : one)) });
  return made;
}

/** The parts of a request that forks and imports have in common. */
interface At {
  atVersion: bigint;
  requestId: string;
  labels: Record<string, string>;
}

/** A fork, whose seats the author plays with the token for all own games. */
async function forked({ gameId, players }: GameInfo, { labels, ...at }: At, user: string): Promise<string> {
  const { game } = await gamekeeper.games.forkGame({ gameId, ...at });
  await gamekeeper.games.updateGame({ gameId: game!.gameId, players: players.map(({ seat }) => ({ seat, user })), setLabels: labels });
  return game!.gameId;
}

/** A game that goes on from the record of another, with a bot at one seat: forks have no bots. */
async function played({ gameId, players }: GameInfo, at: At, { author, bot }: { author: string; bot: NonNullable<Branch["bot"]> }): Promise<string> {
  const seated = players.map(({ seat, name }) => ({ name, ...(seat === bot.seat ? { bot: { policy: bot.level } } : { user: author }) }));
  async function* record() {
    yield { part: { case: "plan" as const, value: { ...at, players: seated } } };
    for await (const { part } of gamekeeper.export({ gameId })) {
      yield { part };
    }
  }
  return (await gamekeeper.games.importGame(record())).game!.gameId;
}

async function infoOf(gameId: string): Promise<GameInfo> {
  return (await gamekeeper.games.getGame({ gameId })).table!.game!;
}

/** Reads what happened after a version in this line, and in all that branch off there: as the author's seat saw it. */
export async function continuations(id: string, line: number, version: number) {
  const { lines, seat } = find(id);
  need(lines[line], 404, "There is no such line.");
  const beside = lines.map((one, number) => ({ ...one, line: number })).filter((one) => one.line === line || (one.from === line && one.version === version));
  const viewer = { kind: ViewerKind.SEAT, seat };
  return Promise.all(
    beside.map(async ({ line, title, bot, game: gameId }) => {
      const asked = { gameId: gameId ?? "", viewer, afterVersion: BigInt(version), pageSize: 1, show: { text: true } };
      const entries = gameId === undefined ? [] : (await gamekeeper.games.listEvents(asked)).entries;
      return { line, title, bot, happened: entries.flatMap(({ events }) => events.map(({ text }) => text)).filter((text) => text !== "") };
    }),
  );
}

/** Writes something beside a version of a line. */
export function comment(id: string, author: string, { line, version, ...said }: Study["comments"][number]): void {
  const [study, text] = [own(id, author), cleaned(said.text)];
  need(study.lines[line], 404, "There is no such line.");
  need(version >= 1 && text !== "" && text.length <= MAX_TEXT, 400, `A comment has a version, and 1 to ${MAX_TEXT} characters.`);
  need(study.comments.length < MAX_COMMENTS, 409, `A study has at most ${MAX_COMMENTS} comments.`);
  studies.set(id, { ...study, comments: [...study.comments, { line, version, text }] });
}

/** A token that shows a line to everybody who has the link. */
export async function lineToken(id: string, line: number): Promise<string> {
  const gameId = find(id).lines[line]?.game;
  need(gameId !== undefined, 404, "There is no such line.");
  return spectatorOf(gameId);
}

function own(id: string, author: string): Study {
  const study = find(id);
  need(study.author === author, 403, "Only the author changes a study.");
  return study;
}

function find(id: string): Study {
  const study = studies.get(id);
  need(study, 404, "There is no such study.");
  return study;
}
