// How much time is left.

import type { ReflectMessage } from "@bufbuild/protobuf/reflect";

import { has, inside, number } from "./calls.js";

/** The time in a field, in milliseconds. */
export function timeOf(message: ReflectMessage, name: string): number {
  const time = inside(message, name);
  return number(time, "seconds") * 1_000 + number(time, "nanos") / 1_000_000;
}

/** Milliseconds until the time of a decision runs out, at this time of the server. */
export function until(owed: ReflectMessage, now: number): number | undefined {
  return has(owed, "due") ? timeOf(owed, "due") - now : undefined;
}

/** Hours, minutes and seconds. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, ...rest] = parts;
  const told = hours! > 0 ? parts : rest;
  return told.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
