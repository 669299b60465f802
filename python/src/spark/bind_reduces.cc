// The stages between exchanges: Pack, and what takes and gives blobs.
#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

#include "arrays.h"
#include "spark/bind_spark.h"
#include "spark/blob_iterator.h"
#include "spark/stage_classes.h"

namespace nb = nanobind;

namespace neardup::python {
nb::list PackObject::add(const Ranks& ranks, nb::handle container) {
  const NullableTexts texts(container, "texts");
  const auto numbers = span_of(ranks);
  check_lengths(numbers.size(), texts.views().size(), "texts");
  const std::vector<Blob> blobs = call([&](PackStage& stage) {
    for (size_t i = 0; i < numbers.size(); ++i) stage.add({.rank = numbers[i], .text = texts.views()[i]});
    std::vector<Blob> full;
    stage.take(full);
    return full;
  });
  return blob_list(blobs);
}

nb::list PackObject::finish() {
  const std::vector<Blob> blobs = call(
      [](PackStage& stage) {
        std::vector<Blob> rest;
        stage.finish(rest);
        return rest;
      },
      true);
  return blob_list(blobs);
}

nb::tuple ReduceObject::kinds() const {
  nb::list list;
  for (const int kind : kinds_) list.append(kind);
  return nb::tuple(list);
}

void ReduceObject::add(nb::handle container) {
  const BytesColumn blobs(container, "blobs");
  call([&](ReduceStage& stage) {
    for (const std::string_view blob : blobs.views()) stage.add(blob);
  });
}

void ReduceObject::finish() {
  call([](ReduceStage&) {}, true);
}

nb::tuple ReduceObject::next() {
  const std::optional<Blob> blob = after([](ReduceStage& stage) { return stage.next(); });
  if (!blob) throw nb::stop_iteration();
  return blob_tuple(*blob);
}

ReduceObject* reduce_object(std::unique_ptr<ReduceStage> stage, std::initializer_list<BlobKind> kinds) {
  std::vector<int> numbers;
  for (const BlobKind kind : kinds) numbers.push_back(static_cast<int>(kind));
  return new ReduceObject(std::move(stage), std::move(numbers));
}

void RootsObject::add(nb::handle container) {
  const BytesColumn blobs(container, "blobs");
  call([&](RootStage& stage) {
    for (const std::string_view blob : blobs.views()) stage.add(blob);
  });
}

void RootsObject::finish() {
  call([](RootStage&) {}, true);
}

nb::tuple RootsObject::next() {
  Roots roots = after([](RootStage& stage) { return stage.next(); });
  if (roots.ranks.empty()) throw nb::stop_iteration();
  return nb::make_tuple(array_of(std::move(roots.ranks)), array_of(std::move(roots.roots)));
}

void bind_reduces(nb::module_& part) {
  nb::class_<PackObject>(part, "Pack")
      .def("add", &PackObject::add, nb::arg("ranks"), nb::arg("texts").none())
      .def("finish", &PackObject::finish);
  nb::class_<ReduceObject> reduce(part, "Reduce");
  reduce.def("add", &ReduceObject::add, nb::arg("blobs").none());
  bind_blob_iterator(reduce);
  reduce.def_prop_ro("kinds", &ReduceObject::kinds);
  nb::class_<RootsObject> roots(part, "Roots");
  roots.def("add", &RootsObject::add, nb::arg("blobs").none());
  bind_blob_iterator(roots);
}

}  // namespace neardup::python
