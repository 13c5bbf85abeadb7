// Finds texts of a drawing whose color is too much like what is below them.

/** Returns the texts without enough contrast (WCAG 2, AA) in the drawing on the page, in words. */
export function pale(page) {
  return page.evaluate(() => {
    /** The contrast of small letters and of large ones, and the least size of those. */
    const [SMALL, LARGE, LARGE_SIZE] = [4.5, 3, 18];
    const channels = (color) => color.match(/[\d.]+/g).slice(0, 3).map((value) => value / 255);
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const luminance = (color) => channels(color).map(linear).reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (one, other) => {
      const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    };
    const isGround = (element) => ["rect", "circle", "use", "polygon"].includes(element.localName) && getComputedStyle(element).fill.startsWith("rgb");
    const drawing = document.querySelector("svg");
    const faults = new Set();
    for (const text of drawing.querySelectorAll("text")) {
      if (text.closest("[opacity], defs") !== null) continue;
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const under = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2);
      const ground = under.slice(under.indexOf(text) + 1).find(isGround);
      if (!under.includes(text) || ground === undefined) continue;
      const { fill, fontSize } = getComputedStyle(text);
      const is = contrast(fill, getComputedStyle(ground).fill);
      if (is < (parseFloat(fontSize) >= LARGE_SIZE ? LARGE : SMALL)) {
        faults.add(`"${text.textContent}": ${fill} on ${getComputedStyle(ground).fill} has a contrast of ${is.toFixed(2)}`);
      }
    }
    return [...faults];
  });
}
