// Whom to tell what: the webhooks of `gamekeeper forward`, signed with LOBBY_WEBHOOK_SECRET. Each counts once, whatever crashes when.

import { Webhook } from "standardwebhooks";

import { DurableMap } from "./durable.js";
import { need } from "./refusal.js";

/** The number of notices that an account sees. */
const SHOWN = 50;

interface Notice {
  user: string;
  kind: "your_turn" | "due_soon" | "proposal" | "over";
  game: string;
  version: number;
  seat: number;
  /** When the time of the decision runs out; null without a clock. */
  due: string | null;
  time: string;
}

const secret = process.env["LOBBY_WEBHOOK_SECRET"];
const webhooks = secret ? new Webhook(secret) : undefined;

/** By the id of the webhook, which is the same when it comes again. */
const notices = new DurableMap<Notice>("notices");

/** Takes a webhook. Send an e-mail or a push message here, with the id as its key. */
export function receive(body: string, headers: Record<string, string>): void {
  need(webhooks, 404, "There is nothing here.");
  let webhook;
  try {
    webhook = webhooks.verify(body, headers) as { timestamp: string; data: Omit<Notice, "time"> };
  } catch {
    need(false, 401, "The signature is wrong.");
  }
  const id = headers["webhook-id"] ?? "";
  if (webhook.data.user && !notices.has(id)) {
    notices.set(id, { ...webhook.data, time: webhook.timestamp });
  }
}

/** The notices of an account, the newest first. */
export function noticesOf(account: string): (Omit<Notice, "user"> & { id: string })[] {
  const own = [...notices].filter(([, { user }]) => user === account);
  return own.slice(-SHOWN).reverse().map(([id, { user: _, ...notice }]) => ({ id, ...notice }));
}
