#include "index/bind_hamming_store.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.h"
#include "index/bind_hamming.h"
#include "index/index_folder.h"
#include "neardup/error.h"
#include "neardup/hamming_store.h"
#include "neardup/tools/index_recipe.h"
#include "run_job.h"
#include "sketch/bind_recipe.h"
#include "str_of.h"
#include "texts.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

template <typename Code>
using StorePointer = std::shared_ptr<HammingStore<Code>>;

// Each call holds the store by a pointer of its own, so that another thread may close it meanwhile.
class StoreObject {
 public:
  static std::unique_ptr<StoreObject> create(const std::string& path, uint32_t bits, uint32_t radius, nb::handle recipe, bool names) {
    HammingStoreSpec spec{.bits = bits, .radius = radius, .names = names};
    if (!recipe.is_none()) {
      Options options;
      options.recipe = given_recipe(recipe).given;
      options.max_distance = radius;
      const HammingStoreSpec of_recipe = index_spec(options);
      spec.bits = of_recipe.bits;
      spec.recipe_id = of_recipe.recipe_id;
      spec.recipe = of_recipe.recipe;
    }
    auto made = std::make_unique<StoreObject>(path, spec);
    if (spec.bits == Fingerprint128::kBits) {
      made->store_ = std::make_shared<HammingStore128>(HammingStore128::create(path, spec));
    } else {
      made->store_ = std::make_shared<HammingStore64>(HammingStore64::create(path, spec));
    }
    return made;
  }

  static std::unique_ptr<StoreObject> open(const std::string& path, bool write) {
    auto made = std::make_unique<StoreObject>(path, hamming_store_spec(path));
    const HammingAccess access = write ? HammingAccess::kWrite : HammingAccess::kRead;
    if (made->spec_.bits == Fingerprint128::kBits) {
      made->store_ = std::make_shared<HammingStore128>(HammingStore128::open(path, access));
    } else {
      made->store_ = std::make_shared<HammingStore64>(HammingStore64::open(path, access));
    }
    return made;
  }

  StoreObject(std::string path, HammingStoreSpec spec) : path_(std::move(path)), spec_(std::move(spec)) {}

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const HammingStoreSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] bool closed() const noexcept { return std::holds_alternative<std::monostate>(store_); }
  void close() {
    auto last = std::exchange(store_, std::monostate());
    const Unlocked unlocked;
    last = std::monostate();
  }

  [[nodiscard]] nb::object recipe() const {
    if (spec_.recipe_id == 0) return nb::none();
    return nb::cast(given_recipe(nb::cast(index_recipe(path_, spec_, {}))));
  }

  nb::tuple query(const CodeRows& codes, uint32_t radius, std::optional<uint64_t> limit, uint32_t threads) const {
    NeighbourArrays found;
    with_codes(codes, [&](const auto& store, const auto& queries, const StopFunction& stop) {
      const StopScope scope(&stop);
      const auto add = [&](size_t query, std::span<const HammingHit> hits) { found.add(query, hits); };
      if (limit) {
        store.nearest_all(queries, *limit, radius, threads, add);
      } else {
        store.query_all(queries, radius, threads, add);
      }
    });
    return found.finish();
  }

  nb::object count(const CodeRows& codes, uint32_t radius, uint32_t threads) const {
    NewArray<uint64_t> counts(codes.shape(0));
    with_codes(codes, [&](const auto& store, const auto& queries, const StopFunction& stop) {
      const StopScope scope(&stop);
      store.count_all(queries, radius, threads, [&](size_t query, uint64_t neighbours) { counts[query] = neighbours; });
    });
    return counts.finish();
  }

  nb::object add(const CodeRows& codes, const std::optional<Numbers>& ids, nb::handle names, bool bulk) {
    const std::optional<std::vector<uint64_t>> numbers = ids ? std::optional(numbers_of(*ids)) : std::nullopt;
    const std::optional<Texts> texts = names.is_none() ? std::nullopt : std::optional<Texts>(std::in_place, names, "names");
    const size_t given = numbers ? numbers->size() : (texts ? texts->size() : codes.shape(0));
    if (given != codes.shape(0))
      throw Error(ErrorCode::kUsage,
                  fmt::format("{}: {} for {} fingerprints; expected one each", numbers ? "ids" : "names", given, codes.shape(0)));
    NewArray<uint64_t> added(codes.shape(0));
    with_codes(codes, [&]<typename Code>(HammingStore<Code>& store, const std::vector<Code>& list, const StopFunction& stop) {
      const auto add_all = [&](auto& target) {
        for (size_t i = 0; i < list.size(); ++i) {
          if (i % 4096 == 0) check_stop(stop);
          if (numbers) {
            target.add(list[i], (*numbers)[i]);
            added[i] = (*numbers)[i];
          } else {
            added[i] = texts ? target.add(list[i], (*texts)[i]) : target.add(list[i]);
          }
        }
      };
      if (!bulk) return add_all(store);
      HammingBulk<Code> segment(store, {.stop = stop});
      add_all(segment);
      segment.commit();
    });
    return added.finish();
  }

  void remove(const Numbers& ids) {
    with([&, list = numbers_of(ids)](auto& store, const StopFunction& stop) { remove_all(store, list, stop); });
  }

  void flush() {
    with([](auto& store, const StopFunction& stop) { store.flush({.stop = stop}); });
  }
  void merge(size_t max_segments, uint32_t threads, uint64_t memory) {
    with([&](auto& store, const StopFunction& stop) { store.merge(max_segments, {.threads = threads, .memory = memory, .stop = stop}); });
  }
  void verify(uint32_t threads) const {
    with([&](const auto& store, const StopFunction& stop) {
      const StopScope scope(&stop);
      store.verify(threads);
    });
  }

  nb::list names(const Numbers& ids) const {
    const std::vector<uint64_t> list = numbers_of(ids);
    std::vector<std::optional<std::string>> found(list.size());
    with([&](const auto& store, const StopFunction& stop) {
      for (size_t i = 0; i < list.size(); ++i) {
        if (i % 4096 == 0) check_stop(stop);
        found[i] = store.name(list[i]);
      }
    });
    nb::list names;
    for (const std::optional<std::string>& name : found) names.append(name ? str_of(*name) : nb::object(nb::none()));
    return names;
  }

  // (positions in `names`, ids)
  nb::tuple find_names(nb::handle names) const {
    const Texts texts(names, "names");
    NameMatches found;
    with([&](const auto& store, const StopFunction& stop) {
      const StopScope scope(&stop);
      found.find(store, texts);
    });
    return found.finish();
  }

  [[nodiscard]] nb::dict stat() const {
    HammingStoreStat stat;
    with([&](const auto& store, const StopFunction&) { stat = store.stat(); });
    nb::dict dict;
    dict["entries"] = stat.entries;
    dict["removed_ids"] = stat.removed_ids;
    dict["unflushed"] = stat.unflushed;
    dict["next_id"] = stat.next_id;
    nb::list segments;
    for (const HammingSegmentStat& segment : stat.segments) {
      nb::dict row;
      row["file"] = segment.file;
      row["bytes"] = segment.bytes;
      row["entries"] = segment.entries;
      row["distinct"] = segment.distinct;
      row["plan"] = segment.plan;
      segments.append(row);
    }
    dict["segments"] = segments;
    return dict;
  }

 private:
  // use(store, stop) in a thread of its own.
  template <typename Use>
  void with(const Use& use) const {
    std::visit(
        [&]<typename Pointer>(const Pointer store) {
          if constexpr (std::is_same_v<Pointer, std::monostate>) {
            throw Error(ErrorCode::kUsage, fmt::format("the store '{}' is closed", path_));
          } else {
            run_job([&](const StopFunction& stop) { use(*store, stop); });
          }
        },
        store_);
  }

  // use(store, codes, stop); of a single code in this thread, without the lock of the interpreter.
  template <typename Use>
  void with_codes(const CodeRows& codes, const Use& use) const {
    if (codes.shape(1) != spec_.bits / Fingerprint64::kBits)
      throw Error(ErrorCode::kUsage,
                  fmt::format("codes: {} bits; the store '{}' has fingerprints of {}", codes.shape(1) * 64, path_, spec_.bits));
    const auto call = [&]<typename Code>(const StorePointer<Code> store) {
      const std::vector<Code> list = codes_of<Code>(codes);
      if (list.size() == 1) {
        const Unlocked unlocked;
        return use(*store, list, StopFunction());
      }
      run_job([&](const StopFunction& stop) { use(*store, list, stop); });
    };
    std::visit(
        [&]<typename Pointer>(const Pointer& store) {
          if constexpr (std::is_same_v<Pointer, std::monostate>) {
            throw Error(ErrorCode::kUsage, fmt::format("the store '{}' is closed", path_));
          } else {
            call(store);
          }
        },
        store_);
  }

  const std::string path_;
  const HammingStoreSpec spec_;
  std::variant<std::monostate, StorePointer<Fingerprint64>, StorePointer<Fingerprint128>> store_;
};

}  // namespace

void bind_hamming_store(nb::module_& module) {
  nb::class_<StoreObject>(module, "HammingStore")
      .def_static("create", &StoreObject::create, nb::arg("path"), nb::arg("bits"), nb::arg("radius"), nb::arg("recipe").none(),
                  nb::arg("names"))
      .def_static("open", &StoreObject::open, nb::arg("path"), nb::arg("write"), nb::call_guard<Unlocked>())
      .def("query", &StoreObject::query, nb::arg("codes").noconvert(), nb::arg("radius"), nb::arg("limit").none(), nb::arg("threads"))
      .def("count", &StoreObject::count, nb::arg("codes").noconvert(), nb::arg("radius"), nb::arg("threads"))
      .def("add", &StoreObject::add, nb::arg("codes").noconvert(), nb::arg("ids").noconvert().none(), nb::arg("names").none(),
           nb::arg("bulk"))
      .def("remove", &StoreObject::remove, nb::arg("ids").noconvert())
      .def("flush", &StoreObject::flush)
      .def("merge", &StoreObject::merge, nb::arg("max_segments"), nb::arg("threads"), nb::arg("memory"))
      .def("verify", &StoreObject::verify, nb::arg("threads"))
      .def("names", &StoreObject::names, nb::arg("ids").noconvert())
      .def("find_names", &StoreObject::find_names, nb::arg("names").none())
      .def("stat", &StoreObject::stat)
      .def("close", &StoreObject::close)
      .def_prop_ro("closed", &StoreObject::closed)
      .def_prop_ro("path", &StoreObject::path)
      .def_prop_ro("bits", [](const StoreObject& self) { return self.spec().bits; })
      .def_prop_ro("radius", [](const StoreObject& self) { return self.spec().radius; })
      .def_prop_ro("has_names", [](const StoreObject& self) { return self.spec().names; })
      .def_prop_ro("recipe_id", [](const StoreObject& self) { return self.spec().recipe_id; })
      .def_prop_ro("recipe", &StoreObject::recipe);
}

}  // namespace neardup::python
