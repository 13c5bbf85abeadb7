// Drawings of watches, made whole.

import type { DrawingChanges, Table } from "../gen/v1.js";

/** The last drawing of each game of one stream. */
export class Drawings {
  readonly #last = new Map<string, string>();

  /** Makes the drawing of a table of its changes, if that is how it has come. */
  complete(table: Table): void {
    const { drawingChanges, game } = table;
    if (game === undefined) {
      return;
    }
    if (drawingChanges !== undefined) {
      table.drawing = redrawn(this.#last.get(game.gameId) ?? "", drawingChanges);
      table.drawingChanges = undefined;
    }
    if (table.drawing !== "") {
      this.#last.set(game.gameId, table.drawing);
    }
  }

  /** A game that is no longer followed. */
  forget(gameId: string): void {
    this.#last.delete(gameId);
  }
}

function redrawn(before: string, { parts }: DrawingChanges): string {
  const lines = before.split("\n");
  return parts.map(({ first, count, lines: newer }) => (count > 0 ? lines.slice(first, first + count).join("\n") : newer)).join("\n");
}
