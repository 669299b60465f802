#include "cli/evaluate/score_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "cli/terminal/text_format.h"

namespace neardup::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string interval(double low, double high) {
  return fmt::format("95 %: {} to {}", grouped(static_cast<uint64_t>(low)), grouped(static_cast<uint64_t>(high)));
}

void write_counts(const PairCounts& pairs, std::string_view label, Out out) {
  fmt::format_to(out, "{:<14}precision {:.4f}, recall {:.4f}, F1 {:.4f}; {} found, {} true, {} both\n", label, pairs.precision(),
                 pairs.recall(), pairs.f1(), grouped(pairs.found), grouped(pairs.truth), grouped(pairs.right));
}

void write_scores(const Evaluation& e, Out out) {
  write_counts(e.pairs, "pairs", out);
  fmt::format_to(out, "{:<14}adjusted Rand index {:.4f}\n", "clusters", e.clusters.adjusted_rand);
  fmt::format_to(out, "{:<14}precision {:.4f}, recall {:.4f}, F1 {:.4f}\n", "  B-cubed", e.clusters.bcubed_precision,
                 e.clusters.bcubed_recall, e.clusters.bcubed_f1());
  fmt::format_to(out, "{:<14}homogeneity {:.4f}, completeness {:.4f}, V {:.4f}\n", "  V-measure", e.clusters.homogeneity,
                 e.clusters.completeness, e.clusters.v_measure());
  fmt::format_to(out, "{:<14}of {}, {} kept exactly one document, {} several ({} left), {} none\n", "kept",
                 counted(e.kept.clusters, "true cluster"), grouped(e.kept.one_kept), grouped(e.kept.several_kept),
                 counted(e.kept.duplicates_left, "duplicate"), grouped(e.kept.none_kept));
}

void write_neighbours(const NeighbourScores& n, Out out) {
  write_counts(n.pairs, "pairs", out);
  fmt::format_to(out, "{:<14}{} of {} sampled documents were kept although a kept document matches: about {} of all ({})\n", "duplicates",
                 grouped(n.kept_with_match), grouped(n.sampled), rounded(n.duplicates_left.value),
                 interval(n.duplicates_left.low, n.duplicates_left.high));
  fmt::format_to(out, "{:<14}about {} matching pairs of kept documents in the corpus ({})\n", "missed", rounded(n.missed_pairs.value),
                 interval(n.missed_pairs.low, n.missed_pairs.high));
}

std::string band_label(const BandScore& band) {
  return band.from == band.to ? "1" : fmt::format("{:.2f} to {:.2f}", band.from / 1e6, band.to / 1e6);
}

void write_bands(const std::vector<BandScore>& bands, std::string_view found, bool similarities_known, Out out) {
  if (bands.empty()) return;
  fmt::format_to(out, "\n{:>14}{:>12}{:>12}{:>11}", "similarity", found, "right", "precision");
  if (similarities_known) fmt::format_to(out, "{:>12}{:>12}{:>9}{:>9}", "true pairs", "found", "recall", "F1");
  fmt::format_to(out, "\n");
  for (const BandScore& band : bands) {
    fmt::format_to(out, "{:>14}{:>12}{:>12}{:>11}", band_label(band), grouped(band.found), grouped(band.right),
                   band.found == 0 ? "-" : fmt::format("{:.4f}", band.precision()));
    if (similarities_known) {
      fmt::format_to(out, "{:>12}{:>12}{:>9}{:>9}", grouped(band.truth), grouped(band.truth_found),
                     band.truth == 0 ? "-" : fmt::format("{:.4f}", band.recall()),
                     band.truth == 0 || band.found == 0 ? "-" : fmt::format("{:.4f}", band.f1()));
    }
    fmt::format_to(out, "\n");
  }
}

void write_true_bands(const std::vector<BandScore>& bands, Out out) {
  if (bands.empty()) return;
  fmt::format_to(out, "\n{:>14}{:>12}{:>12}{:>9}\n", "similarity", "true pairs", "found", "recall");
  for (const BandScore& band : bands) {
    fmt::format_to(out, "{:>14}{:>12}{:>12}{:>9.4f}\n", band_label(band), grouped(band.truth), grouped(band.truth_found), band.recall());
  }
}

void write_one(const Judged& judged, Out out) {
  fmt::format_to(out, "{:<14}{}, {} removed", "documents", counted(judged.documents, "document"), grouped(judged.removed));
  if (judged.scores)
    fmt::format_to(out, "; {} judged in {}", grouped(judged.scores->labelled),
                   counted(judged.scores->clusters.true_clusters, "true cluster"));
  fmt::format_to(out, "\n");
  if (judged.scores) write_scores(*judged.scores, out);
  if (judged.neighbours) write_neighbours(*judged.neighbours, out);
  if (judged.missed) {
    fmt::format_to(out, "{:<14}the search missed those of about {} kept documents ({})\n", "keepers", rounded(judged.missed->pairs),
                   interval(judged.missed->low, judged.missed->high));
  }
  if (judged.scores) write_bands(judged.scores->bands, "removed", judged.scores->similarities_known, out);
  if (judged.neighbours) write_true_bands(judged.neighbours->bands, out);
  if (!judged.pairs) return;
  fmt::format_to(out, "\nThe pairs that the search lists\n");
  if (!judged.neighbours) write_counts(judged.pairs->pairs, "pairs", out);
  fmt::format_to(out, "{:<14}about {} of {} that match ({})\n", "missed", rounded(judged.pairs->missed.pairs),
                 grouped(judged.pairs->missed.found + static_cast<uint64_t>(std::llround(judged.pairs->missed.pairs))),
                 interval(judged.pairs->missed.low, judged.pairs->missed.high));
  write_bands(judged.pairs->bands, "found", judged.pairs->similarities_known, out);
}

// The index of the highest F1, the first of equal ones.
size_t best_of(const std::vector<Judged>& judged) {
  return static_cast<size_t>(std::ranges::max_element(judged, {}, [](const Judged& each) { return each.counts().f1(); }) - judged.begin());
}

std::string counts_json(const PairCounts& pairs) {
  return fmt::format(R"({{"precision":{:.6f},"recall":{:.6f},"f1":{:.6f},"right":{},"found":{},"true":{}}})", pairs.precision(),
                     pairs.recall(), pairs.f1(), pairs.right, pairs.found, pairs.truth);
}

std::string bands_json(const std::vector<BandScore>& bands) {
  std::string text;
  for (const BandScore& band : bands) {
    text += fmt::format(R"({}{{"from":{:.6f},"to":{:.6f},"found":{},"right":{},"true":{},"true_found":{}}})", text.empty() ? "" : ",",
                        band.from / 1e6, band.to / 1e6, band.found, band.right, band.truth, band.truth_found);
  }
  return "[" + text + "]";
}

std::string missed_json(const MissedPairs& missed) {
  return fmt::format(R"({{"found":{},"missed":{:.6f},"low":{:.0f},"high":{:.0f},"recall":{:.6f}}})", missed.found, missed.pairs, missed.low,
                     missed.high, missed.recall());
}

std::string estimated_json(const Estimated& estimated) {
  return fmt::format(R"({{"value":{:.6f},"low":{:.0f},"high":{:.0f}}})", estimated.value, estimated.low, estimated.high);
}

std::string scores_json(const Evaluation& e) {
  return fmt::format(R"("judged":{},"unknown_rows":{},"pairs":{},"adjusted_rand":{:.6f},)"
                     R"("bcubed":{{"precision":{:.6f},"recall":{:.6f},"f1":{:.6f}}},)"
                     R"("v_measure":{{"homogeneity":{:.6f},"completeness":{:.6f},"v":{:.6f}}},)"
                     R"("kept":{{"true_clusters":{},"one":{},"several":{},"none":{},"duplicates_left":{}}},"bands":{})",
                     e.labelled, e.unknown_rows, counts_json(e.pairs), e.clusters.adjusted_rand, e.clusters.bcubed_precision,
                     e.clusters.bcubed_recall, e.clusters.bcubed_f1(), e.clusters.homogeneity, e.clusters.completeness,
                     e.clusters.v_measure(), e.kept.clusters, e.kept.one_kept, e.kept.several_kept, e.kept.none_kept,
                     e.kept.duplicates_left, bands_json(e.bands));
}

std::string judged_json(const Judged& judged) {
  std::string setting;
  for (const auto& [name, value] : judged.setting) {
    setting += fmt::format("{}{}:{}", setting.empty() ? "" : ",", json_quote(name), json_quote(value));
  }
  std::string text = fmt::format(R"({{"setting":{{{}}},"documents":{},"removed":{})", setting, judged.documents, judged.removed);
  if (judged.scores) text += "," + scores_json(*judged.scores);
  if (judged.neighbours) {
    const NeighbourScores& n = *judged.neighbours;
    text += fmt::format(R"(,"sampled":{},"pairs":{},"kept_with_match":{},"duplicates_left":{},"missed_pairs":{},"bands":{})", n.sampled,
                        counts_json(n.pairs), n.kept_with_match, estimated_json(n.duplicates_left), estimated_json(n.missed_pairs),
                        bands_json(n.bands));
  }
  if (judged.missed) text += fmt::format(R"(,"missed_keepers":{})", missed_json(*judged.missed));
  if (judged.pairs) {
    text += fmt::format(R"(,"listed":{{"pairs":{},"missed":{},"bands":{}}})", counts_json(judged.pairs->pairs),
                        missed_json(judged.pairs->missed), bands_json(judged.pairs->bands));
  }
  return text + "}";
}

}  // namespace

std::string ScorePage::to_text() const {
  std::string text;
  const Out out = std::back_inserter(text);
  if (judged.size() == 1) {
    write_one(judged.front(), out);
    return text;
  }
  size_t width = 0;
  for (const Judged& each : judged) width = std::max(width, setting_label(each.setting).size());
  const bool clusters = judged.front().scores.has_value();
  fmt::format_to(out, "{:<{}}{:>10}{:>11}{:>9}{:>9}", "setting", width, "removed", "precision", "recall", "F1");
  if (clusters) fmt::format_to(out, "{:>9}{:>9}{:>9}{:>12}{:>7}", "ARI", "B-cubed", "V", "duplicates", "lost");
  fmt::format_to(out, "\n");
  const size_t best = best_of(judged);
  for (size_t i = 0; i < judged.size(); ++i) {
    const PairCounts pairs = judged[i].counts();
    fmt::format_to(out, "{:<{}}{:>10}{:>11.4f}{:>9.4f}{:>9.4f}", setting_label(judged[i].setting), width, grouped(judged[i].removed),
                   pairs.precision(), pairs.recall(), pairs.f1());
    if (clusters) {
      const Evaluation& e = *judged[i].scores;
      fmt::format_to(out, "{:>9.4f}{:>9.4f}{:>9.4f}{:>12}{:>7}", e.clusters.adjusted_rand, e.clusters.bcubed_f1(), e.clusters.v_measure(),
                     grouped(e.kept.duplicates_left), grouped(e.kept.none_kept));
    }
    fmt::format_to(out, "{}\n", i == best ? "   <- highest F1" : "");
  }
  return text;
}

std::string ScorePage::to_json() const {
  std::string results;
  for (const Judged& each : judged) results += (results.empty() ? "" : ",\n") + judged_json(each);
  return fmt::format("{{\"truth\":{},\"best\":{},\"results\":[\n{}]}}\n", json_quote(truth), best_of(judged), results);
}

std::string ScorePage::to_table() const {
  std::string text;
  for (const auto& [name, value] : judged.front().setting) text += name + "\t";
  text +=
      "documents\tremoved\tprecision\trecall\tf1\tadjusted_rand\tbcubed_precision\tbcubed_recall\tbcubed_f1\thomogeneity\tcompleteness\t"
      "v_measure\ttrue_clusters\tone_kept\tseveral_kept\tnone_kept\tduplicates_left\tmissed\tmissed_low\tmissed_high\n";
  for (const Judged& each : judged) {
    for (const auto& [name, value] : each.setting) text += value + "\t";
    const PairCounts pairs = each.counts();
    text += fmt::format("{}\t{}\t{:.6f}\t{:.6f}\t{:.6f}\t", each.documents, each.removed, pairs.precision(), pairs.recall(), pairs.f1());
    if (each.scores) {
      const ClusterScores& c = each.scores->clusters;
      const KeptScores& k = each.scores->kept;
      text += fmt::format("{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{}\t{}\t{}\t{}\t{}\t", c.adjusted_rand,
                          c.bcubed_precision, c.bcubed_recall, c.bcubed_f1(), c.homogeneity, c.completeness, c.v_measure(), k.clusters,
                          k.one_kept, k.several_kept, k.none_kept, k.duplicates_left);
    } else {
      text += "\t\t\t\t\t\t\t\t\t\t\t\t";
    }
    const std::optional<MissedPairs> missed = each.pairs ? std::optional(each.pairs->missed) : each.missed;
    text += missed ? fmt::format("{:.6f}\t{:.0f}\t{:.0f}\n", missed->pairs, missed->low, missed->high) : "\t\t\n";
  }
  return text;
}

}  // namespace neardup::cli
