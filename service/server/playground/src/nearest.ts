// Where an arrow key leads on a board.

/** The directions of the arrow keys. */
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The cost of a distance off the line, relative to one along it. */
const ASIDE = 2;

/** The nearest of the others in the direction of an arrow key; the next or previous one if there is none. */
export function nearest<Kind extends Element>(from: Kind, others: Kind[], key: string): Kind | undefined {
  const direction = ARROWS[key];
  if (direction === undefined) {
    return undefined;
  }
  const [right, down] = direction;
  const [x, y] = center(from);
  let best: { cost: number; element: Kind } | undefined;
  for (const element of others) {
    const [toX, toY] = center(element);
    const along = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down + (toY - y) * right);
    const cost = along + ASIDE * aside;
    if (element !== from && along > 1 && cost < (best?.cost ?? Infinity)) {
      best = { cost, element };
    }
  }
  return best?.element ?? others.at((others.indexOf(from) + right + down) % others.length);
}

function center(element: Element): [number, number] {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
