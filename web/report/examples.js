// Texts: the least similar removals, the largest clusters, the passages that documents share.
const OPEN_EXAMPLES = 3;
let side_by_side = innerWidth >= 640;

function least_section({ run, least_similar }) {
  const examples = least_similar || [];
  if (!examples.length) return section("least", say("least"), nothing(say("least_none")));
  const boxes = examples.map((example, index) => removal_box(run, example, index));
  const tools = element("div", { class: "tools" },
    choice(say("view"), ["sides", "merged"], side_by_side ? "sides" : "merged", (name) => {
      side_by_side = name === "sides";
      for (const box of boxes) box.classList.toggle("is-merged", !side_by_side);
    }, (name) => say(`view_${name}`)),
    element("button", { type: "button", onclick: () => open_all(boxes, true) }, say("open_all")),
    element("button", { type: "button", onclick: () => open_all(boxes, false) }, say("close_all")));
  return section("least", say("least"), lead(say(run.measure === "distance" ? "least_lead_distance" : "least_lead")), difference_legend(), tools, boxes);
}

function open_all(boxes, open) {
  for (const box of boxes) box.open = open;
}

// The texts are laid out when the box is opened for the first time.
function removal_box(run, { removed, keeper, similarity, distance, parts }, index) {
  const box = element("details", { class: `removal${side_by_side ? "" : " is-merged"}`, id: `removal-${index + 1}` },
    element("summary", {}, element("span", { class: "rank" }, `${index + 1}`), element("span", { class: "score" }, score(run, similarity, distance)),
      element("span", { class: "names" }, name_of(removed), element("span", { "aria-hidden": "true" }, " → "), name_of(keeper))));
  when_opened(box, () => [
    !has_changes(parts) && element("p", { class: "note" }, say(parts ? "same_text" : "texts_missing")),
    parts && element("div", { class: "sides" }, side_view(parts, "-", say("removed_document"), removed), side_view(parts, "+", say("kept_document"), keeper)),
    parts && merged_view(parts),
    run.directory && element("p", { class: "note more-about" }, `${say("explain")} `, element("code", {}, `neardup explain ${shell_word(run.directory)} ${shell_word(document_name(removed))}`)),
  ]);
  if (index < OPEN_EXAMPLES) box.open = true;
  return box;
}

function when_opened(box, content) {
  let filled = false;
  box.addEventListener("toggle", fill);
  // Printing opens all boxes at once, and the event comes too late for it.
  box.fill = fill;
  function fill() {
    if (filled || !box.open) return;
    filled = true;
    add_children(box, content());
  }
}

const score = (run, similarity, distance) =>
  distance !== null && distance !== undefined ? say("distance_of", distance, run.bits) : similarity_text(similarity);

function groups_section({ run, clusters }) {
  const groups = clusters || [];
  if (!groups.length) return section("groups", say("groups"), nothing(say("groups_none")));
  return section("groups", say("groups"), lead(say("groups_lead")), difference_legend(), groups.map((group, index) => group_box(run, group, index)));
}

function group_box(run, { keeper, size, excerpt, members }, index) {
  const box = element("details", { class: "group", id: `group-${index + 1}` },
    element("summary", {}, element("span", { class: "rank" }, `${index + 1}`), element("span", { class: "score" }, say("group_size", size)),
      element("span", { class: "names" }, name_of(keeper)), excerpt && quoted(cut(excerpt, 160), "span", { class: "excerpt" })));
  when_opened(box, () => [
    excerpt && element("div", { class: "text kept-text", dir: "auto" }, excerpt),
    element("p", { class: "note" }, say("group_members", members.length, size - 1)),
    alike(members).map((same) => element("div", { class: "member" },
      element("p", {}, element("span", { class: "score" }, score(run, same[0].similarity, same[0].distance)), " ", same.flatMap((member, at) => [at > 0 && say("list_between"), name_of(member)])),
      has_changes(same[0].parts) ? merged_view(same[0].parts) : element("p", { class: "note" }, say(same[0].parts ? "same_text" : "texts_missing")))),
  ]);
  if (index === 0) box.open = true;
  return box;
}

// Members with the same differences stand together.
function alike(members) {
  const groups = new Map();
  for (const member of members) {
    const key = JSON.stringify([member.similarity, member.parts]);
    groups.set(key, [...(groups.get(key) || []), member]);
  }
  return [...groups.values()];
}

function passages_section({ passages }) {
  const rows = passages || [];
  if (!rows.length) return section("passages", say("passages"), nothing(say("passages_none")));
  const number = (key, title, value, cell, wide = false) => ({ key, title, kind: "number", wide, value, cell });
  const columns = [
    { key: "text", title: say("passage"), kind: "text", class: "passage", value: (row) => row.text, cell: (row) => quoted(row.text, "div", { class: "clamped" }) },
    number("documents", say("passage_documents"), (row) => row.documents, (row) => [whole(row.documents), element("span", { class: "note" }, percent(part(row.documents, row.sampled)))]),
    number("removals", say("passage_removals"), (row) => row.removals, (row) => whole(row.removals ?? NaN), true),
    number("without", say("passage_without"), (row) => row.without, (row) => [whole(row.without ?? NaN), row.removals > 0 && element("span", { class: "note" }, percent(part(row.without, row.removals), 0))]),
  ];
  return section("passages", say("passages"), lead(say("passages_lead", rows[0].sampled)), sortable("passages", columns, rows, { label: say("passages"), first: "documents" }));
}
