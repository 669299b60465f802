// DOM elements. Texts and ids only ever become text nodes or plain attributes, so that none is read as markup.

export type Child = Node | string | null | undefined | false | Child[];
type Listener = (event: never) => void;
/** Names that begin with "on" are listeners; null, undefined and false leave an attribute out; true gives it no value. */
export type Attributes = Record<string, string | number | boolean | null | undefined | Listener>;

/** element("td", {class: "number"}, "text", another_element, null) */
export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      made.addEventListener(name.slice(2), value as EventListener);
      continue;
    }
    // Addresses are ours: a place in this page, or a path of this server.
    if (name === "href" && !/^(#|\/(?!\/))/.test(String(value))) throw new Error("an address of another origin");
    made.setAttribute(name, value === true ? "" : String(value));
  }
  add(made, children);
  return made;
}

export function add(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(parent, child);
    else parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  add(parent, children);
}

/** A text of someone else: in a direction of its own, so that it does not reorder what is around it. */
export const quoted = (text: string, attributes: Attributes = {}): HTMLElement => element("bdi", { dir: "auto", ...attributes }, text);

export const button = (label: Child, press: () => void, attributes: Attributes = {}): HTMLButtonElement =>
  element("button", { type: "button", onclick: press, ...attributes }, label);

let announcements: HTMLElement | null = null;

/** The region whose text screen readers say. */
export function announcer(): HTMLElement {
  announcements ??= element("div", { id: "announcements", class: "unseen", role: "status", "aria-live": "polite" });
  return announcements;
}

export function announce(text: string): void {
  announcer().textContent = text;
}
