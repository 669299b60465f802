#include "index/bind_clue.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "index/clue_options.h"
#include "index/index_folder.h"
#include "neardup/clue_index.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "parallel.h"
#include "run_job.h"
#include "str_of.h"
#include "texts.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

constexpr size_t kRoundTexts = 4096;                  // prepared before they are added ...
constexpr uint64_t kRoundBytes = uint64_t{16} << 20;  // ... or as many bytes of text

nb::dict hit_of(const ClueHit& hit, ClueSearch::Mode mode) {
  nb::dict dict;
  dict["id"] = hit.id;
  dict["name"] = str_of(hit.name);
  dict["begin"] = hit.begin;
  dict["end"] = hit.end;
  dict["begin_character"] = hit.begin_character;
  dict["end_character"] = hit.end_character;
  dict["text_bytes"] = hit.text_bytes;
  dict["similarity"] = hit.similarity;
  dict["passage"] = str_of(hit.passage);
  if (mode == ClueSearch::Mode::kContains) {
    dict["occurrences"] = hit.occurrences;
    dict["edits"] = hit.edits;
    dict["differences"] = str_of(hit.differences);
  } else {
    dict["common"] = hit.overlap.common;
    dict["clue_grams"] = hit.overlap.size_a;
    dict["text_grams"] = hit.overlap.size_b;
  }
  return dict;
}

nb::dict trace_of(const ClueTrace& trace) {
  nb::dict dict;
  dict["lookups"] = trace.lookups;
  dict["postings"] = trace.postings;
  dict["candidates"] = trace.candidates;
  dict["settled"] = trace.settled;
  dict["texts_read"] = trace.texts_read;
  nb::list asked;
  for (const ClueTrace::Asked& gram : trace.asked) {
    nb::dict row;
    row["gram"] = str_of(gram.gram);
    row["postings"] = gram.postings;
    row["certain"] = gram.certain;
    asked.append(row);
  }
  dict["asked"] = asked;
  return dict;
}

nb::dict answer_of(const ClueAnswer& answer, const ClueSearch& search) {
  nb::dict dict;
  nb::list hits;
  for (const ClueHit& hit : answer.hits) hits.append(hit_of(hit, search.mode));
  dict["hits"] = hits;
  dict["certainty"] = str_of(to_string(answer.certainty));
  dict["predicted_recall"] = answer.predicted_recall;
  dict["more"] = answer.more;
  dict["capped"] = answer.capped;
  dict["count"] = answer.count;
  dict["form"] = str_of(answer.form);
  dict["characters"] = answer.characters;
  dict["columns"] = answer.columns;
  dict["min_run"] = answer.min_run;
  dict["min_run_wide"] = answer.min_run_wide;
  dict["max_edits"] = answer.max_edits;
  dict["guaranteed_edits"] = answer.guaranteed_edits;
  dict["guaranteed"] = answer.guaranteed;
  if (search.explain) dict["trace"] = trace_of(answer.trace);
  return dict;
}

std::unique_ptr<ReferredTexts> read_referred() {
  return make_referred_texts();
}

// Each call holds the index by a pointer of its own, so that another thread may close it meanwhile.
class ClueObject {
 public:
  static std::unique_ptr<ClueObject> create(const std::string& path, bool fold_han, uint32_t min_run) {
    ClueRecipe recipe;
    recipe.fold_han = fold_han;
    recipe.min_run = min_run;
    return std::make_unique<ClueObject>(path, ClueIndex::create(path, recipe, read_referred));
  }
  static std::unique_ptr<ClueObject> open(const std::string& path, bool write) {
    return std::make_unique<ClueObject>(path, ClueIndex::open(path, write ? ClueAccess::kWrite : ClueAccess::kRead, read_referred));
  }

  ClueObject(std::string path, ClueIndex index)
      : path_(std::move(path)), index_(std::make_shared<ClueIndex>(std::move(index))), recipe_(index_->recipe()) {}

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const ClueRecipe& recipe() const noexcept { return recipe_; }
  [[nodiscard]] bool closed() const noexcept { return index_ == nullptr; }
  void close() {
    auto last = std::move(index_);
    const Unlocked unlocked;
    last.reset();
  }

  nb::object add(nb::handle container, nb::handle names, uint32_t threads, uint64_t memory) {
    const auto index = held();
    const Texts texts(container, "texts");
    const std::optional<Texts> given = names.is_none() ? std::nullopt : std::optional<Texts>(std::in_place, names, "names");
    if (given && given->size() != texts.size())
      throw Error(ErrorCode::kUsage, fmt::format("names: {} for {} texts; expected one each", given->size(), texts.size()));
    NewArray<uint64_t> ids(texts.size());
    run_job([&](const StopFunction& stop) {
      const StopScope scope(&stop);
      ClueWriter writer(*index, {.threads = threads, .memory = memory, .stop = stop});
      std::vector<ClueScratch> scratch(thread_count(threads));
      std::vector<std::string> pieces;
      for (size_t begin = 0; begin < texts.size(); begin += pieces.size()) {
        size_t end = begin;
        for (uint64_t bytes = 0; end < texts.size() && end - begin < kRoundTexts && bytes < kRoundBytes; ++end) bytes += texts[end].size();
        pieces.assign(end - begin, {});
        for_all(pieces.size(), threads, stop,
                [&](uint32_t worker, size_t i) { writer.prepare(texts[begin + i], scratch[worker], pieces[i]); });
        for (size_t i = 0; i < pieces.size(); ++i) {
          const std::string number = given ? std::string() : std::to_string(begin + i);
          ids[begin + i] = writer.add_prepared(given ? (*given)[begin + i] : std::string_view(number), pieces[i]);
        }
      }
      writer.commit();
    });
    return ids.finish();
  }

  nb::dict search(nb::handle clue, const nb::dict& given, uint32_t threads) const {
    const auto index = held();
    std::deque<std::string> repaired;
    const nb::object kept = nb::borrow(clue);
    const std::string_view text = text_of(clue, repaired, "clue");
    ClueSearch search = clue_search_of(given);
    search.threads = threads;
    ClueAnswer answer;
    const auto ask = [&](const StopFunction& stop) {
      search.stop = stop;
      ClueScratch scratch;
      answer = index->search(text, search, scratch);
    };
    // What reads few texts is over before a thread for it has started.
    if (!search.scan && !search.count_only && search.max_candidates <= ClueSearch().max_candidates) {
      const Unlocked unlocked;
      ask({});
    } else {
      run_job(ask);
    }
    return answer_of(answer, search);
  }

  // One answer each; a dict with the member "problem" alone for a clue that cannot be asked.
  nb::list search_all(nb::handle clues, const nb::dict& given, uint32_t threads) const {
    const auto index = held();
    const Texts texts(clues, "clues");
    ClueSearch search = clue_search_of(given);
    std::vector<ClueAnswer> answers(texts.size());
    std::vector<std::string> problems(texts.size());
    run_job([&](const StopFunction& stop) {
      search.stop = stop;
      std::vector<ClueScratch> scratch(thread_count(threads));
      for_all(texts.size(), threads, stop, [&](uint32_t worker, size_t i) {
        try {
          answers[i] = index->search(texts[i], search, scratch[worker]);
        } catch (const Error& error) {
          if (error.code() != ErrorCode::kUsage) throw;
          problems[i] = error.what();
        }
      });
    });
    nb::list list;
    for (size_t i = 0; i < answers.size(); ++i) {
      nb::dict dict;
      if (problems[i].empty()) {
        dict = answer_of(answers[i], search);
      } else {
        dict["problem"] = problems[i];
      }
      list.append(dict);
    }
    return list;
  }

  [[nodiscard]] nb::object text(uint64_t id) const {
    return maybe([&](const ClueIndex& index) { return index.text(id); });
  }
  [[nodiscard]] nb::object name(uint64_t id) const {
    return maybe([&](const ClueIndex& index) { return index.name(id); });
  }

  // (positions in `names`, ids)
  nb::tuple find_names(nb::handle names) const {
    const auto index = held();
    const Texts texts(names, "names");
    NameMatches found;
    run_job([&](const StopFunction& stop) {
      const StopScope scope(&stop);
      found.find(*index, texts);
    });
    return found.finish();
  }

  void remove(const Numbers& ids) {
    const auto index = held();
    run_job([&, list = numbers_of(ids)](const StopFunction& stop) { remove_all(*index, list, stop); });
  }
  void flush() {
    const auto index = held();
    run_job([&](const StopFunction&) { index->flush(); });
  }
  void merge(size_t max_segments, uint32_t threads, uint64_t memory) {
    const auto index = held();
    run_job([&](const StopFunction& stop) { index->merge(max_segments, {.threads = threads, .memory = memory, .stop = stop}); });
  }
  void verify(uint32_t threads) const {
    const auto index = held();
    run_job([&](const StopFunction& stop) {
      const StopScope scope(&stop);
      index->verify(threads);
    });
  }

  [[nodiscard]] nb::dict stat() const {
    const ClueIndexStat stat = held()->stat();
    nb::dict dict;
    dict["texts"] = stat.texts;
    dict["removed_ids"] = stat.removed_ids;
    dict["next_id"] = stat.next_id;
    nb::list segments;
    for (const ClueSegmentStat& segment : stat.segments) {
      nb::dict row;
      row["file"] = segment.file;
      row["bytes"] = segment.bytes;
      row["texts"] = segment.texts;
      row["postings"] = segment.postings;
      row["anchor_bytes"] = segment.anchor_bytes;
      segments.append(row);
    }
    dict["segments"] = segments;
    return dict;
  }

 private:
  [[nodiscard]] std::shared_ptr<ClueIndex> held() const {
    if (index_) return index_;
    throw Error(ErrorCode::kUsage, fmt::format("the index '{}' is closed", path_));
  }

  template <typename Read>
  nb::object maybe(const Read& read) const {
    const auto index = held();
    const std::optional<std::string> found = [&] {
      const Unlocked unlocked;
      return read(*index);
    }();
    return found ? str_of(*found) : nb::object(nb::none());
  }

  const std::string path_;
  std::shared_ptr<ClueIndex> index_;
  const ClueRecipe recipe_;
};

}  // namespace

void bind_clue(nb::module_& module) {
  nb::class_<ClueObject>(module, "ClueIndex")
      .def_static("create", &ClueObject::create, nb::arg("path"), nb::arg("fold_han"), nb::arg("min_run"), nb::call_guard<Unlocked>())
      .def_static("open", &ClueObject::open, nb::arg("path"), nb::arg("write"), nb::call_guard<Unlocked>())
      .def("add", &ClueObject::add, nb::arg("texts").none(), nb::arg("names").none(), nb::arg("threads"), nb::arg("memory"))
      .def("search", &ClueObject::search, nb::arg("clue").none(), nb::arg("options"), nb::arg("threads"))
      .def("search_all", &ClueObject::search_all, nb::arg("clues").none(), nb::arg("options"), nb::arg("threads"))
      .def("text", &ClueObject::text, nb::arg("id"))
      .def("name", &ClueObject::name, nb::arg("id"))
      .def("find_names", &ClueObject::find_names, nb::arg("names").none())
      .def("remove", &ClueObject::remove, nb::arg("ids").noconvert())
      .def("flush", &ClueObject::flush)
      .def("merge", &ClueObject::merge, nb::arg("max_segments"), nb::arg("threads"), nb::arg("memory"))
      .def("verify", &ClueObject::verify, nb::arg("threads"))
      .def("stat", &ClueObject::stat)
      .def("close", &ClueObject::close)
      .def_prop_ro("closed", &ClueObject::closed)
      .def_prop_ro("path", &ClueObject::path)
      .def_prop_ro("fold_han", [](const ClueObject& self) { return self.recipe().fold_han; })
      .def_prop_ro("refers", [](const ClueObject& self) { return self.recipe().refer; })
      .def_prop_ro("min_run", [](const ClueObject& self) { return self.recipe().min_run; })
      .def_prop_ro("min_run_wide", [](const ClueObject& self) { return self.recipe().min_run_wide(); });
}

}  // namespace neardup::python
