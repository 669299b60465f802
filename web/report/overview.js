// The head of the report: what was removed, and why.
const PARTS_OF_READ = [
  ["kept", (summary) => summary.kept],
  ["exact", (summary) => summary.exact_copies],
  ["near", (summary) => summary.near_duplicates],
  ["contained", (summary) => summary.contained],
  ["connected", (summary) => summary.connected],
  ["rejected", (summary) => summary.rejected],
];

function overview_section({ run, summary, search, resources }) {
  const { read, removed, kept } = summary;
  const counts = PARTS_OF_READ.map(([kind, count]) => [kind, count(summary) || 0]).filter(([kind, count]) => count > 0 || kind === "kept");
  const seconds = total_seconds(summary);
  const largest = summary.largest_cluster;
  return section("overview", removed > 0 ? say("headline", removed, read, percent(part(removed, read))) : say("headline_none", read),
    element("p", { class: "lead" }, recipe_line(run, summary), summary.estimated ? ` ${say("estimated_note")}` : ""),
    element("div", { class: "whole" }, bar(counts.map(([kind, count]) => [kind, part(count, read)]), { class: "bar large" }),
      element("ul", { class: "keys" }, counts.map(([kind, count]) =>
        element("li", {}, element("span", { class: `key ${kind}`, "aria-hidden": "true" }), `${say(kind)} `, element("b", {}, whole(count)), ` ${percent(part(count, read))}`)))),
    element("dl", { class: "cards" },
      card("read", whole(read), bytes(summary.text_bytes)),
      card("kept", whole(kept), say("kept_of", percent(part(kept, read)))),
      card("removed", whole(removed), percent(part(removed, read))),
      card("clusters", whole(summary.clusters), null),
      largest && card("largest", whole(largest.size), say("largest_note", name_of(keeper_of(largest)))),
      card("missed", ...missed_card(search)),
      seconds > 0 && card("run_time", duration(seconds), say("per_second", bytes(summary.text_bytes / seconds))),
      resources.peak_memory_bytes > 0 && card("memory", bytes(resources.peak_memory_bytes), null)));
}

function card(key, value, note) {
  return element("div", { class: `card ${key}` }, element("dt", {}, say(key)), element("dd", {}, element("span", { class: "figure" }, value), note && element("span", { class: "note" }, note)));
}

function missed_card(search) {
  if (search.missed) return [about(search.missed.pairs), say("missed_range", about(search.missed.low), about(search.missed.high))];
  if (exact_search(search)) return [whole(0), say("missed_exact")];
  return [NOTHING, null];
}

const exact_search = ({ kind }) => kind === "exact" || kind === "distance";

function recipe_line(run, summary) {
  const name = run.recipe_name || summary.recipe_name || run.recipe_id;
  if (run.measure === "distance") return say("recipe_line_distance", name, run.max_distance, run.bits);
  return say("recipe_line", name, measure_name(run), bound_text(run.threshold));
}

const measure_name = (run) => say(`measure_${run.measure in MEASURES ? run.measure : "jaccard"}`);
const MEASURES = { jaccard: 1, containment: 1, cosine: 1, "weighted-jaccard": 1, distance: 1, none: 1 };

const total_seconds = (summary) => (summary.passes || []).reduce((sum, pass) => sum + pass.seconds, 0);
const keeper_of = (largest) => ({ id: largest.keeper_id, source: largest.keeper_source, row: largest.keeper_row });
