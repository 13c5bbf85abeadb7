// Text with ANSI escape sequences (ECMA-48 SGR) as elements. Other escape sequences are left out.

import { h } from "./dom.js";

/** The eight colors of terminals and their bright variants, readable on the dark ground of a board. */
const PALETTE = [
  ...["#8b949e", "#ff8b83", "#7ee08a", "#e8c15a", "#8ab4ff", "#e3a6ff", "#6fd6e6", "#e6e6e6"],
  ...["#a6adb5", "#ffa9a3", "#a2edaa", "#f5d684", "#accaff", "#eec6ff", "#9ae6f1", "#ffffff"],
];

/** The steps of the color cube of 256 colors. */
const STEPS = [0, 95, 135, 175, 215, 255];

/** The style of a piece of text. */
interface Look {
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underlined: boolean;
  reversed: boolean;
  color: string;
  ground: string;
}

const PLAIN: Look = { bold: false, dim: false, italic: false, underlined: false, reversed: false, color: "", ground: "" };

/** The text as spans, one for each piece that looks alike. */
export function spans(text: string): (HTMLElement | string)[] {
  const pieces: (HTMLElement | string)[] = [];
  let look = PLAIN;
  let at = 0;
  for (const found of text.matchAll(/\x1b\[([\d;:]*)([@-~])/g)) {
    pieces.push(...piece(text.slice(at, found.index), look));
    if (found[2] === "m") {
      look = changed(look, found[1]!.split(/[;:]/).map(Number));
    }
    at = found.index + found[0].length;
  }
  pieces.push(...piece(text.slice(at), look));
  return pieces;
}

function piece(text: string, look: Look): (HTMLElement | string)[] {
  if (text === "" || look === PLAIN) {
    return text === "" ? [] : [text];
  }
  const names = ["bold", "dim", "italic", "underlined", "reversed"] as const;
  const element = h("span", { class: names.filter((name) => look[name]).join(" ") }, text);
  // Set through the object model: the page's policy refuses styles in attributes.
  element.style.color = look.color;
  element.style.background = look.ground;
  return [element];
}

function changed(before: Look, codes: number[]): Look {
  let look = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at]!;
    if (code === 38 || code === 48) {
      const [color, taken] = extended(codes.slice(at + 1));
      look = { ...look, [code === 38 ? "color" : "ground"]: color };
      at += taken;
    } else {
      look = code === 0 ? PLAIN : { ...look, ...change(code) };
    }
  }
  return look;
}

function change(code: number): Partial<Look> {
  switch (code) {
    case 1:
      return { bold: true };
    case 2:
      return { dim: true };
    case 3:
      return { italic: true };
    case 4:
      return { underlined: true };
    case 7:
      return { reversed: true };
    case 22:
      return { bold: false, dim: false };
    case 23:
      return { italic: false };
    case 24:
      return { underlined: false };
    case 27:
      return { reversed: false };
    case 39:
      return { color: "" };
    case 49:
      return { ground: "" };
    default:
      return basic(code);
  }
}

function basic(code: number): Partial<Look> {
  const bright = code >= 90;
  const place = (bright ? code - 90 : code - 30) % 10;
  const color = PALETTE[place + (bright ? 8 : 0)];
  const group = Math.floor(code / 10);
  if (place < 0 || place > 7 || color === undefined) {
    return {};
  }
  return group === 3 || group === 9 ? { color } : group === 4 || group === 10 ? { ground: color } : {};
}

/** The color after 38 or 48, and how many numbers say it. */
function extended([kind, first = 0, green = 0, blue = 0]: number[]): [string, number] {
  switch (kind) {
    case 5:
      return [indexed(first), 2];
    case 2:
      return [`rgb(${first} ${green} ${blue})`, 4];
    default:
      return ["", 0];
  }
}

/** A color of the 256: the palette, the cube, then grays. */
function indexed(index: number): string {
  if (index < 16) {
    return PALETTE[index] ?? "";
  }
  if (index >= 232) {
    const gray = 8 + 10 * (index - 232);
    return `rgb(${gray} ${gray} ${gray})`;
  }
  const cube = index - 16;
  const step = (size: number) => STEPS[Math.floor(cube / size) % 6];
  return `rgb(${step(36)} ${step(6)} ${step(1)})`;
}
