// What each source lost, and to which.
// Sources in the matrix: as many as fit next to their names (.matrix .clipped) and the contents.
const MATRIX_SOURCES = 12;
const MATRIX_SOURCES_PHONE = 5;
const MATRIX_CELL = 56;
const matrix_sources = () => Math.max(MATRIX_SOURCES_PHONE, Math.min(MATRIX_SOURCES, Math.floor((innerWidth - (innerWidth > 1000 ? 560 : 320)) / MATRIX_CELL)));

const removed_of = (source) => (source.documents === null ? NaN : source.documents - source.kept);
const removed_share = (source) => (source.documents > 0 ? removed_of(source) / source.documents : NaN);

function sources_section({ sources, sources_left_out, max_removed, max_removed_given }, names) {
  const rows = sources.map((source, index) => ({ ...source, name: names[index], full: source.name })).filter(({ documents }) => documents !== null);
  if (!rows.length) return section("sources", say("sources"), nothing(say("no_sources")));
  const above = (row) => max_removed > 0 && removed_share(row) > max_removed;
  const number = (key, title, value, wide) => ({ key, title, kind: "number", wide, value, cell: (row) => whole(value(row)) });
  const columns = [
    { key: "name", title: say("source"), kind: "text", value: (row) => row.name, cell: (row) => quoted(row.name, "bdi", { class: "name", title: row.full }) },
    number("documents", say("documents"), (row) => row.documents),
    number("kept", say("kept"), (row) => row.kept, true),
    number("exact", say("exact"), (row) => row.exact, true),
    number("near", say("near"), (row) => row.near, true),
    {
      key: "share", title: say("removed_part"), kind: "number", value: removed_share,
      cell: (row) => [above(row) && element("span", { class: "mark", role: "img", "aria-label": say("above_bound"), title: say("above_bound") }, "▲"), " ", percent(removed_share(row))],
    },
    { key: "split", title: say("split"), kind: "number", wide: true, class: "split", value: removed_share, cell: (row) => bar([["kept", part(row.kept, row.documents)], ["exact", part(row.exact, row.documents)], ["near", part(row.near, row.documents)]]) },
  ];
  return section("sources", say("sources"), lead(max_removed > 0 && say(max_removed_given ? "sources_lead_given" : "sources_lead", bound_percent(max_removed))),
    sortable("sources", columns, rows, { label: say("sources"), first: "share", filter: (row) => row.full }),
    sources_left_out?.sources > 0 && element("p", { class: "note" }, say("sources_left_out", sources_left_out.sources, sources_left_out.documents)));
}

function losses_section({ sources, losses, sources_left_out }, names) {
  const pairs = (losses || []).filter(([, , count]) => count > 0);
  if (!pairs.length) return section("losses", say("losses"), nothing(say("losses_none")));
  const rows = pairs.map(([loser, winner, count]) => ({ loser, winner, count, share: part(count, sources[loser].documents) }));
  const name = (index) => quoted(names[index], "bdi", { class: "name", title: sources[index].name });
  const columns = [
    { key: "loser", title: say("loser"), kind: "text", value: (row) => names[row.loser], cell: (row) => name(row.loser) },
    { key: "winner", title: say("winner"), kind: "text", value: (row) => names[row.winner], cell: (row) => [name(row.winner), sources[row.winner].documents === null && ` (${say("reference")})`] },
    { key: "count", title: say("documents"), kind: "number", value: (row) => row.count, cell: (row) => whole(row.count) },
    { key: "share", title: say("loser_part"), kind: "number", wide: true, value: (row) => row.share, cell: (row) => percent(row.share) },
  ];
  const several = new Set(pairs.flatMap(([loser, winner]) => [loser, winner])).size > 1;
  const list = sortable("losses", columns, rows, { label: say("losses"), first: "count", filter: (row) => `${sources[row.loser].name} ${sources[row.winner].name}`, few: 10 });
  return section("losses", say("losses"), lead(several && say("losses_lead"), several && say("losses_diagonal")), several && matrix(sources, pairs, names), element("h3", {}, say("losses_all")), list,
    sources_left_out?.losses > 0 && element("p", { class: "note" }, say("losses_left_out", sources_left_out.losses)));
}

// The sources that lose and win most, the others as one.
function matrix(sources, pairs, names) {
  const most = matrix_sources();
  const involved = new Map();
  for (const [loser, winner, count] of pairs) for (const index of [loser, winner]) involved.set(index, (involved.get(index) || 0) + count);
  const ranked = [...involved].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([index]) => index);
  const others = ranked.length > most + 1;
  const shown = others ? ranked.slice(0, most) : ranked;
  const slots = new Map(shown.map((index, slot) => [index, slot]));
  const size = shown.length + (others ? 1 : 0);
  const cells = Array.from({ length: size }, () => new Array(size).fill(0));
  for (const [loser, winner, count] of pairs) cells[slots.get(loser) ?? size - 1][slots.get(winner) ?? size - 1] += count;
  const documents = shown.map((index) => sources[index].documents);
  if (others) documents.push(ranked.slice(most).reduce((sum, index) => sum + (sources[index].documents || 0), 0));
  const title = (slot) => (slot < shown.length ? names[shown[slot]] : say("other_sources"));
  const label = (slot) => (slot < shown.length ? String(slot + 1) : "…");
  const losing = cells.map((row) => row.some((count) => count > 0));
  return element("div", { class: "matrix" }, element("table", { "aria-label": say("losses_matrix") },
    element("thead", {}, element("tr", {}, element("td"), cells.map((row, slot) => element("th", { scope: "col", title: title(slot) }, element("span", { "aria-hidden": "true" }, label(slot)), element("span", { class: "unseen" }, title(slot)))))),
    element("tbody", {}, cells.map((row, loser) => element("tr", {},
      element("th", { scope: "row", title: title(loser) }, element("div", { class: "clipped" }, element("span", { class: "number-of", "aria-hidden": "true" }, label(loser)), quoted(title(loser)))),
      row.map((count, winner) => matrix_cell(count, losing[loser] ? part(count, documents[loser]) : NaN, say("loss_title", count, title(loser), title(winner)))))))));
}

function matrix_cell(count, share, title) {
  const cell = element("td", { class: count > 0 ? "hot" : null, title: count > 0 ? title : null }, count > 0 ? compact(count) : "");
  if (count > 0) {
    const strength = Number.isFinite(share) ? Math.sqrt(Math.min(share, 1)) : 0.2;
    cell.style.setProperty("--heat", `${Math.round(8 + 82 * strength)}%`);
    if (strength > 0.7) cell.classList.add("strong");
  }
  return cell;
}
