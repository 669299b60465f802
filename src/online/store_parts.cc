#include "online/store_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "base/parallel.h"
#include "neardup/error.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr size_t kReplayed = 4096;   // documents that are prepared in parallel when a store is opened
constexpr uint64_t kMergeRatio = 3;  // a segment is merged with the later ones unless it is so many times larger
constexpr size_t kMaxCodeSegments = 8;
constexpr size_t kVisited = 4096;      // documents that are listed under one lock
constexpr size_t kAddedTogether = 32;  // documents under one lock
constexpr size_t kAddedAhead = 2;      // documents between a prefetch and its use

std::string tables_folder(const std::string& folder) {
  return folder + "/tables";
}
std::string codes_folder(const std::string& folder) {
  return folder + "/codes";
}

HammingStoreSpec code_spec(const OnlineSettings& settings) {
  return {.bits = settings.bits(),
          .radius = settings.spec().max_distance,
          .recipe_id = settings.recipe().id(),
          .recipe = settings.recipe().canonical_json()};
}

template <typename Store>
using CodeOf = std::conditional_t<std::is_same_v<Store, HammingStore64>, Fingerprint64, Fingerprint128>;

// Calls work(store) with the store of fingerprints, unless there is none.
template <typename Codes, typename Work>
void with_codes(Codes& codes, const Work& work) {
  if (auto* const narrow = std::get_if<HammingStore64>(&codes)) work(*narrow);
  if (auto* const wide = std::get_if<HammingStore128>(&codes)) work(*wide);
}

void create_codes(const std::string& folder, const OnlineSettings& settings) {
  if (settings.bits() == 64) HammingStore64::create(codes_folder(folder), code_spec(settings)).flush();
  if (settings.bits() == 128) HammingStore128::create(codes_folder(folder), code_spec(settings)).flush();
}

}  // namespace

void StoreParts::create(const std::string& folder, const OnlineSettings& settings) {
  TableStore tables(tables_folder(folder), settings.tables(), std::make_unique<NewFolder>(tables_folder(folder)));
  tables.flush({});
  create_codes(folder, settings);
}

StoreParts::StoreParts(std::string folder, const OnlineSettings& settings, RecordLog& log, OnlineAccess access, uint32_t threads,
                       uint32_t segment_rows)
    : folder_(std::move(folder)),
      settings_(settings),
      log_(log),
      access_(access),
      current_(std::make_unique<Delta>(settings.layout())),
      hot_(settings.spec().threshold) {
  const std::string in = tables_folder(folder_);
  tables_ = std::make_unique<TableStore>(in, access == OnlineAccess::kWrite ? TableStore::lock_existing(in) : nullptr);
  if (tables_->spec() != settings.tables())
    throw Error(ErrorCode::kInput, fmt::format("'{}': the tables are not those of the records next to them", in));
  const HammingAccess code_access = access == OnlineAccess::kWrite ? HammingAccess::kWrite : HammingAccess::kRead;
  if (settings.bits() == 64) codes_.emplace<HammingStore64>(HammingStore64::open(codes_folder(folder_), code_access));
  if (settings.bits() == 128) codes_.emplace<HammingStore128>(HammingStore128::open(codes_folder(folder_), code_access));
  with_codes(codes_, [&](auto& store) { codes_covered_ = store.stat().next_id; });
  load(threads, segment_rows);
}

void StoreParts::load(uint32_t threads, uint32_t segment_rows) {
  refresh_locked();
  require_known_files();
  for (const PartPointer& segment : segments_) {
    segment->segment->for_each_hot([&](uint64_t sequence, std::span<const uint64_t> features) { hot_.insert(sequence, features); });
  }
  struct Waiting {
    StoredDocument document;
    std::string id;
    std::string bytes;
    RecordPlace place;
    Prepared prepared;
  };
  std::vector<Waiting> waiting;
  std::vector<PrepareScratch> scratch(threads);
  const auto add_waiting = [&] {
    parallel_for(threads, waiting.size(), 16, [&](uint32_t worker, size_t i) {
      Waiting& at = waiting[i];
      at.document.id = at.id;
      at.document.bytes = at.bytes;
      prepare_stored(settings_, at.document, log_.name_of(at.place), scratch[worker], at.prepared);
      RowHead head = at.prepared.head();
      head.sequence = at.document.sequence;
      head.expires = at.document.expires;
      head.place = at.place.place;
      head.record_bytes = at.place.bytes;
      RowLayout::set_head(head, at.prepared.row.data());
    });
    for (const Waiting& at : waiting) add_locked(at.prepared);
    if (!waiting.empty()) end_ = waiting.back().document.sequence + 1;
    waiting.clear();
    if (segment_rows == 0 || current_->rows() < segment_rows) return;
    frozen_ = std::exchange(current_, std::make_unique<Delta>(settings_.layout()));
    frozen_end_ = end_;
    refresh_locked();
    write_frozen(0, threads);
  };
  const uint64_t from = covered();
  log_.replay(from, {.document =
                         [&](const StoredDocument& document, const RecordPlace& place) {
                           logged_time_ = std::max(logged_time_, document.time);
                           if (document.sequence < from) return;
                           waiting.push_back({document, std::string(document.id), std::string(document.bytes), place, {}});
                           if (waiting.size() == kReplayed) add_waiting();
                         },
                     .event =
                         [&](const StoreEvent& event) {
                           logged_time_ = std::max(logged_time_, event.time);
                           if (event.kind == StoreEvent::Kind::kDelete) {
                             liveness_.remove(event.target);
                           } else {
                             liveness_.set_expiry(event.target, event.expires);
                           }
                         },
                     .state =
                         [&](const LogState& state) {
                           logged_time_ = std::max(logged_time_, state.time);
                           for (const uint64_t sequence : state.removed) liveness_.remove(sequence);
                           for (const auto& [sequence, expires] : state.expiries) liveness_.set_expiry(sequence, expires);
                         }});
  add_waiting();
  end_ = log_.end();
  refresh_locked();
  // The state of the log may name rows that a later merge left out, or gave their expiry.
  const std::vector<uint64_t> removed(liveness_.removed().begin(), liveness_.removed().end());
  for (const uint64_t sequence : removed) {
    if (!Finder::row_of(parts_, sequence)) liveness_.forget(sequence);
  }
  const std::vector<std::pair<uint64_t, uint64_t>> later(liveness_.later().begin(), liveness_.later().end());
  for (const auto& [sequence, expires] : later) {
    const std::optional<RowHead> row = Finder::row_of(parts_, sequence);
    if (!row || row->expires == expires) liveness_.settle(sequence, expires);
  }
  check_codes(threads);
}

// Fingerprints whose records a power loss took would be those of the next documents.
void StoreParts::check_codes(uint32_t threads) {
  if (access_ == OnlineAccess::kRead || codes_covered_ <= end_) return;
  codes_.emplace<std::monostate>();
  std::filesystem::remove_all(codes_folder(folder_));
  create_codes(folder_, settings_);
  if (settings_.bits() == 64) codes_.emplace<HammingStore64>(HammingStore64::open(codes_folder(folder_), HammingAccess::kWrite));
  if (settings_.bits() == 128) codes_.emplace<HammingStore128>(HammingStore128::open(codes_folder(folder_), HammingAccess::kWrite));
  PrepareScratch scratch;
  Prepared prepared;
  RecordLog::Space space;
  for_each_live(0, [&](const RowHead& head) {
    if (head.is_short != 0) return true;
    prepare_stored(settings_, log_.read(place_of(head), space), log_.name_of(place_of(head)), scratch, prepared);
    with_codes(codes_,
               [&](auto& store) { store.add(narrowed<CodeOf<std::remove_cvref_t<decltype(store)>>>(prepared.code), head.sequence); });
    return true;
  });
  with_codes(codes_, [&](auto& store) { store.flush({.threads = threads}); });
  codes_covered_ = 0;
}

// A reader may have opened the log and the tables before and after a compaction.
void StoreParts::require_known_files() const {
  RecordLog::Space space;
  for (const TablePart& part : parts_) {
    if (part.rows != 0) static_cast<void>(log_.read(place_of(RowLayout::head(part.row(0))), space));
  }
}

void StoreParts::near_codes(Fingerprint128 code, HammingStoreScratch& scratch, const std::function<void(uint64_t, uint32_t)>& visit) const {
  with_codes(codes_, [&](auto& store) {
    using Code = CodeOf<std::remove_cvref_t<decltype(store)>>;
    std::vector<HammingHit> hits;
    store.query(narrowed<Code>(code), settings_.spec().max_distance, scratch, hits);
    for (const HammingHit& hit : hits) visit(hit.id, hit.distance);
  });
  for (const auto& [other, sequence] : unwritten_codes_) {
    const uint32_t distance = hamming_distance(code, other);
    if (distance <= settings_.spec().max_distance) visit(sequence, distance);
  }
}

void StoreParts::add_locked(const Prepared& document) {
  const RowHead head = document.head();
  const bool entered = current_->add(document.row, [this](const RowHead& other) { return liveness_.removed(other.sequence); });
  if (!entered) hot_.insert(head.sequence, document.features);
  if (settings_.bits() == 0 || head.is_short != 0) return;
  with_codes(codes_, [&](auto& store) {
    using Code = CodeOf<std::remove_cvref_t<decltype(store)>>;
    if (head.sequence < codes_covered_) return;
    if (access_ == OnlineAccess::kRead) {
      unwritten_codes_.emplace_back(document.code, head.sequence);
    } else {
      store.add(narrowed<Code>(document.code), head.sequence);
    }
  });
}

// A few at a time: whoever looks up texts waits meanwhile. Nobody sees them before the end moves.
void StoreParts::apply(std::span<const Prepared* const> documents, const Liveness& changes, uint64_t end) {
  for (size_t begin = 0; begin < documents.size(); begin += kAddedTogether) {
    const std::unique_lock lock(seen_);
    for (size_t i = begin; i < std::min(begin + kAddedTogether, documents.size()); ++i) {
      if (i + kAddedAhead < documents.size()) current_->prefetch(documents[i + kAddedAhead]->row);
      add_locked(*documents[i]);
      parts_.back() = current_->part();
    }
  }
  const std::unique_lock lock(seen_);
  for (const uint64_t sequence : changes.removed()) liveness_.remove(sequence);
  for (const auto& [sequence, expires] : changes.later()) {
    if (!changes.removed(sequence)) liveness_.set_expiry(sequence, expires);
  }
  end_ = end;
}

uint32_t StoreParts::rows_in_memory() const {
  const std::shared_lock lock(seen_);
  return current_->rows();
}

bool StoreParts::frozen() const {
  const std::shared_lock lock(seen_);
  return frozen_ != nullptr;
}

void StoreParts::freeze(uint64_t now) {
  // Only fingerprints whose records are on the disk may be: their sequences would be given again after a crash.
  with_codes(codes_, [&](auto& store) { store.flush(); });
  LogState state{.time = now, .removed = {}, .expiries = {}};
  {
    const std::shared_lock lock(seen_);
    if (frozen_) return;
    state.removed.assign(liveness_.removed().begin(), liveness_.removed().end());
    state.expiries.assign(liveness_.later().begin(), liveness_.later().end());
  }
  std::ranges::sort(state.removed);
  std::ranges::sort(state.expiries);
  log_.rotate(state);
  auto next = std::make_unique<Delta>(settings_.layout(), kBucketRows, std::max(rows_in_memory(), Delta::kFirstRows));
  const std::unique_lock lock(seen_);
  frozen_ = std::exchange(current_, std::move(next));
  frozen_end_ = end_;
  refresh_locked();
}

// Also when nothing changes for other threads: it is called by the constructor.
void StoreParts::refresh_locked() {
  segments_ = tables_->view().segments;
  std::ranges::sort(segments_, {}, [](const PartPointer& part) { return first_sequence(*part->segment); });
  parts_.clear();
  for (const PartPointer& segment : segments_) parts_.push_back(segment->segment->part());
  if (frozen_) parts_.push_back(frozen_->part());
  parts_.push_back(current_->part());
}

void StoreParts::read_features(uint64_t sequence, std::vector<uint64_t>& features) const {
  RowHead head;
  {
    const std::shared_lock lock(seen_);
    if (const auto known = hot_.features(sequence)) {
      features.assign(known->begin(), known->end());
      return;
    }
    const std::optional<RowHead> row = Finder::row_of(parts_, sequence);
    if (!row)
      throw Error(ErrorCode::kInput,
                  fmt::format("'{}': the tables have no document {}; 'neardup store repair' makes them again", folder_, sequence));
    head = *row;
  }
  PrepareScratch scratch;
  Prepared prepared;
  RecordLog::Space space;
  prepare_stored(settings_, log_.read(place_of(head), space), log_.name_of(place_of(head)), scratch, prepared);
  features = std::move(prepared.features);
}

TableRows StoreParts::live_rows(const TablePart& part, uint64_t now, std::vector<uint64_t>& left_out) const {
  TableRows rows{.part = part, .rows = {}};
  for (uint32_t begin = 0; begin < part.rows; begin += kVisited) {
    const std::shared_lock lock(seen_);  // not for long: a waiting writer keeps all readers waiting
    for (uint32_t row = begin; row < std::min<uint64_t>(uint64_t{begin} + kVisited, part.rows); ++row) {
      const RowHead head = RowLayout::head(part.row(row));
      if (liveness_.alive(head, now)) {
        rows.rows.push_back(row);
      } else {
        left_out.push_back(head.sequence);
      }
    }
  }
  return rows;
}

void StoreParts::replace(const Replacement& replacement, uint32_t threads) {
  uint64_t count = 0;
  for (const TableRows& part : replacement.rows) count += part.rows.size();
  std::optional<NewSegment> added;
  std::vector<std::pair<uint64_t, uint64_t>> settled;
  if (count != 0) {
    RecordLog::Space space;
    std::string packed;
    const auto change = [&](uint8_t* row) {
      RowHead head = RowLayout::head(row);
      {
        const std::shared_lock lock(seen_);
        const uint64_t expires = liveness_.expiry(head);
        if (expires != head.expires) settled.emplace_back(head.sequence, expires);
        head.expires = expires;
      }
      if (replacement.copy != nullptr) {
        StoredDocument document = log_.read(place_of(head), space);
        document.expires = head.expires;
        pack(document, packed);
        const RecordPlace place = replacement.copy->add(document);
        head.place = place.place;
        head.record_bytes = place.bytes;
      }
      RowLayout::set_head(head, row);
    };
    const std::string name = tables_->new_segment();
    added = NewSegment{name, write_table_segment(
                                 tables_->folder() + "/" + name, tables_->spec(), replacement.rows, change,
                                 [this](uint64_t sequence, std::vector<uint64_t>& out) { read_features(sequence, out); }, threads)};
  }
  // Rows are left out for good, or given another expiry: what did that must be on the disk.
  log_.sync();
  if (replacement.copy != nullptr) log_.install(*replacement.copy, covered());
  if (replacement.of_frozen && frozen_end_ > 0) tables_->note_id(frozen_end_ - 1);
  if (added || !replacement.replaced.empty()) {
    tables_->publish(added, std::nullopt, replacement.replaced, {});
  } else {
    tables_->flush({});
  }
  with_codes(codes_, [&](auto& store) {
    for (const uint64_t sequence : replacement.left_out) store.remove(sequence);
  });
  const std::unique_lock lock(seen_);
  if (replacement.of_frozen) frozen_.reset();
  refresh_locked();
  for (const PartPointer& segment : segments_) {
    if (!added || segment->listed.file != added->file) continue;
    segment->segment->for_each_hot([&](uint64_t sequence, std::span<const uint64_t> features) { hot_.insert(sequence, features); });
  }
  ++generation_;
  for (const uint64_t sequence : replacement.left_out) liveness_.forget(sequence);
  for (const auto& [sequence, expires] : settled) liveness_.settle(sequence, expires);
  forget_hot_locked(replacement.left_out);
}

// When a third of it is gone: that costs the time of making it anew.
void StoreParts::forget_hot_locked(const std::vector<uint64_t>& left_out) {
  for (const uint64_t sequence : left_out) gone_from_hot_ += static_cast<uint64_t>(hot_.features(sequence).has_value());
  if (gone_from_hot_ * 3 <= hot_.size()) return;
  hot_.remove_if([this](uint64_t sequence) { return !Finder::row_of(parts_, sequence).has_value(); });
  gone_from_hot_ = 0;
}

void StoreParts::write_frozen(uint64_t now, uint32_t threads) {
  if (!frozen()) return;
  Replacement replacement{.of_frozen = true};
  replacement.rows.push_back(live_rows(frozen_->part(), now, replacement.left_out));
  replace(replacement, threads);
  with_codes(codes_, [&](auto& store) {
    if (store.stat().segments.size() > kMaxCodeSegments) store.merge(kMaxCodeSegments / 4, {.threads = threads});
  });
}

void StoreParts::merge_run(std::vector<PartPointer> run, uint64_t now, uint32_t threads, RecordLog::Copy* copy) {
  Replacement replacement{.replaced = std::move(run), .copy = copy};
  for (const PartPointer& part : replacement.replaced)
    replacement.rows.push_back(live_rows(part->segment->part(), now, replacement.left_out));
  replace(replacement, threads);
}

bool StoreParts::merge(uint64_t now, uint32_t threads) {
  std::vector<PartPointer> run;
  uint64_t rows = 0;
  {
    const std::shared_lock lock(seen_);
    // The latest segments, as long as the one before them is not much larger: so there are few, and each row is merged few times.
    for (size_t at = segments_.size(); at > 0; --at) {
      const uint64_t own = segments_[at - 1]->segment->rows();
      if (!run.empty() && own > rows * kMergeRatio) break;
      run.insert(run.begin(), segments_[at - 1]);
      rows += own;
    }
  }
  if (run.size() < 4) return false;
  merge_run(std::move(run), now, threads, nullptr);
  return true;
}

void StoreParts::compact(uint64_t now, uint32_t threads) {
  std::vector<PartPointer> all;
  {
    const std::shared_lock lock(seen_);
    all = segments_;
  }
  const auto copy = log_.copy();
  merge_run(std::move(all), now, threads, copy.get());
  log_.drop_replaced();
  with_codes(codes_, [&](auto& store) { store.merge(1, {.threads = threads}); });
}

void StoreParts::for_each_live(uint64_t now, const std::function<bool(const RowHead&)>& visit, uint64_t first) const {
  std::vector<RowHead> heads;
  for (uint64_t from = first;;) {
    heads.clear();
    see(now, [&](const Visible& visible) {
      for (const TablePart& part : visible.parts) {
        if (part.rows == 0 || part.last_sequence < from) continue;
        for (uint32_t row = part.lower_bound(from); row < part.rows && heads.size() < kVisited; ++row) {
          RowHead head = RowLayout::head(part.row(row));
          from = head.sequence + 1;
          if (!visible.has(head)) continue;
          head.expires = visible.expiry(head.sequence, head.expires);
          heads.push_back(head);
        }
        if (heads.size() == kVisited) return;
      }
    });
    for (const RowHead& head : heads) {
      if (!visit(head)) return;
    }
    if (heads.size() < kVisited) return;
  }
}

void StoreParts::verify(uint32_t threads) const {
  for (const PartPointer& segment : tables_->view().segments) segment->segment->verify(threads);
  with_codes(codes_, [&](auto& store) { store.verify(threads); });
}

StoreParts::Stat StoreParts::stat() const {
  const std::shared_lock lock(seen_);
  Stat stat{.segments = segments_.size(), .dead = liveness_.removed().size(), .hot = hot_.size()};
  for (const PartPointer& segment : segments_) stat.segment_bytes += segment->segment->file().file_bytes();
  for (const TablePart& part : parts_) stat.rows += part.rows;
  return stat;
}

void StoreParts::copy_to(const std::string& folder) const {
  std::error_code error;
  for (const std::string& from : {tables_folder(folder_), codes_folder(folder_)}) {
    if (!fs::exists(from, error)) continue;
    const std::string to = folder + "/" + fs::path(from).filename().string();
    fs::create_directory(to, error);
    for (fs::directory_iterator at(from, error), end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (name == "LOCK" || name.ends_with(".partial")) continue;
      // Segments never change; the manifest is replaced, not changed.
      fs::create_hard_link(at->path(), fs::path(to) / name, error);
      if (error) fs::copy_file(at->path(), fs::path(to) / name, error);
      if (error) break;
    }
    if (error) throw Error(ErrorCode::kOutput, fmt::format("cannot copy '{}' to '{}': {}", from, to, error.message()));
  }
}

}  // namespace neardup
