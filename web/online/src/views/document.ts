// One stored document with its text, and what was removed lately because of it: #/document?store=news&id=a1.
import { Problem, api } from "../api/client";
import type { Cluster, Store, StoredDocument } from "../api/types";
import { button, element, quoted, replace } from "../dom";
import { moment, shortened, whole } from "../format";
import { text_box } from "../parts/comparison";
import { confirm_deletion } from "../parts/dialogs";
import { duplicate_table } from "../parts/duplicates";
import { problem_box } from "../parts/problem";
import { was_aborted, type MakeView } from "../parts/view";
import { chosen_store, may_write, recipe_kind } from "../state";
import { words } from "../words/words";

export const document_view: MakeView = ({ parameters }, signal) => {
  const said = words();
  const store = chosen_store() as Store;
  const id = parameters.get("id") ?? "";
  const content = element("div", {}, element("p", { class: "note" }, said.loading));

  async function load(): Promise<void> {
    try {
      const [found, cluster] = await Promise.all([api.document(store.name, id, signal), cluster_of(store.name, id, signal)]);
      show(found, cluster);
    } catch (error) {
      if (!was_aborted(error)) replace(content, problem_box(error, () => void load()));
    }
  }

  function show(found: StoredDocument, cluster: Cluster | null): void {
    const text = found.text;
    const remove = button(said.delete, () => confirm_deletion(store.name, id, cluster?.removed ?? null, deleted), {
      class: "delete",
      disabled: !may_write(),
      title: may_write() ? null : said.needs_write,
    });
    const fact = (title: string, value: string): HTMLElement[] => [element("dt", {}, title), element("dd", {}, value)];
    const threshold = recipe_kind(store).fingerprint ? null : store.rule.threshold;
    replace(
      content,
      element(
        "section",
        { class: "card" },
        element(
          "dl",
          { class: "facts" },
          fact(said.sequence, whole(found.sequence)),
          fact(said.kept_at, moment(found.time)),
          fact(said.expires, found.expires === null ? said.never : moment(found.expires)),
        ),
        typeof text === "string"
          ? [element("h2", {}, said.document_text, element("span", { class: "count" }, said.characters([...text].length))), text_box(text, said.document_text)]
          : element("p", { class: "note" }, said.document_no_text),
        element("p", { class: "tools" }, remove),
      ),
      element(
        "section",
        { class: "card" },
        cluster && cluster.removed > 0
          ? duplicate_table(cluster.duplicates, cluster.removed, threshold)
          : [element("h2", {}, said.duplicates), element("p", { class: "note" }, said.document_clusters_none)],
      ),
    );
  }

  function deleted(was_stored: boolean): void {
    const title = element("h2", { tabindex: -1 }, was_stored ? said.deleted : said.delete_gone);
    replace(content, element("div", { class: "verdict new" }, title, was_stored && element("p", {}, said.deleted_more)));
    title.focus();
  }

  void load();
  const node = element(
    "div",
    { class: "view document" },
    element("p", { class: "kicker" }, said.document),
    element("h1", { tabindex: -1, class: "name" }, quoted(shortened(id, 300))),
    content,
  );
  return { node };
};

/** Null: nothing was removed because of it. */
async function cluster_of(store: string, id: string, signal: AbortSignal): Promise<Cluster | null> {
  try {
    return await api.cluster(store, id, signal);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}
