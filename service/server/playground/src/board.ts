// The panel with the board: the table as the server draws it, as wide as there is room.

import { inside, text } from "./calls.js";
import type { Viewer } from "./address.js";
import { spans } from "./ansi.js";
import type { Desk } from "./desk.js";
import { fill, h, place } from "./dom.js";
import type { Game } from "./game.js";

/** The columns that a board may have, as `BoardStyle` says. */
const [FEWEST, MOST] = [40, 400];

/** The columns for which boards are made. With fewer, some leave out what has no room, such as a map. */
const USUAL = 80;

/** The number of characters that are measured at once. */
const SAMPLE = 100;

/** The smallest letters, in pixels. */
const SMALLEST = 5;

export class Board {
  #columns = 0;

  /** `redraw` is called when the board must be drawn for another width. */
  constructor(
    private readonly desk: Desk,
    redraw: () => void,
  ) {
    const resized = () => {
      this.#scale();
      if (this.#columns !== 0 && this.#wanted() !== this.#columns) {
        redraw();
      }
    };
    new ResizeObserver(resized).observe(place("board-frame"));
    place("size").addEventListener("change", resized);
  }

  /** The table as this viewer sees it now. */
  async show(game: Game, viewer: Viewer): Promise<void> {
    this.#columns = this.#wanted();
    const call = await game.look(viewer, { board: { columns: this.#columns, colored: true } });
    fill(place("board"), ...spans(text(inside(call.answer, "table"), "board")));
    place("board").setAttribute("aria-label", `The table as ${game.viewerName(viewer)} sees it`);
    this.#scale();
    const who = viewer === 0 ? "--spectator" : `--seat ${viewer}`;
    this.desk.snippets.show("views", { ...call, command: `show ${game.id} ${who}` });
  }

  /** The number of columns that the board shall have. */
  #wanted(): number {
    const room = this.#room();
    place("size-choice").hidden = room >= USUAL;
    return room >= USUAL || this.#size === "room" ? room : USUAL;
  }

  get #size(): string {
    return place<HTMLSelectElement>("size").value;
  }

  /** The number of columns that have room. */
  #room(): number {
    return Math.min(MOST, Math.max(FEWEST, Math.floor(this.#width() / this.#letter())));
  }

  /** The pixels between the paddings of the board. */
  #width(): number {
    const { paddingLeft, paddingRight } = getComputedStyle(place("board"));
    return place("board").clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  }

  /** The width of a letter at full size. */
  #letter(): number {
    const ruler = h("span", { class: "ruler" }, "0".repeat(SAMPLE));
    place("board-frame").append(ruler);
    const width = ruler.getBoundingClientRect().width / SAMPLE;
    ruler.remove();
    return width || 8;
  }

  /** Draws a board in small letters, if that is wanted and it is too wide otherwise. */
  #scale(): void {
    const board = place("board");
    board.style.fontSize = "";
    const over = board.scrollWidth - board.clientWidth;
    if (over > 0 && this.#size === "small") {
      const room = this.#width();
      const full = parseFloat(getComputedStyle(board).fontSize);
      board.style.fontSize = `${Math.max(SMALLEST, Math.floor((full * room * 20) / (room + over)) / 20)}px`;
    }
  }
}
