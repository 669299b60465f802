// The stages that decide: Decide and Match.
#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "arrays.h"
#include "spark/bind_spark.h"
#include "spark/stage_classes.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

nb::dict removals_dict(const std::vector<RankRemoval>& removals) {
  NewArray<int64_t> ranks(removals.size());
  NewArray<int64_t> keepers(removals.size());
  NewArray<uint32_t> common(removals.size());
  NewArray<uint32_t> size_a(removals.size());
  NewArray<uint32_t> size_b(removals.size());
  NewArray<bool> connected(removals.size());
  for (size_t i = 0; i < removals.size(); ++i) {
    ranks[i] = removals[i].rank;
    keepers[i] = removals[i].keeper;
    common[i] = removals[i].overlap.common;
    size_a[i] = removals[i].overlap.size_a;
    size_b[i] = removals[i].overlap.size_b;
    connected[i] = removals[i].connected;
  }
  nb::dict made;
  made["rank"] = ranks.finish();
  made["keeper"] = keepers.finish();
  made["common"] = common.finish();
  made["size_a"] = size_a.finish();
  made["size_b"] = size_b.finish();
  made["connected"] = connected.finish();
  return made;
}

// (roots, ranks, payloads)
nb::tuple rows_tuple(const std::vector<StoredRow>& rows) {
  NewArray<int64_t> roots(rows.size());
  NewArray<int64_t> ranks(rows.size());
  nb::list payloads;
  for (size_t i = 0; i < rows.size(); ++i) {
    roots[i] = rows[i].root;
    ranks[i] = rows[i].rank;
    payloads.append(bytes_of(rows[i].payload));
  }
  return nb::make_tuple(roots.finish(), ranks.finish(), payloads);
}

nb::dict stats_dict(const DecideStats& stats) {
  nb::dict made;
  made["verifications"] = stats.verifications;
  made["capped"] = stats.capped;
  made["just_below"] = stats.just_below;
  made["groups"] = stats.groups;
  made["documents"] = stats.documents;
  made["largest_group"] = stats.largest_group;
  return made;
}

// Rows as the arguments give them; they view the payloads.
std::vector<CandidateRow> rows_of(const Ranks& roots, const Ranks& ranks, const BytesColumn& payloads) {
  const auto first = span_of(roots);
  const auto second = span_of(ranks);
  check_lengths(second.size(), first.size(), "roots");
  check_lengths(second.size(), payloads.views().size(), "payloads");
  std::vector<CandidateRow> rows(second.size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {first[i], second[i], payloads.views()[i]};
  return rows;
}

struct Decided {
  std::vector<RankRemoval> removals;
  std::vector<StoredRow> rows;  // kept, or left

  void take(DecideStage& stage) {
    stage.take(removals);
    stage.take_kept(rows);
  }
  void take(MatchStage& stage) {
    stage.take(removals);
    stage.take_left(rows);
  }
};

}  // namespace

nb::tuple DecideObject::add(const Ranks& roots, const Ranks& ranks, nb::handle container) {
  const BytesColumn payloads(container, "payloads");
  const std::vector<CandidateRow> rows = rows_of(roots, ranks, payloads);
  NewArray<bool> later(rows.size());
  const Decided decided = call([&](DecideStage& stage) {
    for (size_t i = 0; i < rows.size(); ++i) later[i] = !stage.add(rows[i]);
    Decided known;
    known.take(stage);
    return known;
  });
  return nb::make_tuple(removals_dict(decided.removals), rows_tuple(decided.rows), later.finish());
}

nb::tuple DecideObject::finish() {
  const Decided decided = call(
      [](DecideStage& stage) {
        stage.finish();
        Decided known;
        known.take(stage);
        return known;
      },
      true);
  return nb::make_tuple(removals_dict(decided.removals), rows_tuple(decided.rows), NewArray<bool>(0).finish());
}

nb::dict DecideObject::stats() {
  return stats_dict(after([](DecideStage& stage) { return stage.stats(); }));
}

MatchObject::MatchObject(const Stages& stages, const Ranks& roots, const Ranks& ranks, nb::handle payloads, uint64_t memory)
    : kept_(payloads, "payloads"), stage_(stages.match(rows_of(roots, ranks, kept_), memory)) {}

nb::tuple MatchObject::add(const Ranks& roots, const Ranks& ranks, nb::handle container) {
  const BytesColumn payloads(container, "payloads");
  const std::vector<CandidateRow> rows = rows_of(roots, ranks, payloads);
  const Decided decided = stage_.call([&](MatchStage& stage) {
    for (const CandidateRow& row : rows) stage.add(row);
    Decided known;
    known.take(stage);
    return known;
  });
  return nb::make_tuple(removals_dict(decided.removals), rows_tuple(decided.rows));
}

nb::tuple MatchObject::finish() {
  const Decided decided = stage_.call(
      [](MatchStage& stage) {
        stage.finish();
        Decided known;
        known.take(stage);
        return known;
      },
      true);
  return nb::make_tuple(removals_dict(decided.removals), rows_tuple(decided.rows));
}

nb::dict MatchObject::stats() {
  return stats_dict(stage_.after([](MatchStage& stage) { return stage.stats(); }));
}

void bind_deciders(nb::module_& part) {
  nb::class_<DecideObject>(part, "Decide")
      .def("add", &DecideObject::add, nb::arg("roots"), nb::arg("ranks"), nb::arg("payloads").none())
      .def("finish", &DecideObject::finish)
      .def_prop_ro("stats", &DecideObject::stats);
  nb::class_<MatchObject>(part, "Match")
      .def("add", &MatchObject::add, nb::arg("roots"), nb::arg("ranks"), nb::arg("payloads").none())
      .def("finish", &MatchObject::finish)
      .def_prop_ro("stats", &MatchObject::stats);
}

}  // namespace neardup::python
