// The stored documents, page by page: #/documents?store=news&after=120.
import { api } from "../api/client";
import type { DocumentPage, Store, StoredDocument } from "../api/types";
import { element, replace } from "../dom";
import { moment, whole } from "../format";
import { document_link } from "../parts/names";
import { problem_box } from "../parts/problem";
import { was_aborted, type MakeView } from "../parts/view";
import { link } from "../router";
import { chosen_store } from "../state";
import { words } from "../words/words";

const kPage = 50;

export const documents_view: MakeView = ({ parameters }, signal) => {
  const said = words();
  const store = chosen_store() as Store;
  const given = parameters.get("after");
  const after = given !== null && /^\d{1,15}$/.test(given) ? Number(given) : null;
  const list = element("div", {}, element("p", { class: "note" }, said.loading));

  async function load(): Promise<void> {
    try {
      show(await api.documents(store.name, after, kPage, signal));
    } catch (error) {
      if (!was_aborted(error)) replace(list, problem_box(error, () => void load()));
    }
  }

  function show({ documents, next }: DocumentPage): void {
    const expiring = documents.some((each) => each.expires !== null);
    const titles = [said.sequence, said.id, said.kept_at, ...(expiring ? [said.expires] : [])];
    const at = (time: number | null): HTMLElement | string =>
      time === null ? said.never : element("time", { datetime: new Date(time).toISOString() }, moment(time));
    const row = (each: StoredDocument): HTMLElement =>
      element(
        "tr",
        {},
        element("td", { class: "number" }, whole(each.sequence)),
        element("th", { scope: "row" }, document_link(store.name, each.id)),
        element("td", { class: "time" }, at(each.time)),
        expiring && element("td", { class: "time" }, at(each.expires)),
      );
    const table = element(
      "table",
      { class: "documents" },
      element("thead", {}, element("tr", {}, titles.map((title, index) => element("th", { scope: "col", class: index === 0 ? "number" : null }, title)))),
      element("tbody", {}, documents.map(row)),
    );
    replace(
      list,
      documents.length ? element("section", { class: "card" }, table) : element("p", { class: "nothing" }, after === null ? said.documents_none : said.documents_end),
      element(
        "p",
        { class: "tools" },
        after !== null && element("a", { class: "button", href: link("documents", { store: store.name }) }, said.first_page),
        next !== null && element("a", { class: "button next-page", href: link("documents", { store: store.name, after: next }) }, said.newer),
      ),
    );
  }

  void load();
  const node = element("div", { class: "view documents" }, element("h1", { tabindex: -1 }, said.documents), element("p", { class: "lead" }, said.documents_lead), list);
  return { node };
};
