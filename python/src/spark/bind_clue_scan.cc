// ClueScanner, and its ScanHits: the hits of many clues in columns of texts.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.h"
#include "arrow/table.h"
#include "index/clue_options.h"
#include "neardup/error.h"
#include "neardup/tools/clue_scan.h"
#include "spark/bind_spark.h"
#include "spark/columns.h"
#include "spark/stage_object.h"
#include "texts.h"
#include "unlocked.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace neardup::python {
namespace {

constexpr size_t kIdBytes = sizeof(int64_t);
constexpr uint64_t kSignBit = uint64_t{1} << 63;

// Eight bytes that are ordered as the numbers are.
std::string bytes_of_number(int64_t id) {
  const uint64_t bits = static_cast<uint64_t>(id) ^ kSignBit;
  std::string bytes(kIdBytes, 0);
  for (size_t i = 0; i < kIdBytes; ++i) bytes[i] = static_cast<char>(bits >> 8 * (kIdBytes - 1 - i));
  return bytes;
}
int64_t number_of_bytes(std::string_view bytes) noexcept {
  uint64_t bits = 0;
  for (const char byte : bytes) bits = bits << 8 | static_cast<uint8_t>(byte);
  return static_cast<int64_t>(bits ^ kSignBit);
}

class NumberColumn {
 public:
  explicit NumberColumn(size_t rows) { values_.reserve(rows); }
  template <typename Value>
  void add(Value value) {
    values_.push_back(static_cast<int64_t>(value));
  }
  void finish(std::string name, Table& table) { table.add(std::move(name), std::move(values_)); }

 private:
  std::vector<int64_t> values_;
};

class TextsColumn {
 public:
  explicit TextsColumn(size_t rows) { ends_.reserve(rows); }
  void add(std::string_view text) {
    bytes_.append(text);
    ends_.push_back(static_cast<int64_t>(bytes_.size()));
  }
  void finish(std::string name, Table& table) { table.add(std::move(name), std::move(bytes_), std::move(ends_)); }

 private:
  std::string bytes_;
  std::vector<int64_t> ends_;
};

std::shared_ptr<Table> table_of(const std::vector<ScanHits::Found>& found, bool numbered) {
  const size_t rows = found.size();
  NumberColumn clues(rows), orders(rows), numbers(rows), begins(rows), ends(rows), begin_characters(rows), end_characters(rows),
      edits(rows), occurrences(rows);
  TextsColumn names(rows), passages(rows), differences(rows);
  std::vector<double> similarities;
  for (const ScanHits::Found& each : found) {
    clues.add(each.clue);
    orders.add(each.order);
    numbered ? numbers.add(number_of_bytes(each.id)) : names.add(each.id);
    begins.add(each.hit.begin);
    ends.add(each.hit.end);
    begin_characters.add(each.hit.begin_character);
    end_characters.add(each.hit.end_character);
    edits.add(each.hit.edits);
    similarities.push_back(each.hit.similarity);
    occurrences.add(each.hit.occurrences);
    passages.add(each.hit.passage);
    differences.add(each.hit.differences);
  }
  auto table = std::make_shared<Table>(rows);
  clues.finish("clue", *table);
  orders.finish("order", *table);
  numbered ? numbers.finish("id", *table) : names.finish("id", *table);
  begins.finish("begin", *table);
  ends.finish("end", *table);
  begin_characters.finish("begin_character", *table);
  end_characters.finish("end_character", *table);
  edits.finish("edits", *table);
  table->add("similarity", std::move(similarities));
  occurrences.finish("occurrences", *table);
  passages.finish("passage", *table);
  differences.finish("differences", *table);
  return table;
}

class ScannerObject {
 public:
  ScannerObject(nb::handle names, nb::handle clues, const nb::dict& options, bool fold_han) {
    const Texts given_names(names, "names");
    const Texts given_clues(clues, "clues");
    if (given_names.size() != given_clues.size())
      throw Error(ErrorCode::kUsage, fmt::format("names: {} for {} clues; expected one each", given_names.size(), given_clues.size()));
    const ClueSearch search = clue_search_of(options);
    const Unlocked unlocked;
    std::vector<ScanClue> all(given_clues.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = {given_names[i], given_clues[i]};
    scanner_ = std::make_unique<ClueScanner>(all, ClueRecipe{.fold_han = fold_han}, search);
  }
  [[nodiscard]] const ClueScanner& scanner() const noexcept { return *scanner_; }

 private:
  std::unique_ptr<const ClueScanner> scanner_;
};

class HitsObject {
 public:
  HitsObject(const ScannerObject& scanner, bool numbered, uint64_t memory)
      : numbered_(numbered), memory_(memory), stage_(std::make_unique<ScanHits>(scanner.scanner())) {}

  // The hits that are held, if they exceed the memory.
  std::shared_ptr<Table> add(nb::handle ids, nb::handle texts) {
    const NullableTexts given(texts, "texts");
    if (numbered_) {
      const auto ranks = nb::cast<Ranks>(ids);
      const auto numbers = span_of(ranks);
      check_lengths(numbers.size(), given.views().size(), "texts");
      return add_all(given, [&](size_t i) { return bytes_of_number(numbers[i]); });
    }
    const Texts names(ids, "ids");
    check_lengths(names.size(), given.views().size(), "texts");
    return add_all(given, [&](size_t i) { return names[i]; });
  }

  // (the hits that are held, the matching texts of each clue)
  nb::tuple finish() {
    std::vector<int64_t> counts;
    auto table = stage_.call(
        [&](ScanHits& hits) {
          counts.assign(hits.counts().begin(), hits.counts().end());
          return take(hits);
        },
        true);
    return nb::make_tuple(std::move(table), array_of(std::move(counts)));
  }

 private:
  template <typename IdOf>
  std::shared_ptr<Table> add_all(const NullableTexts& texts, const IdOf& id_of) {
    return stage_.call([&](ScanHits& hits) -> std::shared_ptr<Table> {
      for (size_t i = 0; i < texts.views().size(); ++i) {
        if (texts.views()[i]) hits.add(id_of(i), *texts.views()[i]);
      }
      return hits.held_bytes() > memory_ ? take(hits) : nullptr;
    });
  }
  [[nodiscard]] std::shared_ptr<Table> take(ScanHits& hits) const {
    std::vector<ScanHits::Found> found;
    hits.take(found);
    return table_of(found, numbered_);
  }

  const bool numbered_;
  const uint64_t memory_;
  StageObject<ScanHits> stage_;
};

}  // namespace

void bind_clue_scan(nb::module_& part) {
  nb::class_<HitsObject>(part, "ScanHits")
      .def("add", &HitsObject::add, "ids"_a.none(), "texts"_a.none())
      .def("finish", &HitsObject::finish);
  nb::class_<ScannerObject>(part, "ClueScanner")
      .def(nb::init<nb::handle, nb::handle, const nb::dict&, bool>(), "names"_a.none(), "clues"_a.none(), "options"_a, "fold_han"_a)
      .def(
          "hits", [](const ScannerObject& self, bool numbered, uint64_t memory) { return new HitsObject(self, numbered, memory); },
          nb::keep_alive<0, 1>(), "numbered"_a, "memory"_a, "Collects hits of this scanner; ids are int64 if numbered, else strings.");
}

}  // namespace neardup::python
