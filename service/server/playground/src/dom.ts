// Making elements.

type Child = Node | string | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

/** A new element. Attributes that are functions listen to the event of their name. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/** Puts these children into an element, in place of what was there. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
}

/** The element with this id, which the page has. */
export function place<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** Does this when the form with this id is sent. */
export function submit(id: string, then: () => Promise<void>): void {
  place(id).addEventListener("submit", (event) => {
    event.preventDefault();
    void then();
  });
}

let ids = 0;

/** An id that no other element has. */
export function freshId(): string {
  ids += 1;
  return `f${ids}`;
}
