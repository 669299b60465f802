#include "neardup/tools/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "base/open_file.h"
#include "dedup/record/record_layout.h"
#include "neardup/error.h"
#include "neardup/tools/nearest_names.h"
#include "store/segment_file.h"

namespace neardup {

using record::Counts;
using record::IdHash;
using record::Row;

// The mapped file. Trusts no number in it: a place outside of a section is an error, as a wrong hash is.
class RunRecord::File {
 public:
  explicit File(std::string directory)
      : directory_(std::move(directory)), file_(SegmentFile::open(directory_ + "/" + std::string(record::kFileName), record::kKind, 0)) {
    const std::string_view payload = file_->payload();
    if (payload.size() < sizeof(Counts)) refuse();
    counts_ = value<Counts>(payload.size() - sizeof(Counts));
    if (counts_.format != record::kFormat) {
      throw Error(ErrorCode::kInput, fmt::format("'{}': format {}, this program reads format {}; run neardup dedup --resume again",
                                                 file_->name(), counts_.format, record::kFormat));
    }
    const uint64_t room = payload.size() - sizeof(Counts);
    const auto fits = [&](uint64_t count, uint64_t bytes) { return count <= room / bytes; };
    if (!fits(counts_.documents, sizeof(Row)) || counts_.ids > counts_.documents || counts_.removed > counts_.documents ||
        !fits(counts_.sources, sizeof(record::Source)) || counts_.documents != file_->entries()) {
      refuse();
    }
    ids_at_ = counts_.documents * sizeof(Row);
    members_at_ = ids_at_ + counts_.ids * sizeof(IdHash);
    sources_at_ = members_at_ + counts_.removed * sizeof(uint64_t);
    if (sources_at_ + counts_.sources * sizeof(record::Source) != room) refuse();
    const std::string summary = directory_ + "/" + std::string(record::kSummaryName);
    if (path_kind(summary) != PathKind::kMissing) summary_ = read_file(summary);
    while (!summary_.empty() && summary_.back() == '\n') summary_.pop_back();
  }

  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
  [[nodiscard]] const SegmentFile& segment() const noexcept { return *file_; }
  [[nodiscard]] const std::string& directory() const noexcept { return directory_; }
  [[nodiscard]] const std::string& summary() const noexcept { return summary_; }

  [[nodiscard]] Row row(uint64_t number) const {
    const auto row = value<Row>(number * sizeof(Row));
    if (row.source >= counts_.sources || row.keeper_source >= counts_.sources || row.reason > static_cast<uint8_t>(kLastReason)) {
      refuse();
    }
    return row;
  }
  [[nodiscard]] DocumentId place(uint64_t number) const {
    const Row found = row(number);
    return {found.source, found.row};
  }
  [[nodiscard]] IdHash id_hash(uint64_t i) const { return value<IdHash>(ids_at_ + i * sizeof(IdHash)); }
  /// The number of the i-th removed document, by keeper.
  [[nodiscard]] uint64_t member(uint64_t i) const {
    const auto number = value<uint64_t>(members_at_ + i * sizeof(uint64_t));
    if (number >= counts_.documents) refuse();
    return number;
  }
  [[nodiscard]] record::Source source(uint32_t i) const { return value<record::Source>(sources_at_ + i * sizeof(record::Source)); }
  [[nodiscard]] std::string_view name(uint64_t at, uint64_t bytes) const {
    const std::string_view names = file_->names();
    if (at > names.size() || bytes > names.size() - at) refuse();
    file_->names_guard().check(names.data() + at, bytes);
    file_->check();
    return names.substr(at, bytes);
  }
  [[noreturn]] void refuse() const {
    throw Error(ErrorCode::kInput,
                fmt::format("'{}': the verdicts are damaged; neardup dedup --resume {} writes them again", file_->name(), directory_));
  }

 private:
  template <typename T>
  [[nodiscard]] T value(uint64_t at) const {
    const char* const from = file_->payload().data() + at;
    file_->guard().check(from, sizeof(T));
    T value;
    std::memcpy(&value, from, sizeof value);
    file_->check();
    return value;
  }

  const std::string directory_;
  const std::unique_ptr<const SegmentFile> file_;
  Counts counts_{};
  uint64_t ids_at_ = 0;
  uint64_t members_at_ = 0;
  uint64_t sources_at_ = 0;
  std::string summary_;
};

namespace {

// The first of [0, count) for which before(i) is false; it is true for all those to its left.
template <typename Before>
uint64_t first_not(uint64_t count, const Before& before) {
  uint64_t begin = 0;
  for (uint64_t end = count; begin < end;) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (before(middle)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace

std::unique_ptr<const RunRecord> RunRecord::open(const std::string& directory) {
  const auto missing = [&](std::string_view name) { return path_kind(directory + "/" + std::string(name)) == PathKind::kMissing; };
  if (path_kind(directory) == PathKind::kMissing) throw Error(ErrorCode::kInput, fmt::format("there is no folder '{}'", directory));
  if (missing("RUN") && missing("COMMAND")) {
    throw Error(ErrorCode::kInput, fmt::format("there is no run in '{}'; neardup dedup --work DIR leaves one in DIR", directory));
  }
  if (missing(record::kFileName)) {
    throw Error(ErrorCode::kInput,
                fmt::format("the run in '{0}' is not finished, or an older version finished it: it has no {1}; neardup dedup --resume {0} "
                            "writes it",
                            directory, record::kFileName));
  }
  return std::unique_ptr<const RunRecord>(new RunRecord(std::make_unique<const File>(directory)));
}

RunRecord::RunRecord(std::unique_ptr<const File> file) : file_(std::move(file)) {}

RunRecord::~RunRecord() = default;

uint64_t RunRecord::size() const noexcept {
  return file_->counts().documents;
}

RunRecord::Entry RunRecord::entry(uint64_t number) const {
  const Row row = file_->row(number);
  const auto has = [&](Row::Flag flag) { return (row.flags & flag) != 0; };
  const std::string_view names = file_->name(row.names_at, uint64_t{row.id_bytes} + row.keeper_id_bytes);
  Entry entry{.where = {row.source, row.row},
              .id = names.substr(0, row.id_bytes),
              .has_id = has(Row::kHasId),
              .reason = static_cast<Reason>(row.reason),
              .offset = {},
              .cluster_size = row.cluster_size,
              .similarity_millionths = row.similarity,
              .keeper = {row.source, row.row},
              .keeper_id = names.substr(0, row.id_bytes),
              .keeper_has_id = has(Row::kHasId)};
  if (row.offset != record::kNoOffset) entry.offset = row.offset;
  if (!has(Row::kRemoved)) return entry;
  entry.keeper = {row.keeper_source, row.keeper_row};
  entry.keeper_id = names.substr(row.id_bytes);
  entry.keeper_has_id = has(Row::kKeeperHasId);
  return entry;
}

std::vector<uint64_t> RunRecord::find(std::string_view id) const {
  const uint64_t hash = hash64(id);
  const uint64_t ids = file_->counts().ids;
  std::vector<uint64_t> numbers;
  for (uint64_t i = first_not(ids, [&](uint64_t at) { return file_->id_hash(at).hash < hash; }); i < ids; ++i) {
    const IdHash found = file_->id_hash(i);
    if (found.hash != hash) break;
    if (found.number >= size()) file_->refuse();
    const Row row = file_->row(found.number);
    if (file_->name(row.names_at, row.id_bytes) == id) numbers.push_back(found.number);
  }
  return numbers;
}

std::optional<uint64_t> RunRecord::find(const DocumentId& where) const {
  const uint64_t number = first_not(size(), [&](uint64_t at) { return file_->place(at) < where; });
  if (number == size() || file_->place(number) != where) return std::nullopt;
  return number;
}

std::vector<std::string> RunRecord::nearest(std::string_view id, size_t most) const {
  NearestNames nearest{std::string(id), most};
  for (uint64_t number = 0; number < size(); ++number) {
    const Row row = file_->row(number);
    if ((row.flags & Row::kHasId) != 0) nearest.look(file_->name(row.names_at, row.id_bytes));
  }
  return nearest.names();
}

std::vector<uint64_t> RunRecord::members(const DocumentId& keeper, size_t most) const {
  const auto keeper_of = [&](uint64_t at) {
    const Row row = file_->row(file_->member(at));
    return DocumentId{row.keeper_source, row.keeper_row};
  };
  const uint64_t removed = file_->counts().removed;
  std::vector<uint64_t> numbers;
  for (uint64_t i = first_not(removed, [&](uint64_t at) { return keeper_of(at) < keeper; }); i < removed && numbers.size() < most; ++i) {
    if (keeper_of(i) != keeper) break;
    numbers.push_back(file_->member(i));
  }
  return numbers;
}

uint32_t RunRecord::source_count() const noexcept {
  return static_cast<uint32_t>(file_->counts().sources);
}

std::string_view RunRecord::source_name(uint32_t source) const {
  const record::Source found = file_->source(source);
  return file_->name(found.names_at, found.name_bytes);
}

RunRecord::SourceKind RunRecord::source_kind(uint32_t source) const {
  const record::Source found = file_->source(source);
  if (found.kind > static_cast<uint32_t>(SourceKind::kInput)) file_->refuse();
  return static_cast<SourceKind>(found.kind);
}

std::string_view RunRecord::source_state(uint32_t source) const {
  const record::Source found = file_->source(source);
  if (found.name_bytes > ~found.names_at) file_->refuse();
  return file_->name(found.names_at + found.name_bytes, found.state_bytes);
}

std::optional<uint32_t> RunRecord::find_source(std::string_view name) const {
  for (uint32_t i = 0; i < source_count(); ++i) {
    if (source_name(i) == name) return i;
  }
  return std::nullopt;
}

uint64_t RunRecord::recipe_id() const noexcept {
  return file_->segment().recipe_id();
}

std::string_view RunRecord::recipe_json() const noexcept {
  return file_->segment().recipe();
}

const std::string& RunRecord::summary_json() const noexcept {
  return file_->summary();
}

const std::string& RunRecord::directory() const noexcept {
  return file_->directory();
}

}  // namespace neardup
