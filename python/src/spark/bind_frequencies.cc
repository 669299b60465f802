// FrequencyStages and what it makes: Count, Reduce, FrequencyTable.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "options.h"
#include "spark/bind_spark.h"
#include "spark/blob_iterator.h"
#include "spark/stage_classes.h"
#include "str_of.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace neardup::python {
namespace {

std::string id_text(uint64_t id) {
  return fmt::format("{:016x}", id);
}

nb::dict recipe_facts(const FrequencyStages& stages) {
  const FrequencyStages::Facts facts = stages.facts();
  nb::dict made;
  made["recipe"] = str_of(facts.recipe);
  made["recipe_id"] = str_of(id_text(facts.recipe_id));
  return made;
}

}  // namespace

void CountObject::add(nb::handle container) {
  const NullableTexts texts(container, "texts");
  call([&](CountStage& stage) {
    for (const auto& text : texts.views()) stage.add(text);
  });
}

void CountObject::finish() {
  call([](CountStage&) {}, true);
}

nb::tuple CountObject::next() {
  const std::optional<Blob> blob = after([](CountStage& stage) { return stage.next(); });
  if (!blob) throw nb::stop_iteration();
  return blob_tuple(*blob);
}

void FrequencyTableObject::add(nb::handle container) {
  const BytesColumn blobs(container, "blobs");
  call([&](FrequencyTableStage& stage) {
    for (const std::string_view blob : blobs.views()) stage.add(blob);
  });
}

uint64_t FrequencyTableObject::finish(const std::string& path, uint64_t documents) {
  return call([&](FrequencyTableStage& stage) { return stage.finish(path, documents); }, true);
}

void bind_frequencies(nb::module_& part) {
  const auto memory = nb::arg("task_memory");
  const auto folder = nb::arg("temp_dir");
  using Keep = nb::keep_alive<0, 1>;
  nb::class_<CountObject> count(part, "Count");
  count.def("add", &CountObject::add, nb::arg("texts").none());
  bind_blob_iterator(count);
  nb::class_<FrequencyTableObject>(part, "FrequencyTable")
      .def("add", &FrequencyTableObject::add, nb::arg("blobs").none())
      .def(
          "finish",
          [](FrequencyTableObject& self, const std::string& path, uint64_t documents) { return id_text(self.finish(path, documents)); },
          "path"_a, "documents"_a);
  part.def(
      "needs_frequencies", [](const GivenOptions& options) { return FrequencyStages::needed(options_of(options, "dedup")); }, "options"_a,
      "True if the recipe weighs by the IDF of the corpus itself.");
  nb::class_<FrequencyStages>(part, "FrequencyStages")
      .def(
          "__init__", [](FrequencyStages* self, const GivenOptions& options) { new (self) FrequencyStages(options_of(options, "dedup")); },
          nb::arg("options"))
      .def_prop_ro("facts", &recipe_facts)
      .def(
          "count",
          [](const FrequencyStages& self, uint32_t parts, uint64_t bytes, const std::string& temp_dir) {
            return new CountObject(self.count(parts, {bytes, temp_dir}));
          },
          Keep(), "parts"_a, memory, folder)
      .def(
          "sum",
          [](const FrequencyStages& self, uint64_t bytes, const std::string& temp_dir) {
            return reduce_object(self.sum({bytes, temp_dir}), {BlobKind::kFrequencies});
          },
          Keep(), memory, folder)
      .def(
          "table",
          [](const FrequencyStages& self, uint64_t bytes, const std::string& temp_dir) {
            return new FrequencyTableObject(self.table({bytes, temp_dir}));
          },
          Keep(), memory, folder)
      .def(
          "documents",
          [](const FrequencyStages& self, nb::handle container) {
            return with_blobs(container, [&](Stages::Blobs blobs) { return self.counts(blobs).documents; });
          },
          nb::arg("blobs").none())
      .def("fitted_recipe", &FrequencyStages::fitted_recipe, "table"_a);
}

}  // namespace neardup::python
