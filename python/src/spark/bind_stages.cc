// Stages: the options of a run, and what makes its stages.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "options.h"
#include "spark/bind_spark.h"
#include "spark/stage_classes.h"
#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using Shares = nb::ndarray<nb::numpy, const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::dict facts(const Stages& stages) {
  const Stages::Facts facts = stages.facts();
  const Options& options = stages.options();
  nb::dict made;
  made["recipe"] = str_of(facts.recipe);
  made["recipe_id"] = str_of(fmt::format("{:016x}", facts.recipe_id));
  made["measure"] = str_of(facts.measure);
  made["cluster"] = options.cluster == Cluster::kScan ? "scan" : "components";
  made["threshold"] = options.threshold.value();
  made["bands"] = facts.bands;
  made["rows_per_band"] = facts.rows_per_band;
  made["predicted_miss"] = facts.predicted_miss;
  made["fingerprint_bits"] = facts.fingerprint_bits;
  made["max_distance"] = facts.max_distance;
  made["second_scan"] = facts.second_scan;
  made["keys"] = facts.keys;
  made["document_bytes"] = stages.record_bytes(BlobKind::kDocuments, false);
  made["document_bytes_narrow"] = stages.record_bytes(BlobKind::kDocuments, true);
  made["key_bytes"] = stages.record_bytes(BlobKind::kKeys, false);
  made["key_bytes_narrow"] = stages.record_bytes(BlobKind::kKeys, true);
  return made;
}

nb::dict counts(const Stages& stages, nb::handle container) {
  const StageCounts sum = with_blobs(container, [&](Stages::Blobs blobs) { return stages.counts(blobs); });
  nb::dict kinds;
  for (size_t i = 0; i < kRejectKinds; ++i) {
    const auto kind = static_cast<RejectKind>(i);
    if (sum.rejected[kind] > 0) kinds[str_of(to_string(kind))] = sum.rejected[kind];
  }
  nb::list rejects;
  for (const StageReject& reject : sum.rejects)
    rejects.append(nb::make_tuple(reject.rank, str_of(to_string(reject.kind)), str_of(reject.problem)));
  nb::dict made;
  made["documents"] = sum.documents;
  made["rejected"] = sum.rejected.total();
  made["short"] = sum.short_texts;
  made["text_bytes"] = sum.text_bytes;
  made["repaired"] = sum.repaired;
  made["rejected_by_kind"] = kinds;
  made["rejects"] = rejects;
  return made;
}

auto ranks_of(const Stages& stages, BlobKind kind, nb::handle container) {
  return with_blobs(container, [&](Stages::Blobs blobs) { return stages.ranks(kind, blobs); });
}

nb::list candidates(const Stages& stages, nb::handle container) {
  const NullableTexts texts(container, "texts");
  const auto payloads = [&] {
    const Unlocked unlocked;
    const auto maker = stages.candidates();
    std::vector<std::optional<std::string>> made;
    made.reserve(texts.views().size());
    for (const auto& text : texts.views()) made.push_back(text ? maker->payload(*text) : std::nullopt);
    return made;
  }();
  nb::list list;
  for (const auto& payload : payloads) list.append(payload ? nb::object(bytes_of(*payload)) : nb::none());
  return list;
}

nb::tuple code_rows(const Stages& stages, nb::handle container) {
  const std::vector<StoredRow> rows = with_blobs(container, [&](Stages::Blobs blobs) { return stages.code_rows(blobs); });
  NewArray<int64_t> ranks(rows.size());
  nb::list payloads;
  for (size_t i = 0; i < rows.size(); ++i) {
    ranks[i] = rows[i].rank;
    payloads.append(bytes_of(rows[i].payload));
  }
  return nb::make_tuple(ranks.finish(), payloads);
}

nb::object similarities(const Stages& stages, const Shares& common, const Shares& size_a, const Shares& size_b) {
  const size_t count = common.shape(0);
  if (size_a.shape(0) != count || size_b.shape(0) != count) throw nb::value_error("common, size_a and size_b must have one length");
  NewArray<double> made(count);
  for (size_t i = 0; i < count; ++i) made[i] = stages.similarity({common.data()[i], size_a.data()[i], size_b.data()[i]});
  return made.finish();
}

}  // namespace

// Stages refer to the Stages that made them, and keep it alive.
void bind_stages(nb::module_& part) {
  const auto parts = nb::arg("parts");
  const auto memory = nb::arg("task_memory");
  const auto folder = nb::arg("temp_dir");
  const auto blobs = nb::arg("blobs").none();
  using Keep = nb::keep_alive<0, 1>;
  nb::class_<Stages>(part, "Stages")
      .def(
          "__init__", [](Stages* self, const GivenOptions& options) { new (self) Stages(options_of(options, "dedup")); },
          nb::arg("options"))
      .def_prop_ro("facts", &facts)
      .def(
          "pack", [](const Stages& self, uint32_t count, bool narrow) { return new PackObject(self.pack(count, narrow)); }, Keep(), parts,
          nb::arg("narrow"))
      .def(
          "collapse",
          [](const Stages& self, uint32_t count, uint64_t bytes, const std::string& temp_dir) {
            return reduce_object(self.collapse(count, {bytes, temp_dir}),
                                 {BlobKind::kDocuments, BlobKind::kShortDocuments, BlobKind::kIds});
          },
          Keep(), parts, memory, folder)
      .def(
          "link",
          [](const Stages& self, uint64_t bytes, const std::string& temp_dir) {
            return reduce_object(self.link({bytes, temp_dir}), {BlobKind::kKeys});
          },
          Keep(), memory, folder)
      .def(
          "large_star",
          [](const Stages& self, uint32_t count, uint64_t bytes, const std::string& temp_dir) {
            return reduce_object(self.large_star(count, {bytes, temp_dir}), {BlobKind::kHalves});
          },
          Keep(), parts, memory, folder)
      .def(
          "small_star",
          [](const Stages& self, uint32_t count, uint64_t bytes, const std::string& temp_dir) {
            return reduce_object(self.small_star(count, {bytes, temp_dir}), {BlobKind::kHalves});
          },
          Keep(), parts, memory, folder)
      .def(
          "components",
          [](const Stages& self, uint64_t bytes, const std::string& temp_dir) {
            return new RootsObject(self.components({bytes, temp_dir}));
          },
          Keep(), memory, folder)
      .def(
          "star_roots",
          [](const Stages& self, uint64_t bytes, const std::string& temp_dir) {
            return new RootsObject(self.star_roots({bytes, temp_dir}));
          },
          Keep(), memory, folder)
      .def(
          "decide", [](const Stages& self, uint64_t bytes) { return new DecideObject(self.decide(bytes)); }, Keep(), memory)
      .def(
          "match",
          [](const Stages& self, const Ranks& roots, const Ranks& ranks, nb::handle payloads, uint64_t bytes) {
            return new MatchObject(self, roots, ranks, payloads, bytes);
          },
          Keep(), nb::arg("roots"), nb::arg("ranks"), nb::arg("payloads").none(), memory)
      .def("counts", &counts, blobs)
      .def(
          "count_records",
          [](const Stages& self, nb::handle container) {
            return with_blobs(container, [&](Stages::Blobs views) { return self.count_records(views); });
          },
          blobs)
      .def(
          "copies",
          [](const Stages& self, nb::handle container) {
            auto [ranks, firsts] = ranks_of(self, BlobKind::kCopies, container);
            return nb::make_tuple(array_of(std::move(ranks)), array_of(std::move(firsts)));
          },
          blobs)
      .def(
          "shorts",
          [](const Stages& self, nb::handle container) { return array_of(std::move(ranks_of(self, BlobKind::kShorts, container).first)); },
          blobs)
      .def(
          "edges",
          [](const Stages& self, nb::handle container) {
            auto [ranks, least] = ranks_of(self, BlobKind::kEdges, container);
            return nb::make_tuple(array_of(std::move(least)), array_of(std::move(ranks)));
          },
          blobs)
      .def(
          "split_edges",
          [](const Stages& self, uint32_t count, nb::handle container) {
            return blob_list(with_blobs(container, [&](Stages::Blobs views) { return self.split_edges(count, views); }));
          },
          parts, blobs)
      .def(
          "tally",
          [](const Stages& self, nb::handle container) {
            const Stages::Tally tally = with_blobs(container, [&](Stages::Blobs views) { return self.tally(views); });
            return nb::make_tuple(tally.edges, tally.hash);
          },
          blobs)
      .def("candidates", &candidates, nb::arg("texts").none())
      .def("code_rows", &code_rows, blobs)
      .def("similarities", &similarities, nb::arg("common"), nb::arg("size_a"), nb::arg("size_b"));
}

}  // namespace neardup::python
