// A similarity as a bar with its number, and where the threshold is.
import { element } from "../dom";
import { bound, similarity } from "../format";
import { words } from "../words/words";

export function similarity_bar(value: number, threshold: number | null = null): HTMLElement {
  const filled = element("span", { class: "filled" });
  filled.style.width = `${Math.min(Math.max(value, 0), 1) * 100}%`;
  const mark = threshold === null ? null : element("span", { class: "mark" });
  if (mark && threshold !== null) mark.style.left = `${threshold * 100}%`;
  return element(
    "span",
    { class: "similarity", title: threshold === null ? null : words().threshold_mark(bound(threshold)) },
    element("span", { class: "scale", "aria-hidden": "true" }, filled, mark),
    element("span", { class: "number" }, similarity(value)),
  );
}
