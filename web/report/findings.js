// What a reader should look at first: each finding has a bound, so that a clean run has none.
const NEAR_THRESHOLD = 0.05;         // of the similarity
const MANY_NEAR_THRESHOLD = 0.4;     // share of the near-duplicates
const LARGE_CLUSTER = 0.02;          // share of the documents
const LARGE_CLUSTER_DOCUMENTS = 100;
const MANY_BY_PASSAGE = 0.1;         // share of the sampled removals with the passage
const MANY_MISSED = 0.01;            // of the found ones
const NAMED_SOURCES = 5;

function findings_section(report, names) {
  const found = [above_bound(report, names), close_to_threshold(report), large_cluster(report), passage(report), capped(report), missed(report), rejected(report)].filter(Boolean);
  const warnings = [...(report.warnings || [])];
  return section("findings", say("findings"),
    found.length ? element("ul", { class: "findings" }, found.map(([target, text]) => element("li", {}, element("a", { href: `#${target}` }, text)))) : nothing(say(report.summary.removed > 0 ? "findings_none" : "findings_none_removed")),
    warnings.length > 0 && element("details", { class: "warnings", open: warnings.length < 6 }, element("summary", {}, `${say("run_warnings")} (${whole(warnings.length)})`),
      element("ul", {}, warnings.map((warning) => element("li", {}, quoted(warning))))));
}

function sources_above(report) {
  if (!(report.max_removed > 0)) return [];
  return report.sources.map((source, index) => ({ index, share: removed_share(source) })).filter(({ share }) => share > report.max_removed).sort((a, b) => b.share - a.share);
}

function above_bound(report, names) {
  const found = sources_above(report);
  if (!found.length) return null;
  const listed = found.slice(0, NAMED_SOURCES).map(({ index, share }) => `${names[index]} (${percent(share, 0)})`);
  return ["sources", say("finding_bound", found.length, bound_percent(report.max_removed), say("list", listed, found.length - listed.length))];
}

function close_to_threshold({ run, histogram }) {
  const bins = histogram.bins || [];
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  if (total < 20) return null;
  const distance = histogram.unit === "distance";
  const near = bins.filter(([from]) => (distance ? from === run.max_distance : from < run.threshold + NEAR_THRESHOLD - 1e-9)).reduce((sum, [, count]) => sum + count, 0);
  if (near / total < MANY_NEAR_THRESHOLD) return null;
  const share = percent(near / total, 0);
  return ["least", distance ? say("finding_threshold_distance", share, run.max_distance) : say("finding_threshold", share, bound_text(run.threshold), bound_text(run.threshold + NEAR_THRESHOLD))];
}

function large_cluster({ summary }) {
  const largest = summary.largest_cluster;
  if (!largest || largest.size < LARGE_CLUSTER_DOCUMENTS || largest.size < LARGE_CLUSTER * summary.read) return null;
  return ["groups", say("finding_cluster", largest.size, percent(part(largest.size, summary.read)), shortened(document_name(keeper_of(largest))))];
}

function passage({ passages }) {
  const worst = (passages || []).reduce((best, each) => (each.without > (best ? best.without : 0) ? each : best), null);
  if (!worst || worst.without < MANY_BY_PASSAGE * worst.removals || worst.without < 5) return null;
  return ["passages", say("finding_passage", percent(part(worst.documents, worst.sampled)), worst.without, worst.removals)];
}

const capped = ({ summary }) => (summary.capped_documents > 0 ? ["limits", say("finding_capped", summary.capped_documents)] : null);

function missed({ search }) {
  const { missed } = search;
  if (!missed || missed.pairs < MANY_MISSED * missed.of || missed.pairs < 1) return null;
  return ["search", say("finding_missed", about(missed.pairs), about(missed.low), about(missed.high))];
}

const rejected = ({ summary }) => (summary.rejected > 0 ? ["run", say("finding_rejected", summary.rejected, percent(part(summary.rejected, summary.read)))] : null);
