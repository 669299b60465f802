// What was removed lately because of a keeper. The texts are not stored: their ids, similarities and times are all that is left.
import type { Duplicate } from "../api/types";
import { button, element, quoted } from "../dom";
import { moment, shortened } from "../format";
import { words } from "../words/words";
import { reason_badge } from "./names";
import { similarity_bar } from "./similarity";

const kFirst = 6;

/** `removed`: of the remembered ones, which may be more than are listed. */
export function duplicate_table(duplicates: Duplicate[], removed: number, threshold: number | null): HTMLElement {
  const said = words();
  const row = (each: Duplicate): HTMLElement =>
    element(
      "tr",
      {},
      element("th", { scope: "row", class: "name" }, quoted(shortened(each.id))),
      element("td", {}, reason_badge(each.reason)),
      element("td", { class: "of-similarity" }, similarity_bar(each.similarity, threshold)),
      element("td", { class: "time" }, element("time", { datetime: new Date(each.time).toISOString() }, moment(each.time))),
    );
  const body = element("tbody", {}, duplicates.slice(0, kFirst).map(row));
  const rest = duplicates.length - kFirst;
  const more =
    rest > 0 &&
    button(said.duplicates_more(rest), () => {
      const rows = duplicates.slice(kFirst).map(row);
      body.append(...rows);
      const first = rows[0]?.firstElementChild as HTMLElement | undefined;
      if (first) {
        first.tabIndex = -1;
        first.focus();
      }
      if (more) more.remove();
    });
  return element(
    "div",
    {},
    element(
      "table",
      { class: "duplicates" },
      element("thead", {}, element("tr", {}, [said.duplicates, said.verdict, said.similarity, said.removed_at].map((title) => element("th", { scope: "col" }, title)))),
      body,
    ),
    more,
    removed > duplicates.length && element("p", { class: "note" }, said.duplicates_latest(duplicates.length, removed)),
  );
}
