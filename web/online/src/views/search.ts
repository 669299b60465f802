// Texts of a clue index that contain a clue, or something close to it.
import { api } from "../api/client";
import type { Clue, ClueIndex, ClueMode, Hit, Hits } from "../api/types";
import { announce, button, element, quoted, replace, type Child } from "../dom";
import { bytes, percent, shortened, similarity, whole } from "../format";
import { note_box, problem_box } from "../parts/problem";
import { Latest, was_aborted, type MakeView } from "../parts/view";
import { link } from "../router";
import { chosen_index } from "../state";
import { words } from "../words/words";

// Survives a change of the view or of the language.
let typed = { clue: "", mode: "contains" as ClueMode, edits: "", threshold: "0.8", limit: "20" };
let result: { index: string; clue: Clue; hits: Hits } | null = null;

/** After signing out. */
export function forget_search(): void {
  typed = { clue: "", mode: "contains", edits: "", threshold: "0.8", limit: "20" };
  result = null;
}

export const search_view: MakeView = (_, signal) => {
  const said = words();
  const index = chosen_index() as ClueIndex;
  const latest = new Latest(signal);
  const clue = element("textarea", { id: "clue", rows: 3, placeholder: said.clue_hint, spellcheck: "false", dir: "auto", "data-focus": true, oninput: () => (typed.clue = clue.value) });
  clue.value = typed.clue;
  const pick = (name: "mode" | "edits" | "threshold" | "limit", options: [string, string][]): HTMLSelectElement => {
    const made = element(
      "select",
      {
        id: name,
        onchange: () => {
          typed = { ...typed, [name]: made.value };
          show_options();
        },
      },
      options.map(([value, title]) => element("option", { value }, title)),
    );
    made.value = typed[name];
    return made;
  };
  const mode = pick("mode", [
    ["contains", said.mode_contains],
    ["resembles", said.mode_resembles],
  ]);
  const share = (value: number): [string, string] => [String(value), said.edits_share(percent(value, 0))];
  const edits = pick("edits", [["", said.edits_exact], share(0.05), share(0.1), share(0.2), share(0.3)]);
  const threshold = pick("threshold", ["0.5", "0.6", "0.7", "0.8", "0.9"].map((value) => [value, value]));
  const limit = pick("limit", ["20", "100", "500"].map((value) => [value, value]));
  const field = (label: string, input: HTMLElement): HTMLElement => element("div", { class: "field" }, element("label", { for: input.id }, label), input);
  const edits_field = field(said.edits, edits);
  const threshold_field = field(said.threshold, threshold);
  const search = button(said.search_run, () => void run(), { class: "primary ask", "aria-keyshortcuts": "Control+Enter" });
  const answers = element("div", { id: "answer" });

  function show_options(): void {
    edits_field.hidden = mode.value !== "contains";
    threshold_field.hidden = mode.value !== "resembles";
  }

  async function run(): Promise<void> {
    if (!clue.value.trim()) {
      replace(answers, note_box(said.clue_missing, null));
      clue.focus();
      return;
    }
    const asked: Clue = { clue: clue.value, mode: mode.value as ClueMode, limit: Number(limit.value) };
    if (asked.mode === "resembles") asked.threshold = Number(threshold.value);
    else if (edits.value !== "") asked.edits = Number(edits.value);
    const current = latest.begin();
    result = null;
    replace(answers, element("p", { class: "note busy" }, said.searching));
    announce(said.searching);
    try {
      const hits = await api.search(index.name, asked, current);
      result = { index: index.name, clue: asked, hits };
      replace(answers, hit_list(result));
      announce(hits.hits.length ? said.hits(hits.hits.length) : said.hits_none);
    } catch (error) {
      if (!was_aborted(error)) replace(answers, problem_box(error, () => void run()));
    }
  }

  show_options();
  if (result && result.index === index.name) replace(answers, hit_list(result));
  const node = element(
    "div",
    { class: "view search" },
    element("h1", { tabindex: -1 }, said.search),
    element("p", { class: "lead" }, said.search_lead, " ", element("span", { class: "note" }, said.index_texts(index.texts))),
    element(
      "section",
      { class: "card form" },
      element("label", { for: "clue" }, said.clue),
      clue,
      element("div", { class: "fields" }, field(said.mode, mode), edits_field, threshold_field, field(said.limit, limit), search),
    ),
    answers,
  );
  return { node, run: () => void run() };
};

function hit_list({ index, clue, hits }: { index: string; clue: Clue; hits: Hits }): HTMLElement {
  const said = words();
  return element(
    "section",
    { class: "card" },
    element("h2", { tabindex: -1 }, hits.hits.length ? said.hits(hits.hits.length) : said.hits_none),
    element("p", { class: `certainty ${hits.certainty}` }, certainty(hits)),
    hits.more && element("p", { class: "more" }, said.hits_more),
    element("ol", { class: "hits" }, hits.hits.map((hit) => hit_row(index, clue.mode, hit))),
  );
}

/** What may be missing. An answer that leaves texts out is not called complete. */
function certainty(hits: Hits): string {
  const said = words();
  if (hits.certainty === "likely") return hits.more ? said.certainty_likely_more : said.certainty_likely(percent(hits.predicted_recall));
  if (hits.more) return said.certainty_exact_more;
  return hits.certainty === "scan" ? said.certainty_scan : said.certainty_exact;
}

function hit_row(index: string, mode: ClueMode, hit: Hit): HTMLElement {
  const said = words();
  const facts = [
    mode === "resembles" ? `${said.similarity} ${similarity(hit.similarity)}` : hit.edits ? said.hit_edits(hit.edits) : said.hit_exact,
    hit.occurrences > 1 ? said.hit_occurrences(hit.occurrences) : "",
    bytes(hit.text_bytes),
  ];
  const name = hit.name || whole(hit.id);
  return element(
    "li",
    { class: "hit" },
    element(
      "p",
      { class: "hit-head" },
      element("a", { class: "name", href: link("text", { index, text: hit.id, begin: hit.begin, end: hit.end }), title: said.open_text }, quoted(shortened(name))),
      element("span", { class: "note" }, facts.filter(Boolean).join(" · ")),
    ),
    element("blockquote", { dir: "auto" }, element("mark", { class: "found" }, shortened(hit.passage, 1200))),
    hit.differences && element("p", { class: "changes" }, element("span", { class: "note" }, said.hit_differences), " ", quoted_changes(hit.differences)),
  );
}

/** "[-of the clue-]{+of the text+}" with marks in place of the brackets. */
function quoted_changes(text: string): HTMLElement {
  const said = words();
  const box = element("bdi", { dir: "auto", class: "passage" });
  let last = 0;
  for (const found of text.matchAll(/\[-(.*?)-\]|\{\+(.*?)\+\}/gs)) {
    const parts: Child[] = [text.slice(last, found.index)];
    if (found[1] !== undefined) parts.push(element("del", { title: said.only_clue }, found[1]));
    else parts.push(element("ins", { title: said.only_text }, found[2] ?? ""));
    for (const part of parts) box.append(part as Node | string);
    last = found.index + found[0].length;
  }
  box.append(text.slice(last));
  return box;
}
