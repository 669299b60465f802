#include "neardup/tools/source_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "io/bytes/buffer.h"
#include "io/bytes/input_file.h"
#include "io/bytes/uri.h"
#include "io/json/json_record.h"
#include "io/port/source_traits.h"
#include "jobs/files/id_condition.h"
#include "neardup/error.h"
#include "neardup/tools/secrets.h"

namespace neardup {
namespace {

constexpr size_t kFirstBytes = size_t{1} << 16;  // of a line, before its end is known

std::string place_label(const TextPlace& place) {
  return fmt::format("'{}' row {}", place.source, place.row);
}

[[noreturn]] void refuse_text(const TextPlace& place, std::string_view why) {
  throw Error(ErrorCode::kInput, fmt::format("{} {}", place_label(place), why));
}

// A document that is rejected now, or has another id, is not the one of the run.
void check_text(const TextPlace& place, const Record& record) {
  if (!record.problem.empty()) refuse_text(place, fmt::format("cannot be read any more: {}", record.problem));
  if (!place.has_id || place.lossy_id || (record.has_id && record.id == place.id)) return;
  refuse_text(place, fmt::format("changed since the run: its id was '{}' and is {} now", place.id,
                                 record.has_id ? fmt::format("'{}'", record.id) : std::string("missing")));
}

}  // namespace

// The wanted documents of one source.
class SourceTexts::Group {
 public:
  Group(const SourceTexts& texts, std::span<const TextPlace> places, std::vector<size_t> members, const Visit& visit)
      : texts_(texts), places_(places), members_(std::move(members)), visit_(visit), input_(texts.input_of(first().source)) {}

  void read() {
    if (database_of(input_) != Database::kNone) return read_database();
    const std::unique_ptr<DocumentSource> source = open(texts_.options_);
    const std::string state = source->state_of(0);
    if (!first().state.empty() && state != first().state) {
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}' changed since the run: it had {} and now has {}", first().source, first().state, state));
    }
    if (has_offsets() && !TraitsOf(*source).is_text(0)) return read_lines();
    read_rows(*source);
  }

 private:
  [[nodiscard]] const TextPlace& first() const { return places_[members_.front()]; }
  [[nodiscard]] bool has_offsets() const {
    return std::ranges::all_of(members_, [&](size_t member) { return places_[member].offset.has_value(); });
  }
  [[nodiscard]] std::unique_ptr<DocumentSource> open(const SourceOptions& options) const { return open_source({input_}, options); }

  void give(size_t member, const Record& record) const {
    check_text(places_[member], record);
    visit_(member, record);
  }

  // Each line alone.
  void read_lines() const {
    const InputFile file(first().source);
    const RecordFields fields{.text = texts_.options_.text_field,
                              .id = texts_.options_.id_field == kAutoIdField ? "id" : texts_.options_.id_field,
                              .rank = {},
                              .block = texts_.options_.block_field};
    RecordParser parser(fields);
    Buffer buffer;
    for (const size_t member : members_) {
      const TextPlace& place = places_[member];
      Record record;
      record.where = {.source = 0, .row = place.row};
      record.offset = place.offset;
      record.raw = read_line(file, place, buffer);
      parser.parse(record.raw, record);
      give(member, record);
    }
  }

  std::string_view read_line(const InputFile& file, const TextPlace& place, Buffer& buffer) const {
    buffer.set_size(0);
    for (size_t wanted = kFirstBytes;; wanted *= 4) {
      buffer.reserve(wanted);
      const size_t before = buffer.size();
      const size_t got = file.read_at(*place.offset + before, buffer.data() + before, wanted - before);
      const std::string_view added(buffer.data() + before, got);
      const size_t end = added.find('\n');
      buffer.set_size(before + (end == std::string_view::npos ? got : end));
      if (end != std::string_view::npos || got < wanted - before) break;
      if (buffer.size() > texts_.options_.max_record_bytes) refuse_text(place, "changed since the run: its line is too long");
    }
    if (buffer.size() == 0) refuse_text(place, "changed since the run: its line is empty");
    return buffer.view();
  }

  // Finds the numbers of the records in their batches, then reads those. Nothing else knows the row of a record before it is read.
  void read_rows(DocumentSource& source) const {
    using Wanted = std::vector<std::pair<uint32_t, size_t>>;  // record, member; ascending
    std::map<uint64_t, Wanted> by_batch;
    uint64_t before = 0;  // rows of earlier batches
    size_t next = 0;
    for (uint64_t ordinal = 0; next < members_.size(); ++ordinal) {
      const std::unique_ptr<Batch> batch = source.next();
      if (!batch) break;
      batch->read(Batch::Need::kPlace, {}, [&](uint32_t number, const Record& record) {
        const uint64_t row = before + record.where.row;
        while (next < members_.size() && places_[members_[next]].row < row) ++next;  // there is none with this row
        for (; next < members_.size() && places_[members_[next]].row == row; ++next) {
          by_batch[ordinal].emplace_back(number, members_[next]);
        }
      });
      before += batch->rows();
    }
    source.rewind();
    size_t found = 0;
    uint64_t ordinal = 0;
    for (const auto& [wanted_batch, wanted] : by_batch) {
      std::unique_ptr<Batch> batch = source.next();
      for (; ordinal < wanted_batch; ++ordinal) {
        batch->read(
            Batch::Need::kPlace, [](uint32_t) { return false; }, [](uint32_t, const Record&) {});
        batch = source.next();
      }
      ++ordinal;
      found += read_batch(*batch, wanted);
    }
    if (found == members_.size()) return;
    // The first that is missing.
    for (const size_t member : members_) {
      const bool is_there = std::ranges::any_of(by_batch, [&](const auto& batch) {
        return std::ranges::any_of(batch.second, [&](const auto& one) { return one.second == member; });
      });
      if (!is_there) refuse_text(places_[member], "is not there any more: the source changed since the run");
    }
  }

  size_t read_batch(Batch& batch, const std::vector<std::pair<uint32_t, size_t>>& wanted) const {
    size_t given = 0;
    batch.read(
        Batch::Need::kParsed,
        [&](uint32_t number) {
          const auto at = std::ranges::lower_bound(wanted, number, {}, [](const auto& one) { return one.first; });
          return at != wanted.end() && at->first == number;
        },
        [&](uint32_t number, const Record& record) {
          for (const auto& [at, member] : std::ranges::equal_range(wanted, number, {}, &std::pair<uint32_t, size_t>::first)) {
            give(member, record);
            ++given;
          }
        });
    return given;
  }

  // By ids as far as possible.
  void read_database() {
    std::erase_if(members_, [&](size_t member) { return ask(places_[member], member); });
    if (!members_.empty()) read_rows(*open(texts_.options_));
  }

  // False if the database does not have exactly one document with this id, or cannot compare it.
  [[nodiscard]] bool ask(const TextPlace& place, size_t member) const {
    if (!place.has_id || place.lossy_id) return false;
    SourceOptions options = texts_.options_;
    try {
      options.where = id_condition(input_, place.id, texts_.options_);
      if (options.where.empty()) return false;
      const std::unique_ptr<DocumentSource> source = open(options);
      uint64_t found = 0;
      const auto next = [&] { return source->next(); };
      for (auto batch = next(); batch && found < 2; batch = next()) {
        batch->read(Batch::Need::kPlace, {}, [&](uint32_t, const Record&) { ++found; });
      }
      if (found != 1) return false;
      source->rewind();
      bool given = false;
      source->next()->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
        if (given || !record.has_id || record.id != place.id) return;
        give(member, record);
        given = true;
      });
      return given;
    } catch (const Error& error) {
      // Such as a type that cannot be compared with a string. If the server is gone, reading the rows reports it.
      if (error.code() != ErrorCode::kInput && error.code() != ErrorCode::kUsage) throw;
      return false;
    }
  }

  const SourceTexts& texts_;
  const std::span<const TextPlace> places_;
  std::vector<size_t> members_;
  const Visit& visit_;
  const std::string input_;
};

SourceTexts::SourceTexts(std::vector<std::string> inputs, SourceOptions options)
    : inputs_(std::move(inputs)), options_(std::move(options)) {
  options_.field_checks = SourceOptions::FieldChecks::kNone;
  options_.required_fields.clear();
  options_.once = false;
}

std::string SourceTexts::input_of(const std::string& source) const {
  if (source == "-") throw Error(ErrorCode::kInput, "the text came from standard input, which cannot be read again; save it to a file");
  if (database_of(source) == Database::kNone) return source;
  const auto found =
      std::ranges::find_if(inputs_, [&](const std::string& input) { return is_uri(input) && without_secrets(input) == source; });
  return found == inputs_.end() ? source : *found;
}

void SourceTexts::read(std::span<const TextPlace> places, const Visit& visit) const {
  std::vector<size_t> order(places.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return std::tie(places[a].source, places[a].row, a) < std::tie(places[b].source, places[b].row, b);
  });
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin + 1;
    while (end < order.size() && places[order[end]].source == places[order[begin]].source) ++end;
    Group(*this, places, {order.begin() + static_cast<ptrdiff_t>(begin), order.begin() + static_cast<ptrdiff_t>(end)}, visit).read();
    begin = end;
  }
}

}  // namespace neardup
