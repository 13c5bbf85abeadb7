// The game in the address of the page, and the feed that it follows, so that reloading, going back and links lead there.
//
// Everything stands behind the `#`: browsers keep that part to themselves, so no server and no log sees a
// token.

/** The viewer: a seat, or 0 for a spectator. */
export type Viewer = number;

/** The games of a feed or a list: conditions, of which the empty ones do not count. */
export interface Filter {
  ruleset: string;
  user: string;
  /** `key=value`. */
  label: string;
}

/** A feed that the page follows. */
export interface Following extends Filter {
  /** The cursor of the last message; empty: the feed has not begun yet. */
  cursor: string;
}

/** A game, and the seats that are played here. */
export interface Table {
  ruleset: string;
  game: string;
  /** The tokens of seats, by seat; empty where the server runs without tokens. */
  seats: Map<number, string>;
  /** The token of spectators, if there is one. */
  spectator: string;
  /** The last viewer. */
  viewer: Viewer | undefined;
  /** Whether the drawer for developers is open. */
  developer?: boolean;
  /** The feed that this page follows beside it. */
  following?: Following | undefined;
}

/** More seats than this are not read from an address. */
const MOST_SEATS = 16;

/** Returns the fragment of the address, without the `#`. */
export function fragment(table: Table): string {
  const fields = new URLSearchParams({ ruleset: table.ruleset, game: table.game });
  for (const [seat, token] of table.seats) {
    fields.append(`seat${seat}`, token);
  }
  if (table.spectator !== "") {
    fields.append("spectator", table.spectator);
  }
  if (table.viewer !== undefined) {
    fields.append("view", String(table.viewer));
  }
  if (table.developer === true) {
    fields.append("developer", "");
  }
  addFeed(fields, table.following);
  return fields.toString();
}

/** The field of each part of a feed. */
const FEED: [keyof Following, string][] = [
  ["cursor", "feed"],
  ["ruleset", "feed-ruleset"],
  ["user", "feed-user"],
  ["label", "feed-label"],
];

function addFeed(fields: URLSearchParams, following: Following | undefined): void {
  for (const [part, field] of FEED) {
    // The cursor says that there is a feed at all.
    if (following !== undefined && (part === "cursor" || following[part] !== "")) {
      fields.append(field, following[part]);
    }
  }
}

/** The feed that an address names, if it names one. */
export function followingOf(hash: string): Following | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const [cursor, ruleset, user, label] = FEED.map(([, field]) => fields.get(field)) as (string | null)[];
  return typeof cursor === "string" ? { cursor, ruleset: ruleset ?? "", user: user ?? "", label: label ?? "" } : undefined;
}

/** The address of the page has this feed from now on, or none. */
export function keepFollowing(following: Following | undefined): void {
  const fields = new URLSearchParams(location.hash.replace(/^#/, ""));
  for (const [, field] of FEED) {
    fields.delete(field);
  }
  addFeed(fields, following);
  history.replaceState(null, "", `#${fields}`);
}

/** The game that an address names, if it names one. */
export function tableOf(hash: string): Table | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const game = fields.get("game") ?? "";
  if (game === "") {
    return undefined;
  }
  const seats = new Map<number, string>();
  for (let seat = 1; seat <= MOST_SEATS; seat += 1) {
    const token = fields.get(`seat${seat}`);
    if (token !== null) {
      seats.set(seat, token);
    }
  }
  const viewer = Number(fields.get("view") ?? Number.NaN);
  return {
    ruleset: fields.get("ruleset") ?? "",
    game,
    seats,
    spectator: fields.get("spectator") ?? "",
    viewer: Number.isInteger(viewer) && viewer >= 0 ? viewer : undefined,
  };
}

/** The address of the page with this game, for others to open. */
export function link(table: Table): string {
  const address = new URL(location.href);
  address.hash = fragment(table);
  return address.href;
}
