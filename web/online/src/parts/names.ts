// Links to documents and texts, and what stands next to them.
import { has_address } from "../api/client";
import { element, quoted } from "../dom";
import { shortened } from "../format";
import { link } from "../router";
import { words } from "../words/words";

export function document_link(store: string, id: string): HTMLElement {
  const name = quoted(shortened(id));
  if (!has_address(id)) return element("span", { class: "name", title: words().problem_address }, name);
  return element("a", { class: "name", href: link("document", { store, id }), title: id.length > 120 ? id.slice(0, 2000) : null }, name);
}

const kReasons = ["exact_copy", "near_duplicate", "unique", "short", "repeated"] as const;
export function reason_badge(reason: string | undefined): HTMLElement {
  const known = kReasons.find((each) => each === reason);
  return element("span", { class: `badge ${known ?? "refused"}` }, known ? words()[known] : words().refused_line);
}
