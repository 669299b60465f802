#include "index/bind_hamming.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "arrays.h"
#include "neardup/error.h"
#include "parallel.h"
#include "run_job.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {

void NeighbourArrays::add(size_t query, std::span<const HammingHit> hits, uint64_t limit) {
  for (const HammingHit& hit : hits.first(std::min<uint64_t>(limit, hits.size()))) {
    queries_.push_back(static_cast<int64_t>(query));
    ids_.push_back(hit.id);
    distances_.push_back(hit.distance);
  }
}

nb::tuple NeighbourArrays::finish() {
  return nb::make_tuple(array_of(std::move(queries_)), array_of(std::move(ids_)), array_of(std::move(distances_)));
}

namespace {

// Immutable, so that any number of threads may ask it.
class IndexObject {
 public:
  IndexObject(const CodeRows& codes, const std::optional<Numbers>& ids, uint32_t radius, uint32_t threads, uint64_t memory,
              const std::string& temp_dir) {
    if (codes.shape(1) != 1 && codes.shape(1) != 2)
      throw Error(ErrorCode::kUsage, fmt::format("codes: {} words each; expected 1 or 2", codes.shape(1)));
    const HammingBuildOptions options{.radius = radius, .threads = threads, .memory = memory, .temp_dir = temp_dir};
    const std::vector<uint64_t> numbers = ids ? numbers_of(*ids) : std::vector<uint64_t>();
    if (ids && numbers.size() != codes.shape(0))
      throw Error(ErrorCode::kUsage, fmt::format("ids: {} for {} fingerprints; expected one each", numbers.size(), codes.shape(0)));
    const auto build = [&]<typename Code>(std::vector<Code> list) {
      run_job([&](const StopFunction& stop) {
        const StopScope scope(&stop);
        index_ = HammingIndex<Code>::build(list, numbers, options);
      });
    };
    if (codes.shape(1) == 1) {
      build(codes_of<Fingerprint64>(codes));
    } else {
      build(codes_of<Fingerprint128>(codes));
    }
  }

  nb::tuple query(const CodeRows& codes, uint32_t radius, uint64_t limit, uint32_t threads) const {
    NeighbourArrays found;
    with(codes, [&](const auto& index, const auto& queries, const StopFunction& stop) {
      const StopScope scope(&stop);
      index.query_all(queries, radius, threads, [&](size_t query, std::span<const HammingHit> hits) { found.add(query, hits, limit); });
    });
    return found.finish();
  }

  nb::object count(const CodeRows& codes, uint32_t radius, uint32_t threads) const {
    NewArray<uint64_t> counts(codes.shape(0));
    with(codes, [&](const auto& index, const auto& queries, const StopFunction& stop) {
      std::vector<HammingScratch> scratch(thread_count(threads));
      for_all(queries.size(), threads, stop,
              [&](uint32_t worker, size_t query) { counts[query] = index.count(queries[query], radius, scratch[worker]); });
    });
    return counts.finish();
  }

  nb::tuple self_join(uint32_t radius, uint32_t threads) const {
    return pairs([&](const auto& visit) { std::visit([&](const auto& index) { index.self_join(radius, threads, visit); }, index_); });
  }

  nb::tuple join(const IndexObject& other, uint32_t radius, uint32_t threads) const {
    if (index_.index() != other.index_.index())
      throw Error(ErrorCode::kUsage, fmt::format("other: it has fingerprints of {} bits, this index of {}", other.bits(), bits()));
    return pairs([&](const auto& visit) {
      std::visit([&]<typename Index>(const Index& index) { index.join(std::get<Index>(other.index_), radius, threads, visit); }, index_);
    });
  }

  uint64_t count_pairs(uint32_t radius, uint32_t threads) const {
    uint64_t count = 0;
    run_job([&](const StopFunction& stop) {
      const StopScope scope(&stop);
      count = std::visit([&](const auto& index) { return index.count_pairs(radius, threads); }, index_);
    });
    return count;
  }

  [[nodiscard]] uint32_t bits() const noexcept { return index_.index() == 0 ? Fingerprint64::kBits : Fingerprint128::kBits; }
  [[nodiscard]] uint32_t radius() const noexcept {
    return std::visit([](const auto& index) { return index.plan().radius; }, index_);
  }
  [[nodiscard]] uint64_t size() const noexcept {
    return std::visit([](const auto& index) { return index.size(); }, index_);
  }
  [[nodiscard]] uint64_t distinct() const noexcept {
    return std::visit([](const auto& index) { return index.distinct(); }, index_);
  }
  [[nodiscard]] uint64_t bytes() const noexcept {
    return std::visit([](const auto& index) { return index.bytes(); }, index_);
  }

 private:
  // use(index, queries, stop), without the lock of the interpreter. A single query is over before a thread for it has started.
  template <typename Use>
  void with(const CodeRows& codes, const Use& use) const {
    if (codes.shape(1) != bits() / Fingerprint64::kBits)
      throw Error(ErrorCode::kUsage, fmt::format("codes: {} bits; the index has fingerprints of {}", codes.shape(1) * 64, bits()));
    std::visit(
        [&]<typename Code>(const HammingIndex<Code>& index) {
          const std::vector<Code> queries = codes_of<Code>(codes);
          if (queries.size() == 1) {
            const Unlocked unlocked;
            return use(index, queries, StopFunction());
          }
          run_job([&](const StopFunction& stop) { use(index, queries, stop); });
        },
        index_);
  }

  // (a, b, distances), sorted.
  template <typename Find>
  static nb::tuple pairs(const Find& find) {
    std::vector<HammingPair> list;
    std::vector<uint64_t> a;
    std::vector<uint64_t> b;
    std::vector<uint32_t> distances;
    run_job([&](const StopFunction& stop) {
      const StopScope scope(&stop);
      find([&](std::span<const HammingPair> found) { list.insert(list.end(), found.begin(), found.end()); });
      std::ranges::sort(list);
      a.reserve(list.size());
      b.reserve(list.size());
      distances.reserve(list.size());
      for (const HammingPair& pair : list) {
        a.push_back(pair.a);
        b.push_back(pair.b);
        distances.push_back(pair.distance);
      }
    });
    return nb::make_tuple(array_of(std::move(a)), array_of(std::move(b)), array_of(std::move(distances)));
  }

  std::variant<HammingIndex64, HammingIndex128> index_;
};

}  // namespace

void bind_hamming(nb::module_& module) {
  nb::class_<IndexObject>(module, "HammingIndex")
      .def(nb::init<const CodeRows&, const std::optional<Numbers>&, uint32_t, uint32_t, uint64_t, const std::string&>(),
           nb::arg("codes").noconvert(), nb::arg("ids").noconvert().none(), nb::arg("radius"), nb::arg("threads"), nb::arg("memory"),
           nb::arg("temp_dir"))
      .def("query", &IndexObject::query, nb::arg("codes").noconvert(), nb::arg("radius"), nb::arg("limit"), nb::arg("threads"))
      .def("count", &IndexObject::count, nb::arg("codes").noconvert(), nb::arg("radius"), nb::arg("threads"))
      .def("self_join", &IndexObject::self_join, nb::arg("radius"), nb::arg("threads"))
      .def("join", &IndexObject::join, nb::arg("other"), nb::arg("radius"), nb::arg("threads"))
      .def("count_pairs", &IndexObject::count_pairs, nb::arg("radius"), nb::arg("threads"))
      .def_prop_ro("bits", &IndexObject::bits)
      .def_prop_ro("radius", &IndexObject::radius)
      .def_prop_ro("distinct", &IndexObject::distinct)
      .def_prop_ro("nbytes", &IndexObject::bytes)
      .def("__len__", &IndexObject::size);
}

}  // namespace neardup::python
