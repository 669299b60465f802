#include "sketch/bind_sketch.h"

#include <nanobind/stl/string.h>

#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "neardup/sketcher.h"
#include "parallel.h"
#include "run_job.h"
#include "sketch/bind_recipe.h"
#include "str_of.h"
#include "texts.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

// A Sketcher with the scratch memory of the threads that use it, which is kept from call to call.
class SketcherObject {
 public:
  explicit SketcherObject(nb::handle recipe) : recipe_(given_recipe(recipe)), sketcher_(recipe_.recipe) {}

  [[nodiscard]] const GivenRecipe& recipe() const noexcept { return recipe_; }
  nb::tuple sketch(nb::handle container, uint32_t threads) const;
  nb::object normalize(nb::handle text) const;
  nb::list tokenize(nb::handle text) const;
  nb::object features(nb::handle text) const;
  nb::list words(nb::handle text) const;

 private:
  using Scratch = Sketcher::Scratch;

  // Scratch memory for one thread, given back at the end.
  class Lease {
   public:
    explicit Lease(const SketcherObject& owner) : owner_(owner) {
      const std::lock_guard lock(owner_.mutex_);
      if (owner_.unused_.empty()) return;
      scratch_ = std::move(owner_.unused_.back());
      owner_.unused_.pop_back();
    }
    ~Lease() {
      const std::lock_guard lock(owner_.mutex_);
      try {
        owner_.unused_.push_back(std::move(scratch_));
      } catch (const std::bad_alloc&) {
        // Then it is not kept.
      }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Scratch& operator*() noexcept { return scratch_; }

   private:
    const SketcherObject& owner_;
    Scratch scratch_;
  };

  // use(text, scratch) without the lock of the interpreter, and what it returns.
  template <typename Use, typename Convert>
  auto with(nb::handle text, const Use& use, const Convert& convert) const {
    std::deque<std::string> repaired;
    const nb::object kept = nb::borrow(text);
    const std::string_view view = text_of(text, repaired, "text");
    Lease scratch(*this);
    const auto result = [&] {
      const Unlocked unlocked;
      return use(view, *scratch);
    }();
    return convert(result);  // which views the scratch
  }

  const GivenRecipe recipe_;
  const Sketcher sketcher_;
  mutable std::mutex mutex_;
  mutable std::vector<Scratch> unused_;
};

// (sketches, exact hashes, too short)
nb::tuple SketcherObject::sketch(nb::handle container, uint32_t threads) const {
  const Texts texts(container, "texts");
  const size_t words = sketcher_.sketch_words();
  const bool fingerprints = recipe_.recipe.fingerprints();
  NewArray<uint32_t> signatures(fingerprints ? 0 : texts.size(), words);
  NewArray<uint64_t> codes(fingerprints ? texts.size() : 0, words / 2 > 1 ? words / 2 : 0);
  NewArray<uint64_t> exact(texts.size(), 2);
  NewArray<bool> too_short(texts.size());

  run_text_job(texts.bytes(), [&](const StopFunction& stop) {
    const uint32_t use_threads = stop ? threads : 1;
    struct Worker {
      Scratch scratch;
      std::vector<uint32_t> sketch;
    };
    std::vector<Worker> workers(std::min<size_t>(thread_count(use_threads), std::max<size_t>(texts.size(), 1)));
    for_all(texts.size(), use_threads, stop, [&](uint32_t number, size_t row) {
      Worker& worker = workers[number];
      if (fingerprints) worker.sketch.resize(words);
      const std::span<uint32_t> out = fingerprints ? std::span<uint32_t>(worker.sketch) : signatures.row(row);
      const Sketcher::Result result = sketcher_.sketch(texts[row], worker.scratch, out);
      exact[2 * row] = result.exact.low;
      exact[2 * row + 1] = result.exact.high;
      too_short[row] = result.too_short;
      if (!fingerprints || result.too_short) return;
      const Fingerprint128 code = Sketcher::fingerprint(worker.sketch);
      codes[row * (words / 2)] = code.low;
      if (words == 4) codes[row * 2 + 1] = code.high;
    });
  });
  return nb::make_tuple(fingerprints ? codes.finish() : signatures.finish(), exact.finish(), too_short.finish());
}

nb::object SketcherObject::normalize(nb::handle text) const {
  return with(
      text, [&](std::string_view view, Scratch& scratch) { return sketcher_.normalize(view, scratch); }, str_of);
}

nb::list SketcherObject::tokenize(nb::handle text) const {
  return with(
      text, [&](std::string_view view, Scratch& scratch) { return sketcher_.tokenize(view, scratch); },
      [](const std::vector<std::string_view>& tokens) {
        nb::list list;
        for (const std::string_view token : tokens) list.append(str_of(token));
        return list;
      });
}

nb::object SketcherObject::features(nb::handle text) const {
  return with(
      text,
      [&](std::string_view view, Scratch& scratch) {
        const std::span<const uint64_t> features = sketcher_.features(view, scratch);
        return std::vector<uint64_t>(features.begin(), features.end());
      },
      [](std::vector<uint64_t> features) { return array_of(std::move(features)); });
}

nb::list SketcherObject::words(nb::handle text) const {
  const Weighting weighting = recipe_.recipe.weighting;
  const bool fixed_point = weighting == Weighting::kTfIdf || weighting == Weighting::kJiebaKeywords;
  return with(
      text, [&](std::string_view view, Scratch& scratch) { return sketcher_.words(view, scratch); },
      [&](const std::vector<Sketcher::Word>& words) {
        nb::list list;
        for (const Sketcher::Word& word : words)
          list.append(nb::make_tuple(str_of(word.word),
                                     fixed_point ? nb::object(nb::float_(word.weight / kWeightOne)) : nb::object(nb::int_(word.weight))));
        return list;
      });
}

}  // namespace

void bind_sketch(nb::module_& module) {
  nb::class_<SketcherObject>(module, "Sketcher")
      .def(nb::init<nb::handle>(), nb::arg("recipe").none())
      .def_prop_ro("recipe", &SketcherObject::recipe)
      .def("sketch", &SketcherObject::sketch, nb::arg("texts").none(), nb::arg("threads"))
      .def("normalize", &SketcherObject::normalize, nb::arg("text").none())
      .def("tokenize", &SketcherObject::tokenize, nb::arg("text").none())
      .def("features", &SketcherObject::features, nb::arg("text").none())
      .def("words", &SketcherObject::words, nb::arg("text").none());
}

}  // namespace neardup::python
