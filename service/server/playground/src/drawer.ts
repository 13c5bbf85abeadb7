// The drawer for developers: fields, code, text board and any action. Closed, nothing in it is asked for.

import { followingOf } from "./address.js";
import { place } from "./dom.js";

/** The word in the address of the page while the drawer is open. */
const OPEN = "developer";

/** Returns whether the drawer is open. */
export function isDrawerOpen(): boolean {
  return !place("developer").hidden;
}

/** Opens the drawer if the address says so, and serves its button; `changed` is called when it was opened or closed. */
export function serveDrawer(changed: () => void): void {
  const button = place("developer-button");
  const set = (open: boolean) => {
    place("developer").hidden = !open;
    document.body.classList.toggle("developer", open);
    button.setAttribute("aria-expanded", String(open));
  };
  // The panel of the feed is in the drawer.
  set(new URLSearchParams(location.hash.slice(1)).has(OPEN) || followingOf(location.hash) !== undefined);
  button.addEventListener("click", () => {
    set(!isDrawerOpen());
    changed();
  });
}
