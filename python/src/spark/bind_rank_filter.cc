// Bloom: a RankFilter.
#include <nanobind/nanobind.h>

#include <mutex>
#include <string>
#include <utility>

#include "arrays.h"
#include "neardup/tools/rank_filter.h"
#include "spark/bind_spark.h"
#include "spark/columns.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

class BloomObject {
 public:
  explicit BloomObject(RankFilter filter) : filter_(std::move(filter)) {}

  void add(const Ranks& ranks) {
    const Unlocked unlocked;
    const std::lock_guard lock(mutex_);
    for (const int64_t rank : span_of(ranks)) filter_.add(rank);
  }
  void merge(const nb::bytes& data) {
    const RankFilter other = RankFilter::load({data.c_str(), data.size()});
    const Unlocked unlocked;
    const std::lock_guard lock(mutex_);
    filter_.merge(other);
  }
  nb::bytes data() {
    const std::string bytes = [&] {
      const Unlocked unlocked;
      const std::lock_guard lock(mutex_);
      return filter_.save();
    }();
    return bytes_of(bytes);
  }
  nb::object has(const Ranks& ranks) {
    const auto numbers = span_of(ranks);
    NewArray<bool> found(numbers.size());
    {
      const Unlocked unlocked;
      const std::lock_guard lock(mutex_);
      for (size_t i = 0; i < numbers.size(); ++i) found[i] = filter_.has(numbers[i]);
    }
    return found.finish();
  }

 private:
  std::mutex mutex_;
  RankFilter filter_;
};

}  // namespace

void bind_rank_filter(nb::module_& part) {
  part.def("bloom_bytes", &RankFilter::bytes_for, nb::arg("expected"));
  nb::class_<BloomObject>(part, "Bloom")
      .def(
          "__init__", [](BloomObject* self, uint64_t bytes) { new (self) BloomObject(RankFilter(bytes)); }, nb::arg("bytes"))
      .def_static(
          "of",
          [](const nb::bytes& data) {
            return new BloomObject(RankFilter::load({data.c_str(), data.size()}));
          },
          nb::arg("data"))
      .def("add", &BloomObject::add, nb::arg("ranks"))
      .def("merge", &BloomObject::merge, nb::arg("data"))
      .def("data", &BloomObject::data)
      .def("has", &BloomObject::has, nb::arg("ranks"));
}

}  // namespace neardup::python
