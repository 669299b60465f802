// Two texts side by side, with only their differences marked, and steps from one difference to the next.
import { announce, button, element, quoted, type Child } from "../dom";
import { whole } from "../format";
import { differences, kMostSegments, type Part } from "../text/difference";
import { words } from "../words/words";

/** Equal parts longer than both together are cut in the middle. */
const kContext = 240;

export interface Comparison {
  node: HTMLElement;
  next(): void;
  previous(): void;
}

export function comparison(left: string, right: string): Comparison {
  const said = words();
  const parts = differences(left, right);
  const heading = element("h3", {}, said.differences);
  if (!parts) {
    return { node: element("div", { class: "comparison" }, heading, element("p", { class: "note" }, said.too_long(kMostSegments))), next() {}, previous() {} };
  }
  const changed = parts.filter((part) => !part.equal).length;
  const has_long = parts.some((part) => part.equal && part.left.length > 2 * kContext);
  let whole_texts = false;
  let current = -1;

  const panes = (["left", "right"] as const).map((side) =>
    element("div", { class: `pane ${side}`, tabindex: 0, role: "group", "aria-label": side === "left" ? said.side_yours : said.side_keeper, dir: "auto" }),
  );
  const place = element("span", { class: "place" });
  const back = button(said.previous, () => step(-1), { class: "previous", "aria-keyshortcuts": "p" });
  const forth = button(said.next, () => step(1), { class: "next", "aria-keyshortcuts": "n" });
  const all = element("input", { type: "checkbox", id: "whole-texts", onchange: () => show_whole(all.checked) });

  function fill(): void {
    panes.forEach((pane, index) => pane.replaceChildren(...drawn(parts as Part[], index === 0 ? "left" : "right", whole_texts)));
  }

  function show_whole(shown: boolean): void {
    whole_texts = shown;
    fill();
    if (current >= 0) mark_current();
  }

  function step(direction: 1 | -1): void {
    if (!changed) return;
    current = current < 0 ? (direction > 0 ? 0 : changed - 1) : (current + direction + changed) % changed;
    mark_current();
    announce(said.difference_of(current + 1, changed));
  }

  function mark_current(): void {
    place.textContent = said.difference_of(current + 1, changed);
    for (const pane of panes) {
      pane.querySelector(".current")?.classList.remove("current");
      const mark = pane.querySelector<HTMLElement>(`[data-difference="${current}"]`);
      if (!mark) continue;
      mark.classList.add("current");
      // Within the pane only: the page stays where it is.
      const top = mark.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
      pane.scrollTop = Math.max(0, top - pane.clientHeight / 3);
    }
    const box = panes[0]?.parentElement;
    const seen = box?.getBoundingClientRect();
    if (box && seen && (seen.top > innerHeight - 80 || seen.bottom < 80)) box.scrollIntoView({ block: "center" });
  }

  fill();
  place.textContent = changed ? said.difference_count(changed) : said.difference_none;
  const side = (title: string, legend: string, pane: HTMLElement | undefined, kind: string): Child =>
    element("div", { class: "side" }, element("h4", {}, title, changed > 0 && element("span", { class: "legend" }, element("mark", { class: kind }, legend))), pane);
  const node = element(
    "div",
    { class: "comparison" },
    element(
      "div",
      { class: "bar" },
      heading,
      place,
      changed > 0 && element("span", { class: "tools" }, back, forth),
      has_long && element("label", { class: "inline", for: "whole-texts" }, all, said.whole_texts),
    ),
    element("div", { class: "sides" }, side(said.side_yours, said.legend_yours, panes[0], "left"), side(said.side_keeper, said.legend_keeper, panes[1], "right")),
  );
  return { node, next: () => step(1), previous: () => step(-1) };
}

function drawn(parts: Part[], side: "left" | "right", whole_texts: boolean): Node[] {
  const nodes: Node[] = [];
  let difference = -1;
  parts.forEach((part, index) => {
    const text = part[side];
    if (!part.equal) {
      ++difference;
      // A place for what only the other side has.
      nodes.push(element("mark", { class: text ? side : `${side} gap`, "data-difference": difference }, text));
    } else if (whole_texts) {
      nodes.push(document.createTextNode(text));
    } else {
      nodes.push(...around(text, index > 0, index + 1 < parts.length));
    }
  });
  return nodes;
}

/** An equal part without its middle, or without the end that is next to no difference. Equal parts are cut alike on both sides. */
function around(text: string, after: boolean, before: boolean): Node[] {
  const head = after ? kContext : 0;
  const tail = before ? kContext : 0;
  if (text.length <= 2 * kContext || (!after && !before)) return [document.createTextNode(text)];
  const from = character_start(text, head);
  const to = character_start(text, text.length - tail);
  const left_out = element("span", { class: "left-out" }, `⋯ ${words().left_out(to - from)} ⋯`);
  return [document.createTextNode(text.slice(0, from)), left_out, document.createTextNode(text.slice(to))];
}

/** Not within a surrogate pair. */
function character_start(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** A long text in a box that scrolls. */
export const text_box = (text: string, label: string): HTMLElement =>
  element("div", { class: "pane", tabindex: 0, role: "group", "aria-label": label, dir: "auto" }, text);

/** Passages that two texts share; all but the first few are shown on demand. */
export function passage_list(passages: { text: string; tokens: number }[]): HTMLElement {
  const said = words();
  const kFirst = 5;
  const list = element("ol", { class: "passages" });
  const row = (passage: { text: string; tokens: number }): HTMLElement =>
    element("li", {}, quoted(passage.text, { class: "passage" }), " ", element("span", { class: "note" }, said.passage_tokens(passage.tokens)));
  list.append(...passages.slice(0, kFirst).map(row));
  const more =
    passages.length > kFirst &&
    button(said.show_all(passages.length), () => {
      list.append(...passages.slice(kFirst).map(row));
      list.tabIndex = -1;
      list.focus();
      if (more) more.remove();
    });
  return element(
    "div",
    {},
    element("h3", {}, said.passages, passages.length > 0 && element("span", { class: "count" }, whole(passages.length))),
    passages.length ? element("p", { class: "note" }, said.passages_lead) : element("p", { class: "note" }, said.passages_none),
    list,
    more,
  );
}
