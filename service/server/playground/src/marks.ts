// Frames around components of a drawing, in a layer above it.

const SVG = "http://www.w3.org/2000/svg";

/** The distance of a frame from the component inside, in units of the drawing. */
const GAP = 3;

/** The reason why a component has a frame: an action points at it, it was picked, or a new event touched it. */
export type Reason = "pointed" | "picked" | "happened";

export class Marks {
  readonly #layer = document.createElementNS(SVG, "g");

  constructor(private readonly drawing: SVGSVGElement) {
    this.#layer.setAttribute("aria-hidden", "true");
    this.#layer.setAttribute("class", "marks");
    drawing.append(this.#layer);
  }

  /** Frames these components, and no others for this reason. */
  set(reason: Reason, components: Iterable<string>): void {
    this.#layer.querySelectorAll(`.${reason}`).forEach((frame) => frame.remove());
    for (const component of new Set(components)) {
      const element = componentOf(this.drawing, component);
      if (element !== undefined) {
        this.#layer.append(...frames(element, reason));
      }
    }
  }
}

/** The element of a component, if it is drawn. */
export function componentOf(drawing: SVGSVGElement, component: string): SVGGElement | undefined {
  return drawing.querySelector<SVGGElement>(`[data-component="${CSS.escape(component)}"]`) ?? undefined;
}

/** Two frames, so that one of them stands out from whatever is below. */
function frames(element: SVGGElement, reason: Reason): Element[] {
  const { x, y, width, height } = element.getBBox();
  const moved = element.transform.baseVal.consolidate()?.matrix;
  return ["ground", "line"].map((part) => {
    const frame = document.createElementNS(SVG, "rect");
    const values = { x: x - GAP + (moved?.e ?? 0), y: y - GAP + (moved?.f ?? 0), width: width + 2 * GAP, height: height + 2 * GAP, rx: 6 };
    Object.entries(values).forEach(([name, value]) => frame.setAttribute(name, String(value)));
    frame.setAttribute("class", `${reason} ${part}`);
    return frame;
  });
}
