// Keepers of documents that were removed lately, with those documents.
import { Problem, api } from "../api/client";
import type { Cluster, ClusterList, Store } from "../api/types";
import { announce, button, element, replace } from "../dom";
import { whole } from "../format";
import { text_box } from "../parts/comparison";
import { confirm_deletion } from "../parts/dialogs";
import { duplicate_table } from "../parts/duplicates";
import { document_link } from "../parts/names";
import { problem_box } from "../parts/problem";
import { Latest, was_aborted, type MakeView } from "../parts/view";
import { chosen_store, may_write, recipe_kind } from "../state";
import { words } from "../words/words";

const kPage = 20;
const kMost = 1000;

export const clusters_view: MakeView = (_, signal) => {
  const said = words();
  const store = chosen_store() as Store;
  const threshold = recipe_kind(store).fingerprint ? null : store.rule.threshold;
  const latest = new Latest(signal);
  let limit = kPage;
  const list = element("div", { id: "clusters" }, element("p", { class: "note" }, said.loading));
  const remembered = element("span", { class: "note" });

  async function load(): Promise<void> {
    try {
      show(await api.clusters(store.name, limit, latest.begin()));
    } catch (error) {
      if (!was_aborted(error)) replace(list, problem_box(error, () => void load()));
    }
  }

  function show({ clusters, remembered: count }: ClusterList): void {
    remembered.textContent = said.clusters_remembered(count);
    const more =
      clusters.length === limit &&
      limit < kMost &&
      button(said.show_more, () => {
        limit = Math.min(limit * 2, kMost);
        void load().then(() => list.querySelectorAll<HTMLElement>(".cluster h2 a, .cluster h2 span")[clusters.length]?.focus());
      });
    replace(list, clusters.length ? clusters.map(cluster_card) : element("p", { class: "nothing" }, said.clusters_none), more);
  }

  function cluster_card(cluster: Cluster): HTMLElement {
    const { keeper_id: id } = cluster;
    const text = element("div", { class: "keeper-text" });
    const open = button(said.keeper_text, () => void toggle(), { "aria-expanded": "false" });
    const remove = button(said.delete_keeper, () => confirm_deletion(store.name, id, cluster.removed, deleted), {
      class: "delete",
      disabled: !may_write(),
      title: may_write() ? null : said.needs_write,
    });

    const is_open = (): boolean => open.getAttribute("aria-expanded") === "true";

    async function toggle(): Promise<void> {
      const opened = is_open();
      open.setAttribute("aria-expanded", String(!opened));
      open.textContent = opened ? said.keeper_text : said.hide_text;
      replace(text);
      if (opened) return;
      try {
        const { text: found } = await api.document(store.name, id, signal);
        if (!is_open()) return;  // hidden meanwhile
        replace(text, found === null || found === undefined ? element("p", { class: "note" }, said.document_no_text) : text_box(found, said.keeper_text));
      } catch (error) {
        if (was_aborted(error) || !is_open()) return;
        replace(text, error instanceof Problem && error.status === 404 ? element("p", { class: "note" }, said.copy_keeper_missing) : problem_box(error));
      }
    }

    function deleted(was_stored: boolean): void {
      const message = was_stored ? `${said.deleted}. ${said.deleted_more}` : said.delete_gone;
      const note = element("p", { class: "note", tabindex: -1 }, message);
      card.classList.add("gone");
      replace(tools, note);
      replace(text);
      note.focus();
    }

    const tools = element("p", { class: "tools" }, open, remove);
    const card = element(
      "article",
      { class: "card cluster" },
      element(
        "div",
        { class: "cluster-head" },
        element("h2", {}, document_link(store.name, id)),
        element("span", { class: "note" }, `${said.cluster_removed(cluster.removed)} · ${said.sequence} ${whole(cluster.sequence)}`),
        tools,
      ),
      text,
      duplicate_table(cluster.duplicates, cluster.removed, threshold),
    );
    return card;
  }

  void load();
  const refresh = button(said.refresh, () => void load().then(() => announce(remembered.textContent ?? "")));
  const node = element(
    "div",
    { class: "view clusters" },
    element("h1", { tabindex: -1 }, said.clusters),
    element("p", { class: "lead" }, said.clusters_lead),
    element("div", { class: "bar" }, refresh, remembered),
    list,
  );
  return { node };
};
