// A long list of actions, chosen from in steps: first the kind, then what it touches.

import type { Entry } from "./listing.js";

/** As many actions are shown without another step. */
const FEW = 12;

/** A kind with no more actions than this is no step of its own. */
const FEWEST = 3;

/** The choices so far. */
export interface Picks {
  kind: string | undefined;
  /** Components that the action must touch. */
  components: string[];
}

export const NOTHING: Picks = { kind: undefined, components: [] };

/** One way to go on: a choice that leaves several actions. */
export interface Way {
  picks: Picks;
  /** The kind of its actions. */
  kind: string;
  /** The component that is chosen; undefined if the kind is. */
  component: string | undefined;
  count: number;
}

/** The content of one step: ways to go on, and actions that no way leads to. */
export interface Step {
  ways: Way[];
  entries: Entry[];
}

/** The actions that fit what was chosen. */
export function fitting(entries: Entry[], { kind, components }: Picks): Entry[] {
  return entries.filter((entry) => (kind === undefined || entry.kind === kind) && components.every((one) => entry.components.includes(one)));
}

/** The next step to one of the actions that are left. */
export function nextStep(left: Entry[], picks: Picks): Step {
  if (left.length <= FEW) {
    return { ways: [], entries: left };
  }
  const kinds = grouped(left, ({ kind }) => [kind]);
  return kinds.size > 1 ? byKind(kinds, picks) : byComponent(left, picks);
}

function byKind(kinds: Map<string, Entry[]>, picks: Picks): Step {
  const many = [...kinds].filter(([, entries]) => entries.length > FEWEST);
  const few = [...kinds.values()].filter((entries) => entries.length <= FEWEST);
  const ways = many.map(([kind, { length }]) => ({ picks: { ...picks, kind }, kind, component: undefined, count: length }));
  return { ways, entries: few.flat() };
}

/** By the sort of component that leaves the least to read: spaces, cards or dice. */
function byComponent(left: Entry[], picks: Picks): Step {
  let best: { cost: number; sort: string; groups: Map<string, Entry[]> } | undefined;
  for (const sort of new Set(left.flatMap(({ components }) => components.map(sortOf)))) {
    const groups = grouped(left, ({ components }) => components.filter((one) => sortOf(one) === sort && !picks.components.includes(one)));
    const sizes = [...groups.values()].map(({ length }) => length);
    const apart = left.filter((entry) => !touches(entry, groups)).length;
    const cost = groups.size + Math.max(0, ...sizes) + apart;
    if (groups.size > 1 && cost < Math.min(left.length, best?.cost ?? Infinity)) {
      best = { cost, sort, groups };
    }
  }
  if (best === undefined) {
    return { ways: [], entries: left };
  }
  const { groups } = best;
  const ways = [...groups]
    .filter(([, entries]) => entries.length > 1)
    .map(([component, entries]) => ({
      picks: { ...picks, components: [...picks.components, component] },
      kind: entries[0]!.kind,
      component,
      count: entries.length,
    }));
  const led = new Set(ways.flatMap(({ component }) => groups.get(component)!));
  return { ways, entries: left.filter((entry) => !led.has(entry)) };
}

function touches({ components }: Entry, groups: Map<string, Entry[]>): boolean {
  return components.some((one) => groups.has(one));
}

/** Returns the sort of a component: the part of its name before the colon. */
function sortOf(component: string): string {
  return component.split(":", 1)[0]!;
}

/** Actions by each of their keys, in the order of the list. */
export function grouped(entries: Entry[], keys: (entry: Entry) => string[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const key of new Set(keys(entry))) {
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, [entry]);
      } else {
        group.push(entry);
      }
    }
  }
  return groups;
}
