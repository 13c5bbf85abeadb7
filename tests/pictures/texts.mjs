// Finds texts of a drawing that cannot be read.

/** Returns the faults of the texts of the drawing on the page, in words. */
export function illegible(page) {
  return page.evaluate(() => {
    /** Letters may touch by this many pixels: their boxes are larger than they are. */
    const TOUCH = 1.5;
    /** The distance of the points of a text that are looked at. */
    const STEP = 3;
    const drawing = document.querySelector("svg");
    const sheet = drawing.getBoundingClientRect();
    const scale = sheet.width / drawing.viewBox.baseVal.width;
    const common = (one, other) => ({
      left: Math.max(one.left, other.left),
      right: Math.min(one.right, other.right),
      top: Math.max(one.top, other.top),
      bottom: Math.min(one.bottom, other.bottom),
    });
    const isArea = ({ left, right, top, bottom }) => right - left > TOUCH && bottom - top > TOUCH;

    // Everything in the order in which it is drawn, but for the rings; of texts the part from the top of capital letters to the base line.
    const drawn = [...drawing.querySelectorAll("text, rect, circle, polygon, polyline, path, use")].filter((element) => element.closest("defs, [pointer-events=none]") === null);
    const boxes = drawn.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      if (element.localName !== "text") return { element, left, right, top, bottom };
      const size = parseFloat(getComputedStyle(element).fontSize) * scale;
      const line = bottom - size * 0.21;
      return { element, text: element.textContent, left, right, top: line - size * 0.72, bottom: line };
    });

    const faults = [];
    for (const [index, one] of boxes.entries()) {
      if (one.text === undefined) continue;
      const quoted = `"${one.text}" of ${one.element.closest("[data-component]")?.dataset.component ?? "the table"}`;
      if (one.left < sheet.left || one.right > sheet.right || one.top < sheet.top || one.bottom > sheet.bottom) {
        faults.push(`${quoted} is cut off by the edge`);
      }
      const above = boxes.slice(index + 1).map((other) => ({ other, part: common(one, other) }));
      for (const { other, part } of above.filter(({ part }) => isArea(part))) {
        if (other.text !== undefined) {
          faults.push(`${quoted} and "${other.text}" overlap`);
        } else if (covers(other.element, part)) {
          faults.push(`${quoted} is covered by ${other.element.closest("[data-component]")?.dataset.component ?? other.element.localName}`);
        }
      }
    }
    return faults;

    /** Returns whether a part of the element is filled there. */
    function covers(element, { left, right, top, bottom }) {
      for (let x = left + TOUCH / 2; x < right; x += STEP) {
        for (let y = top + TOUCH / 2; y < bottom; y += STEP) {
          if (document.elementsFromPoint(x, y).includes(element)) return true;
        }
      }
      return false;
    }
  });
}
