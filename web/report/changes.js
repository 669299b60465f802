// What kinds of change sampled removals have.
function changes_section({ changes }) {
  const kinds = (changes?.kinds || []).filter(([, count]) => count > 0);
  if (!kinds.length) return section("changes", say("changes"), nothing(say("changes_none")));
  const rows = kinds.map(([kind, count]) => ({ kind, count, name: say(`change_${kind}`) || kind }));
  const columns = [
    { key: "kind", title: say("change"), kind: "text", value: (row) => row.name, cell: (row) => [row.name, " ", element("span", { class: "note" }, say(`change_${row.kind}_note`) || "")] },
    { key: "count", title: say("change_removals"), kind: "number", value: (row) => row.count, cell: (row) => [whole(row.count), element("span", { class: "note" }, percent(part(row.count, changes.removals)))] },
  ];
  return section("changes", say("changes"), lead(say("changes_lead", changes.removals)), sortable("changes", columns, rows, { label: say("changes"), first: "count" }));
}
