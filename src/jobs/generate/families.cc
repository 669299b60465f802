#include "jobs/generate/families.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "dedup/report/summary_parts.h"
#include "jobs/generate/random.h"

namespace neardup::generate_detail {
namespace {

double similarity_of(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  Overlap overlap{0, static_cast<uint32_t>(a.size()), static_cast<uint32_t>(b.size())};
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    overlap.common += a[i] == b[k];
    const bool step_a = a[i] <= b[k];
    k += b[k] <= a[i];
    i += step_a;
  }
  return overlap.jaccard();
}

}  // namespace

// A document of the output.
struct Families::Labelled {
  std::string id;
  const Turn* turn = nullptr;  // null: an original
  Edited edited;
  std::vector<uint64_t> features;

  [[nodiscard]] bool in_cluster() const { return turn == nullptr || turn->kind->info.duplicate; }

  void append_line(const std::string& original, double similarity, std::string& out) const {
    using summary_parts::json_string;
    append_format(out, R"({{"id":{},"text":{},"kind":"{}","strength":)", json_string(id), json_string(edited.text),
                  turn == nullptr ? "original" : turn->kind->info.name);
    out += turn == nullptr || turn->strength_label().empty() ? "null" : json_string(turn->strength_label());
    append_format(out, R"(,"changed":{},"units":{},"of":{},"similarity":{:.6f},"duplicate":{},"cluster":{}}})", edited.changed,
                  edited.units, turn == nullptr ? "null" : json_string(original), similarity, turn != nullptr && in_cluster(),
                  json_string(in_cluster() ? original : id));
    out += '\n';
  }
};

std::vector<Turn> turns_of(const GenerateRun& run) {
  std::vector<EditStrength> strengths = run.strengths;
  if (strengths.empty()) strengths = {EditStrength::parse("1%"), EditStrength::parse("5%"), EditStrength::parse("20%")};
  std::vector<Turn> turns;
  for (const EditKind& kind : all_edit_kinds()) {
    if (!run.kinds.empty() && std::find(run.kinds.begin(), run.kinds.end(), kind.info.name) == run.kinds.end()) continue;
    const size_t count = kind.info.has_strength ? strengths.size() : 1;
    for (size_t i = 0; i < count; ++i) turns.push_back({&kind, strengths[i]});
  }
  return turns;
}

Families::Families(std::span<const Original> originals, const GenerateRun& run, const std::vector<Turn>& turns, uint32_t threads)
    : originals_(originals),
      run_(run),
      turns_(turns),
      units_(originals.size(), TextUnits("")),
      sketcher_(Recipe::load(std::string(kMeasuredBy))),
      scratches_(resolve_threads(threads)) {
  parallel_for(static_cast<uint32_t>(scratches_.size()), originals.size(), 16,
               [&](uint32_t, size_t i) { units_[i] = TextUnits(originals[i].text); });
  donors_ = std::make_unique<Donors>(units_);
}

std::vector<uint64_t> Families::features(std::string_view text, uint32_t worker) {
  const std::span<const uint64_t> found = sketcher_.features(text, scratches_[worker]);
  return {found.begin(), found.end()};
}

// Makes the next kind and strength from `first` on that this document does not have yet and that applies to it; false: there is none.
bool Families::next_copy(size_t document, uint64_t first, std::vector<bool>& used, Labelled& made) const {
  for (size_t i = 0; i < turns_.size(); ++i) {
    const size_t number = (first + i) % turns_.size();
    if (used[number]) continue;
    used[number] = true;
    const Turn& turn = turns_[number];
    std::string id = fmt::format("{}~{}", originals_[document].id, turn.kind->info.name);
    if (turn.kind->info.has_strength) id += fmt::format("~{}", turn.strength.label());
    // By the id alone: which other kinds are asked for changes no copy.
    Random random(mix64(run_.seed) ^ hash64(id));
    std::optional<Edited> edited = turn.kind->make({document, *donors_, turn.strength}, random);
    if (!edited) continue;
    made.id = std::move(id);
    made.turn = &turn;
    made.edited = std::move(*edited);
    return true;
  }
  return false;
}

Family Families::make(size_t document, uint32_t worker) {
  const Original& original = originals_[document];
  Family family;
  std::vector<Labelled> cluster;
  Labelled& first = cluster.emplace_back();
  first.id = original.id;
  first.edited = {original.text, 0, units_[document].size()};
  first.features = features(original.text, worker);
  first.append_line(original.id, 1.0, family.lines);
  std::vector<bool> used(turns_.size());
  const uint64_t copies = run_.copies == 0 ? turns_.size() : run_.copies;
  for (uint64_t copy = 0; copy < copies; ++copy) {
    Labelled made;
    if (!next_copy(document, document * copies + copy, used, made)) break;
    made.features = features(made.edited.text, worker);
    const double similarity = similarity_of(cluster.front().features, made.features);
    made.append_line(original.id, similarity, family.lines);
    family.copies.push_back({static_cast<size_t>(made.turn - turns_.data()), made.id, similarity});
    if (made.in_cluster()) cluster.push_back(std::move(made));
  }
  for (size_t a = 0; a < cluster.size(); ++a) {
    for (size_t b = a + 1; b < cluster.size(); ++b)
      family.pairs.push_back({cluster[a].id, cluster[b].id, similarity_of(cluster[a].features, cluster[b].features)});
  }
  return family;
}

}  // namespace neardup::generate_detail
