// What the players of a game say to each other. Gamekeeper keeps no chat: it belongs to the lobby.

import { EventEmitter, on } from "node:events";

import { nameOf } from "./accounts.js";
import { DurableMap } from "./durable.js";
import { need } from "./refusal.js";
import { playersOf } from "./tables.js";

/** The maximum number of characters of a message, and of messages of a game. */
const [MAX_LENGTH, MAX_MESSAGES] = [500, 1_000];

interface Message {
  /** From 1, in each game. */
  number: number;
  name: string;
  text: string;
  /** In milliseconds since the Unix epoch. */
  time: number;
}

/** By game and number. */
const stored = new DurableMap<Message & { game: string }>("chat");
const games = new Map<string, Message[]>();
for (const { game, ...message } of stored.values()) {
  messagesOf(game).push(message);
}
const news = new EventEmitter().setMaxListeners(0);

/** Returns a text without marks that change the direction of text: they could make it look like something else. */
export const cleaned = (text: string) => text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, " ").trim();

/** Says something; gives the number of the message. */
export function say(game: string, account: string, text: string): number {
  need(playersOf(game).includes(account), 403, "Only players of this game can write here.");
  const said = cleaned(text);
  need(said !== "" && said.length <= MAX_LENGTH, 400, `A message has 1 to ${MAX_LENGTH} characters.`);
  const messages = messagesOf(game);
  need(messages.length < MAX_MESSAGES, 409, "This game has no room for more messages.");
  const message = { number: messages.length + 1, name: nameOf(account), text: said, time: Date.now() };
  stored.set(`${game}/${message.number}`, { game, ...message });
  messages.push(message);
  news.emit(game);
  return message.number;
}

/** Yields the messages after a number, and then each new one, until `gone`. */
export function follow(game: string, account: string, after: number, gone: AbortSignal): AsyncGenerator<Message, void> {
  need(playersOf(game).includes(account), 403, "Only players of this game can read here.");
  return (async function* () {
    // Listens before it reads, so that nothing is missed between them.
    const said = on(news, game, { signal: gone });
    for (let next = after; ; await said.next()) {
      for (const message of messagesOf(game).slice(next)) {
        yield message;
        next = message.number;
      }
    }
  })();
}

function messagesOf(game: string): Message[] {
  const messages = games.get(game) ?? [];
  games.set(game, messages);
  return messages;
}
