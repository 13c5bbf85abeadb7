// The table as the server draws it, to look at, to point at and to choose from.

import type { Viewer } from "./address.js";
import { fill, place } from "./dom.js";
import type { Game } from "./game.js";
import { componentOf, Marks } from "./marks.js";
import { glide, type Places, placesOf } from "./motion.js";
import { nearest } from "./nearest.js";
import type { Drawn } from "./watch.js";

/** The widths of drawings, and the share of its own width that one may be shrunk to. */
const [WIDE, TABLET, PHONE] = [1200, 800, 390];
const SHRUNK = 0.9;

/** The widest drawing that has room in its place. */
function room(): number {
  const { clientWidth } = place("drawing");
  return [WIDE!, TABLET!].find((width) => clientWidth >= width * SHRUNK) ?? PHONE!;
}

/** The time for which the board marks the components of new events, in milliseconds. */
const SHOWN = 4_000;

/** The reactions to clicks and keys on the components of the drawing. */
export interface Picking {
  pick(component: string, byKeyboard: boolean): void;
  clear(): void;
}

export class Drawing {
  #svg: SVGSVGElement | undefined;
  /** The text of the drawing. */
  #source = "";
  #marks: Marks | undefined;
  #titles = new Map<string, string>();
  /** The number of actions that touch each component. */
  #touched = new Map<string, number>();
  #picking: Picking | undefined;
  #looks = 0;
  #happened: string[] = [];
  /** The drawing of the last version, and the places of its components. */
  #drawn: { version: number; width: number; places: Places } | undefined;
  #ending: ReturnType<typeof setTimeout> | undefined;
  /** The style of the drawing. The page's policy refuses styles in elements, but not through the object model. */
  readonly #style = new CSSStyleSheet();

  /** `redraw` is called when another drawing fits its place. */
  constructor(redraw: () => void) {
    document.adoptedStyleSheets.push(this.#style);
    new ResizeObserver(() => this.#drawn !== undefined && this.#drawn.width !== room() && redraw()).observe(place("drawing"));
    place("drawing").addEventListener("click", (event) => this.#svg !== undefined && this.#hit(event));
    place("drawing").addEventListener("keydown", (event) => this.#press(event));
    place("widen").addEventListener("click", () => {
      const wide = place("table").classList.toggle("wide");
      place("widen").setAttribute("aria-pressed", String(wide));
    });
  }

  /** Reports what is picked to this. */
  serve(picking: Picking): void {
    this.#picking = picking;
  }

  /** Another game. */
  begin(): void {
    this.#happened = [];
    this.#drawn = undefined;
  }

  /** The table as this viewer sees it now. */
  async show(game: Game, viewer: Viewer): Promise<void> {
    const look = ++this.#looks;
    const width = room();
    const drawn = await game.drawing(viewer, width);
    const name = `The table as ${game.viewerName(viewer)} sees it`;
    // What is there already may be moving.
    const isThere = drawn?.source === this.#source && name === this.#svg?.getAttribute("aria-label");
    if (drawn !== undefined && look === this.#looks && !isThere) {
      this.#draw(drawn.source, name);
      this.#move(drawn, width);
    }
  }

  /** Shows what a new version has moved. */
  #move({ version, movements }: Drawn, width: number): void {
    const [svg, before] = [this.#svg!, this.#drawn];
    const places = placesOf(svg);
    this.#drawn = { version, width, places };
    if (before !== undefined && before.version < version && before.width === width) {
      glide(svg, before.places, places, movements);
    }
  }

  #draw(source: string, name: string): void {
    this.#source = source;
    const [style, rules = ""] = /<style>([^]*?)<\/style>/.exec(source) ?? [""];
    this.#style.replaceSync(rules);
    const parsed = new DOMParser().parseFromString(source.replace(style, () => ""), "image/svg+xml");
    const svg = parsed.documentElement as Element as SVGSVGElement;
    svg.setAttribute("aria-label", name);
    const focused = place("drawing").contains(document.activeElement) ? (document.activeElement as SVGElement).dataset.component : undefined;
    fill(place("drawing"), svg);
    this.#svg = svg;
    this.#marks = new Marks(svg);
    this.#marks.set("happened", this.#happened);
    this.#titles = new Map();
    for (const element of svg.querySelectorAll<SVGGElement>("[data-component]")) {
      this.#titles.set(element.dataset.component!, element.querySelector("title")?.textContent ?? "");
    }
    this.#offer();
    if (focused !== undefined) {
      (componentOf(svg, focused)?.hasAttribute("tabindex") ? componentOf(svg, focused) : svg.querySelector<SVGGElement>("[tabindex]"))?.focus();
    }
  }

  /** Returns the name of a component, without its effect; undefined if it is not drawn. */
  title(component: string): string | undefined {
    return this.#titles.get(component)?.split(": ", 1)[0];
  }

  /** Offers components to choose from, with the number of actions that touch each. */
  offer(touched: Map<string, number>): void {
    this.#touched = touched;
    this.#offer();
  }

  #offer(): void {
    let first = true;
    for (const element of this.#svg?.querySelectorAll<SVGGElement>("[data-component]") ?? []) {
      const count = this.#touched.get(element.dataset.component!) ?? 0;
      element.classList.toggle("can", count > 0);
      if (count === 0) {
        ["role", "tabindex", "aria-label"].forEach((name) => element.removeAttribute(name));
        continue;
      }
      const actions = count === 1 ? "1 action" : `${count} actions`;
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", first ? "0" : "-1");
      element.setAttribute("aria-label", `${this.#titles.get(element.dataset.component!)}; ${actions}`);
      first = false;
    }
  }

  /** Leads the keyboard back to a component. */
  focus(component: string): void {
    if (this.#svg !== undefined) {
      componentOf(this.#svg, component)?.focus();
    }
  }

  /** Marks what was picked. */
  picked(components: string[]): void {
    this.#marks?.set("picked", components);
  }

  /** Marks what an action touches. */
  point(components: string[]): void {
    this.#marks?.set("pointed", components);
  }

  /** Shows for a moment where something has happened. */
  happened(components: string[]): void {
    if (components.length > 0) {
      clearTimeout(this.#ending);
      this.#happened = components;
      this.#marks?.set("happened", components);
      this.#ending = setTimeout(() => this.#end(), SHOWN);
    }
  }

  #end(): void {
    this.#happened = [];
    this.#marks?.set("happened", []);
  }

  /** A press on the drawing. What has no action of its own does not hide what is below it. */
  #hit({ target, clientX, clientY }: MouseEvent): void {
    const under = [target as Element, ...document.elementsFromPoint(clientX, clientY)];
    const found = under.map((element) => element.closest<SVGGElement>("[data-component]")).find((element) => this.#canPick(element));
    this.#pick(found ?? this.#around(clientX, clientY), false);
  }

  /** The smallest component that can be chosen around a point, such as between a picture and its number. */
  #around(x: number, y: number): SVGGElement | undefined {
    const size = ({ width, height }: DOMRect) => width * height;
    const boxes = [...this.#svg!.querySelectorAll<SVGGElement>("[tabindex]")].map((element) => ({ element, box: element.getBoundingClientRect() }));
    const around = boxes.filter(({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
    return around.sort((one, other) => size(one.box) - size(other.box))[0]?.element;
  }

  #canPick(element: SVGGElement | null): boolean {
    return element !== null && this.#touched.has(element.dataset.component!);
  }

  #pick(element: SVGGElement | null | undefined, byKeyboard: boolean): void {
    if (element?.dataset.component !== undefined) {
      this.#picking?.pick(element.dataset.component, byKeyboard);
    } else {
      this.#picking?.clear();
    }
  }

  #press(event: KeyboardEvent): void {
    const focused = (event.target as Element).closest<SVGGElement>("[tabindex]");
    if (focused === null) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#pick(focused, true);
      return;
    }
    const others = [...this.#svg!.querySelectorAll<SVGGElement>("[tabindex]")];
    const next = nearest(focused, others, event.key);
    if (next !== undefined) {
      event.preventDefault();
      focused.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  }
}
