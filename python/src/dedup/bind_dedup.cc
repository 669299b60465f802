#include "dedup/bind_dedup.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.h"
#include "dedup/run.h"
#include "neardup/tools/align.h"
#include "neardup/tools/aligned_excerpt.h"
#include "options.h"
#include "sketch/excerpt_pieces.h"
#include "str_of.h"
#include "unlocked.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace neardup::python {
namespace {

template <typename Value>
using Array = nb::ndarray<nb::numpy, const Value, nb::ndim<1>>;

// A view of a member, which keeps the verdicts alive.
template <auto kMember>
auto view(const Verdicts& verdicts) {
  using Value = typename std::remove_cvref_t<decltype(verdicts.*kMember)>::value_type;
  return Array<Value>((verdicts.*kMember).data(), {verdicts.size()}, nb::find(verdicts));
}

std::shared_ptr<Data> files(const Settings& settings, std::vector<std::string> inputs) {
  return make_file_data(std::move(inputs), settings.source_options());
}

std::shared_ptr<const Verdicts> call_dedup(const Data& data, const Settings& settings, const Data* reference, const std::string& work,
                                           const std::optional<std::string>& rethreshold, const nb::object& progress) {
  DedupCall call{.data = data, .settings = settings, .reference = reference, .work = work};
  if (rethreshold) {
    Options parsed;
    option_row("threshold", "dedup").set(parsed, *rethreshold);
    call.rethreshold = parsed.threshold;
  }
  return run_dedup(call, progress);
}

nb::tuple call_pairs(const Data& data, const Settings& settings, const nb::object& progress) {
  const FoundPairs found = run_pairs(data, settings, progress);
  return nb::make_tuple(found.table, found.summary_json, found.warnings);
}

nb::list call_read_texts(const Data& data, const Data* reference, const std::vector<std::pair<uint32_t, uint64_t>>& places) {
  nb::list texts;
  for (const auto& each : read_texts(data, reference, places)) {
    if (each) {
      texts.append(str_of(*each));
    } else {
      texts.append(nb::none());
    }
  }
  return texts;
}

nb::list differences(std::string_view a, std::string_view b) {
  Alignment alignment;
  std::vector<std::optional<ChangeKind>> kinds;
  {
    const Unlocked unlocked;
    alignment = align_texts(a, b);
    kinds = kinds_of_parts(a, b, alignment);
  }
  nb::list parts;
  for (size_t i = 0; i < alignment.parts.size(); ++i) {
    const AlignedPart& part = alignment.parts[i];
    const nb::object kind = kinds[i] ? nb::object(str_of(name_of(*kinds[i]))) : nb::none();
    parts.append(nb::make_tuple(kind, str_of(part.text_of_a(a)), str_of(part.text_of_b(b))));
  }
  return parts;
}

nb::list excerpt(std::string_view a, std::string_view b) {
  std::vector<ExcerptPiece> found;
  {
    const Unlocked unlocked;
    found = aligned_excerpt(a, b, align_texts(a, b));
  }
  return pieces_of(found);
}

std::string_view bytes_of(const nb::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

nb::list next_records(RecordReader& reader) {
  nb::list records;
  for (const RecordReader::Item& item : reader.next()) {
    records.append(nb::make_tuple(item.rejected, str_of(item.raw), str_of(item.id), str_of(item.text)));
  }
  return records;
}

// A function that opens the data often knows the variable that will have the result: a cycle through the data.
int traverse_data(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  return nb::inst_ptr<Data>(self)->visit_held([&](nb::handle held) {
    Py_VISIT(held.ptr());
    return 0;
  });
}

int clear_data(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<Data>(self)->drop_held();
  return 0;
}

PyType_Slot kDataSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_data)}, {Py_tp_clear, reinterpret_cast<void*>(clear_data)}, {0, nullptr}};

void bind_data(nb::module_& module) {
  nb::class_<Settings>(module, "Settings", "The options of a run.")
      .def(nb::init<std::string, Settings::Given, std::vector<std::string>, std::string>(), "command"_a, "given"_a, "text"_a, "id"_a)
      .def_prop_ro(
          "required", [](const Settings& self) { return self.fields().required(); }, "The columns that the data must have.")
      .def_prop_ro(
          "wanted", [](const Settings& self) { return self.fields().wanted(); }, "The columns that are read if the data have them.");
  nb::class_<Data>(module, "Data", nb::type_slots(kDataSlots), "What a run reads.");
  module.def(
      "memory_data",
      [](const Settings& settings, const std::string& name, nb::handle content) {
        return std::shared_ptr<Data>(make_memory_data(settings.fields(), name, content));
      },
      "settings"_a, "name"_a, "content"_a);
  module.def(
      "stream_data",
      [](const Settings& settings, const std::string& name, nb::object open) {
        return std::shared_ptr<Data>(make_stream_data(settings.fields(), name, std::move(open)));
      },
      "settings"_a, "name"_a, "open"_a);
  module.def("file_data", &files, "settings"_a, "inputs"_a);
  module.def(
      "chain_data", [](std::vector<std::shared_ptr<const Data>> parts) { return std::shared_ptr<Data>(chain_data(std::move(parts))); },
      "parts"_a);
  nb::class_<RecordReader>(module, "RecordReader", "The records of files, batch by batch.")
      .def(nb::init<std::shared_ptr<const Data>>(), "data"_a)
      .def("next", &next_records, "A list of (rejected, line, id, text); empty at the end.");
}

void bind_verdicts(nb::module_& module) {
  nb::class_<Verdicts>(module, "Verdicts", "The verdicts of a run.")
      .def("__len__", &Verdicts::size)
      .def_prop_ro("source", &view<&Verdicts::source>)
      .def_prop_ro("row", &view<&Verdicts::row>)
      .def_prop_ro("removed", &view<&Verdicts::removed>)
      .def_prop_ro("similarity", &view<&Verdicts::similarity>)
      .def_prop_ro("cluster_size", &view<&Verdicts::cluster_size>)
      .def_prop_ro("keeper_source", &view<&Verdicts::keeper_source>)
      .def_prop_ro("keeper_row", &view<&Verdicts::keeper_row>)
      .def("keepers",
           [](const Verdicts& self) {
             std::vector<int64_t> entries;
             {
               const Unlocked unlocked;
               entries = self.keepers();
             }
             return array_of(std::move(entries));
           })
      .def("reason",
           [](const Verdicts& self, size_t entry) {
             if (entry >= self.size()) throw nb::index_error();
             return std::string(to_string(self.reason[entry]));
           })
      .def("id",
           [](const Verdicts& self, size_t entry) -> nb::object {
             if (entry >= self.size()) throw nb::index_error();
             return self.has_id[entry] ? nb::object(str_of(self.id(entry))) : nb::none();
           })
      .def("reference_id",
           [](const Verdicts& self, size_t entry) -> nb::object {
             const auto found = self.reference_ids.find(entry);
             return found == self.reference_ids.end() ? nb::none() : nb::object(str_of(found->second));
           })
      .def("find_id",
           [](const Verdicts& self, std::string_view id) {
             std::vector<int64_t> entries;
             for (size_t i = 0; i < self.size(); ++i) {
               if (self.has_id[i] && self.id(i) == id) entries.push_back(static_cast<int64_t>(i));
             }
             return entries;
           })
      .def_ro("source_names", &Verdicts::source_names)
      .def_ro("summary_json", &Verdicts::summary_json)
      .def_ro("warnings", &Verdicts::warnings)
      .def("table", &Verdicts::table, nb::call_guard<Unlocked>())
      .def("rejected_table", &Verdicts::rejected_table, nb::call_guard<Unlocked>())
      .def("rejected_places", [](const Verdicts& self) {
        std::vector<std::pair<uint32_t, uint64_t>> places;
        for (const Verdicts::Rejected& each : self.rejected) places.emplace_back(each.where.source, each.where.row);
        return places;
      });
}

}  // namespace

void bind_dedup(nb::module_& module) {
  bind_data(module);
  bind_verdicts(module);
  module.def("dedup", &call_dedup, "data"_a, "settings"_a, "reference"_a.none(), "work"_a, "rethreshold"_a.none(), "progress"_a.none());
  module.def("pairs", &call_pairs, "data"_a, "settings"_a, "progress"_a.none());
  module.def("read_texts", &call_read_texts, "data"_a, "reference"_a.none(), "places"_a);
  module.def(
      "differences", [](const nb::bytes& a, const nb::bytes& b) { return differences(bytes_of(a), bytes_of(b)); }, "a"_a, "b"_a,
      "The parts of two texts in UTF-8, in order: (kind of the change or None, text of a, text of b).");
  module.def(
      "excerpt", [](const nb::bytes& a, const nb::bytes& b) { return excerpt(bytes_of(a), bytes_of(b)); }, "a"_a, "b"_a,
      "The same for readers: (same, a, b, left_out or more; text; characters).");
}

}  // namespace neardup::python
