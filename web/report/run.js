// The run itself: limits that it met, its time and memory, recipe and command.
function limits_section({ summary }) {
  const { capped_documents, largest_group, candidate_documents, verifications, near_duplicates, short_texts, protected_documents, spared, slices } = summary;
  const each = near_duplicates > 0 && verifications > 0 ? fixed(verifications / near_duplicates, 1) : null;
  const rows = [
    [say("limit_capped"), element("span", { class: capped_documents > 0 ? "alert" : null }, whole(capped_documents)), say("limit_capped_meaning", capped_documents)],
    [say("limit_group"), whole(largest_group), say("limit_group_meaning")],
    [say("limit_candidates"), whole(candidate_documents), say("limit_candidates_meaning")],
    [say("limit_verifications"), whole(verifications), say("limit_verifications_meaning", each)],
    short_texts > 0 && [say("limit_short"), whole(short_texts), say("limit_short_meaning")],
    protected_documents > 0 && [say("limit_protected"), whole(protected_documents), say("limit_protected_meaning", spared)],
    slices > 1 && [say("limit_slices"), whole(slices), say("limit_slices_meaning")],
  ].filter(Boolean);
  return section("limits", say("limits"), lead(say("limits_lead")), plain_table([say("limit"), say("value"), say("meaning")], rows, { label: say("limits"), numbers: [1] }));
}

function resources_section({ summary, resources }) {
  const passes = resources.passes || summary.passes || [];
  const longest = Math.max(1e-9, ...passes.map(({ seconds }) => seconds));
  const rows = passes.map(({ name, seconds, bytes: size }) => [pass_name(name), fixed(seconds, 2), bytes(size), seconds > 0 ? `${bytes(size / seconds)}/s` : NOTHING, bar([["time", seconds / longest]])]);
  const total = passes.reduce((sum, { seconds }) => sum + seconds, 0);
  rows.push([element("b", {}, say("total")), element("b", {}, fixed(total, 2)), bytes(summary.text_bytes), total > 0 ? `${bytes(summary.text_bytes / total)}/s` : NOTHING, ""]);
  return section("resources", say("resources"),
    element("div", { class: "passes" }, plain_table([say("pass"), say("seconds"), say("data"), say("throughput"), ""], rows, { label: say("resources"), numbers: [1, 2, 3] })),
    facts([
      [say("memory_peak"), bytes(resources.peak_memory_bytes)],
      [say("spilled"), resources.spilled_bytes > 0 ? bytes(resources.spilled_bytes) : say("none")],
      [say("text_read"), bytes(summary.text_bytes)],
      [say("threads"), whole(resources.threads)],
      resources.kernels && [say("kernels"), resources.kernels],
    ]));
}

const pass_name = (name) => (`pass_${name}` in WORDS[language] ? [say(`pass_${name}`), " ", element("span", { class: "note" }, name)] : name);
const facts = (rows) => element("dl", { class: "facts" }, rows.filter(Boolean).map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));

function run_section({ version, run, summary }) {
  const words = (run.command || []).map(shell_word);
  const command = words.join(" ");
  const options = Object.entries(run.options || {});
  return section("run", say("run"),
    command && [element("h3", {}, say("command")), element("div", { class: "code" }, element("pre", { tabindex: "0" }, words.flatMap((word) => [element("span", { class: "word" }, word), " "])), copy_button(command))],
    facts([run.directory && [say("directory"), quoted(run.directory)], [say("recipe"), `${run.recipe_name || summary.recipe_name || ""} ${run.recipe_id || ""}`.trim()], [say("version"), version]]),
    element("details", { class: "numbers" }, element("summary", {}, say("recipe_json")), json_block(run.recipe)),
    options.length > 0 && element("details", { class: "numbers" }, element("summary", {}, `${say("options")} (${whole(options.length)})`),
      plain_table([say("option"), say("value")], options.map(([name, value]) => [element("code", {}, name), quoted(typeof value === "string" ? value : JSON.stringify(value))]), { label: say("options") })),
    element("details", { class: "numbers" }, element("summary", {}, say("counts")), json_block(summary)));
}

function json_block(value) {
  const text = JSON.stringify(value, null, 2);
  return element("div", { class: "code" }, element("pre", { tabindex: "0" }, text), copy_button(text));
}
