// Components that have moved glide to their new place, above everything else; so does a copy of what an event moves between others.

import { componentOf } from "./marks.js";
import type { Movement } from "./watch.js";

const SVG = "http://www.w3.org/2000/svg";

/** Some people get sick of what moves. */
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** The duration of a component's glide, in milliseconds. */
const DURATION = 450;

/** The least distance of a move, in units of the drawing: below it, a component has only become wider, such as a number. */
const LEAST = 12;

/** The middle of every component, in units of the drawing. */
export type Places = Map<string, { x: number; y: number }>;

const componentsOf = (drawing: SVGSVGElement) => drawing.querySelectorAll<SVGGElement>("[data-component]");

/** Returns the places of the components of a drawing on the page. */
export function placesOf(drawing: SVGSVGElement): Places {
  return new Map(
    [...componentsOf(drawing)].map((element) => {
      const { x, y, width, height } = element.getBBox();
      return [element.dataset.component!, { x: x + width / 2, y: y + height / 2 }];
    }),
  );
}

/** Lets the components of a drawing glide from where they were before, and what events have moved from place to place. */
export function glide(drawing: SVGSVGElement, before: Places, now: Places, movements: Movement[]): void {
  if (STILL.matches) {
    return;
  }
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "gliding");
  layer.setAttribute("aria-hidden", "true");
  const gone = new Set<Element>();
  for (const element of componentsOf(drawing)) {
    const [from, to] = [before, now].map((places) => places.get(element.dataset.component!));
    // What lies on a component goes with it.
    const carried = [...gone].some((other) => other.contains(element));
    if (from === undefined || to === undefined || carried || Math.hypot(from.x - to.x, from.y - to.y) < LEAST) {
      continue;
    }
    gone.add(element);
    element.animate({ opacity: [0, 0] }, DURATION);
    send(layer, copyOf(element), [from, to].map(({ x, y }) => ({ x: x - to.x, y: y - to.y })));
  }
  for (const { component, from, to } of movements) {
    const [element, at] = [componentOf(drawing, component), now.get(component)];
    const ends = [before.get(from) ?? now.get(from), now.get(to) ?? before.get(to)].filter((end) => end !== undefined);
    if (element === undefined || at === undefined || gone.has(element) || ends.length < 2 || Math.hypot(ends[0]!.x - ends[1]!.x, ends[0]!.y - ends[1]!.y) < LEAST) {
      continue;
    }
    const copy = copyOf(element);
    copy.dataset.sent = component;
    delete copy.dataset.copy;
    send(layer, copy, ends.map(({ x, y }) => ({ x: x - at.x, y: y - at.y })));
  }
  drawing.append(layer);
}

/** Lets a copy glide from one point to another, both relative to its own place. */
function send(layer: Element, copy: SVGGElement, path: { x: number; y: number }[]): void {
  layer.append(copy);
  const transform = path.map(({ x, y }) => `translate(${x}px, ${y}px)`);
  copy.animate({ transform }, { duration: DURATION, easing: "ease-in-out", fill: "backwards" }).addEventListener("finish", () => copy.remove());
}

/** A component to look at only: it is not found, chosen or read aloud. */
function copyOf(element: SVGGElement): SVGGElement {
  const copy = document.createElementNS(SVG, "g");
  copy.dataset.copy = element.dataset.component!;
  copy.append(element.cloneNode(true));
  for (const part of copy.querySelectorAll("[data-component]")) {
    ["data-component", "class", "role", "tabindex", "aria-label"].forEach((name) => part.removeAttribute(name));
  }
  return copy;
}
