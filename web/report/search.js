// The charts: similarities, the search, cluster sizes.
function similarity_section({ run, summary, histogram }) {
  const bins = filled_bins(histogram, run);
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return section("similarity", say("similarity"), nothing(say("similarity_none")));
  const distance = histogram.unit === "distance";
  const describe = ([from, count]) => (distance ? say("removals_at_distance", count, from) : say("removals_at", count, fixed(from, 2), fixed(Math.min(from + histogram.width, 1), 2)));
  const make = (colors) => ({
    data: [bins.map(([from]) => (distance ? from : from + histogram.width / 2)), bins.map(([, count]) => count)],
    options: chart_options(colors, {
      x: { label: measure_name(run), scale: { range: distance ? [-0.6, bins.length - 0.4] : [bins[0][0] - histogram.width / 2, 1 + histogram.width / 2] }, axis: distance ? { incrs: [1, 2, 5, 10, 20] } : {} },
      y: { label: say("removals"), scale: { range: (plot, low, high) => [0, Math.max(high, 1) * 1.06] }, axis: { incrs: whole_steps, values: (plot, values) => values.map(compact) } },
      series: [{ label: say("removals"), stroke: colors.near, fill: colors.near_fill, width: 1, paths: uPlot.paths.bars({ size: [distance ? 0.6 : 0.92, 120] }), points: { show: false } }],
      describe: (index) => describe(bins[index]),
      hooks: { draw: [threshold_line(colors, distance ? run.max_distance + 0.5 : run.threshold, threshold_name(run, distance))] },
    }),
  });
  const table = plain_table([distance ? say("distance_word") : say("similarity_word"), say("removals")],
    bins.filter(([, count]) => count > 0).map(([from, count]) => [distance ? whole(from) : `${fixed(from, 2)}–${fixed(Math.min(from + histogram.width, 1), 2)}`, whole(count)]), { label: say("similarity"), numbers: [0, 1] });
  const number = (value) => (distance ? whole(value) : fixed(value, 2));
  return section("similarity", say("similarity"),
    lead(say("similarity_lead", measure_name(run)), summary.exact_copies > 0 && say("similarity_exact", summary.exact_copies), say("similarity_help")),
    chart("similarity", make, say("similarity_alt", total, number(median_of(bins, total)), number(bins.find(([, count]) => count > 0)[0])), table));
}

const whole_steps = [1, 2, 5].flatMap((step) => Array.from({ length: 12 }, (_, power) => step * 10 ** power)).sort((a, b) => a - b);
const threshold_name = (run, distance) => (distance ? `${say("maximum")} ${run.max_distance}` : `${say("threshold")} ${bound_text(run.threshold)}`);

// The bins without gaps, from the threshold or the lowest removal on.
function filled_bins(histogram, run) {
  const given = new Map();
  const distance = histogram.unit === "distance";
  const width = distance ? 1 : histogram.width;
  const bin_of = (value) => Math.floor(value / width + 1e-6);
  const last = distance ? Math.max(run.max_distance || 0, 1) : Math.round(1 / width) - 1;
  let first = distance ? 0 : Number.isFinite(run.threshold) ? Math.min(bin_of(run.threshold), last) : last;
  for (const [from, count] of histogram.bins || []) {
    const bin = Math.min(bin_of(from), Math.max(last, distance ? bin_of(from) : 0));
    given.set(bin, (given.get(bin) || 0) + count);
    first = Math.min(first, bin);
  }
  const end = Math.max(last, ...given.keys());
  return Array.from({ length: end - first + 1 }, (_, index) => [+((first + index) * width).toFixed(6), given.get(first + index) || 0]);
}

function median_of(bins, total) {
  let seen = 0;
  for (const [from, count] of bins) if ((seen += count) * 2 >= total) return from;
  return NaN;
}

function search_section({ run, summary, search, histogram }) {
  const curve = search.curve || [];
  if (!curve.length) return section("search", say("search"), lead(search_in_words(search, run, summary)));
  const at_threshold = value_at(curve, run.threshold);
  // The bands see no weights: the curve has another axis than weighted similarities.
  const weighted = run.measure === "weighted-jaccard" || run.measure === "cosine";
  const tallest = Math.max(1, ...histogram.bins.map(([, count]) => count));
  const bars = histogram.unit === "similarity" && !weighted ? histogram.bins.map(([from, count]) => [from, from + histogram.width, (0.5 * count) / tallest]) : [];
  const make = (colors) => ({
    data: [curve.map(([similarity]) => similarity), curve.map(([, found]) => found)],
    options: chart_options(colors, {
      x: { label: weighted ? say("search_unweighted") : measure_name(run), scale: { range: [0, 1] } },
      y: { label: say("search_found"), scale: { range: [0, 1] }, axis: { values: (plot, values) => values.map((value) => percent(value, 0)) } },
      series: [{ label: say("search_found"), stroke: colors.curve, width: 2, paths: uPlot.paths.spline(), points: { show: false } }],
      describe: (index) => say("search_at", fixed(curve[index][0], 2), probability(curve[index][1])),
      hooks: { drawClear: [shade(colors, bars)], draw: weighted ? [] : [threshold_line(colors, run.threshold, threshold_name(run, false))] },
    }),
  });
  const every = Math.max(1, Math.floor(curve.length / 40));
  const table = plain_table([say("similarity_word"), say("search_found")],
    curve.filter((point, index) => index % every === 0 || index + 1 === curve.length).map(([similarity, found]) => [fixed(similarity, 3), probability(found)]), { label: say("search"), numbers: [0, 1] });
  return section("search", say("search"), lead(search.bands > 0 && say(weighted ? "search_lead_unweighted" : "search_lead", search.bands, search.rows)),
    chart("search", make, say(weighted ? "search_alt_unweighted" : "search_alt", probability(at_threshold), bound_text(run.threshold)), table),
    element("p", {}, say(weighted ? "search_threshold_unweighted" : "search_threshold", probability(at_threshold), bound_text(run.threshold))),
    element("p", { class: "result" }, search_in_words(search, run, summary)));
}

function search_in_words(search, run, summary) {
  const { missed } = search;
  if (missed) {
    const estimate = say("search_missed", about(missed.pairs), about(missed.low), about(missed.high), missed.of);
    return missed.of > 0 ? `${estimate} ${say("search_recall", probability(missed.of / (missed.of + missed.pairs)))}` : estimate;
  }
  if (search.kind === "exact") return say("search_exact");
  if (search.kind === "distance") return say("search_distance", run.max_distance);
  if (search.kind === "samples") return say("search_samples", summary.sample_certain, probability(summary.predicted_miss));
  return say("search_unknown");
}

function value_at(curve, wanted) {
  for (let index = 1; index < curve.length; ++index) {
    const [[x, y], [next_x, next_y]] = [curve[index - 1], curve[index]];
    if (wanted >= x && wanted <= next_x) return next_x > x ? y + ((wanted - x) / (next_x - x)) * (next_y - y) : next_y;
  }
  return NaN;
}

function sizes_section({ cluster_sizes }) {
  const sizes = (cluster_sizes || []).filter(([size, count]) => size > 0 && count > 0).sort((a, b) => a[0] - b[0]);
  if (!sizes.length) return section("sizes", say("sizes"), nothing(say("sizes_none")));
  const largest = sizes[sizes.length - 1][0];
  const decades = (value) => 10 ** Math.ceil(Math.log10(value * 1.2));
  // Lines only at powers of ten.
  const splits = (plot, axis, low, high) => Array.from({ length: 16 }, (_, power) => 10 ** power).filter((value) => value >= low * 0.999 && value <= high * 1.001);
  const log_axis = { splits, values: (plot, values) => values.map(compact), filter: (plot, values) => values };
  const make = (colors) => ({
    data: [sizes.map(([size]) => size), sizes.map(([, count]) => count)],
    options: chart_options(colors, {
      x: { label: say("size"), scale: { distr: 3, range: [1, decades(largest)] }, axis: log_axis },
      y: { label: say("clusters"), scale: { distr: 3, range: (plot, low, high) => [0.8, decades(high)] }, axis: log_axis },
      series: [{ label: say("clusters"), stroke: colors.curve, paths: () => null, points: { show: true, size: 7, fill: colors.curve, stroke: colors.curve } }],
      describe: (index) => say("clusters_of_size", sizes[index][1], sizes[index][0]),
    }),
  });
  const columns = [
    { key: "size", title: say("size"), kind: "number", value: ([size]) => size, cell: ([size]) => whole(size) },
    { key: "clusters", title: say("clusters"), kind: "number", value: ([, count]) => count, cell: ([, count]) => whole(count) },
  ];
  return section("sizes", say("sizes"), lead(say("sizes_lead"), say("sizes_help")),
    chart("sizes", make, say("sizes_alt", sizes.reduce((sum, [, count]) => sum + count, 0), largest), sortable("sizes", columns, sizes, { label: say("sizes"), first: "size" })));
}
