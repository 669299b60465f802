#include "neardup/online_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "base/parallel.h"
#include "neardup/error.h"
#include "online/decider.h"
#include "online/new_store.h"
#include "online/upkeep.h"
#include "store/folder_lock.h"

namespace neardup {
namespace {

constexpr size_t kGroup = 256;  // requests that are decided, written and synced together

std::string records_folder(const std::string& folder) {
  return folder + "/records";
}

uint64_t clock_ms() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

std::unique_ptr<const OnlineSettings> read_settings(const RecordLog& log, const std::string& folder, const std::string& recipe) {
  const std::string name = fmt::format("'{}'", folder);
  return OnlineSettings::from_json(log.settings(), name, recipe);
}

}  // namespace

struct OnlineStore::Impl {
  // `repair_lock`: held already, by a repair.
  Impl(std::string store_folder, OnlineAccess store_access, const OnlineStoreRun& store_run, const std::string& recipe,
       std::unique_ptr<FolderLock> repair_lock = nullptr)
      : folder(std::move(store_folder)),
        access(store_access),
        run(store_run),
        threads(resolve_threads(store_run.threads)),
        is_repair(repair_lock != nullptr),
        lock(std::move(repair_lock)),
        log(locked_records(), access == OnlineAccess::kWrite ? RecordLog::Access::kWrite : RecordLog::Access::kRead),
        settings(read_settings(log, folder, recipe)),
        parts(folder, *settings, log, access, threads, is_repair ? run.rows_in_memory : 0),
        opened_end(parts.end()),
        sync([this] { sync_log(); }, parts.end()),
        decider(*settings, log, parts, sync),
        contexts(*settings, log) {
    if (access == OnlineAccess::kWrite) {
      const auto failed = [this](const char* why) { sync.fail(why); };
      upkeep.emplace([this] { do_upkeep(); }, failed, 0);
      if (run.sync_interval_ms != 0) syncing.emplace([this] { sync.wait(parts.end()); }, failed, run.sync_interval_ms);
    }
  }

  // An empty batch at the end shows that all before it was whole, whatever happens to the file.
  ~Impl() {
    if (!upkeep) return;
    syncing.reset();
    upkeep.reset();
    try {
      const uint64_t end = parts.end();
      sync.wait(end);
      LogBatch last;
      if (end != opened_end) log.write(last, end, end);
    } catch (const std::exception&) {  // nothing that was acknowledged is lost
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::string locked_records() {
    if (access == OnlineAccess::kWrite && !lock) lock = std::make_unique<FolderLock>(folder, "the store");
    return records_folder(folder);
  }
  void require_writing() const {
    if (access == OnlineAccess::kRead) throw Error(ErrorCode::kUsage, fmt::format("the store '{}' is open for reading", folder));
  }
  void sync_log() {
    const auto start = std::chrono::steady_clock::now();
    log.sync();
    if (!run.synced) return;
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
    run.synced(static_cast<uint64_t>(took.count()));
  }
  // Documents that a question may see: after a failed write, only those that are surely on the disk.
  [[nodiscard]] uint64_t readable_end() const { return sync.failed() ? sync.durable() : UINT64_MAX; }

  // The document of a row, whose expiry is as it is now.
  OnlineDocument read_document(const RowHead& head, WorkContext& context) const {
    const StoredDocument document = log.read(place_of(head), context.space);
    OnlineDocument out{.sequence = document.sequence,
                       .time_ms = document.time,
                       .expires_ms = {},
                       .id = document.id,
                       .text = text_of(document, context.prepare_stored.text, log.name_of(place_of(head)))};
    if (head.expires != RowHead::kNever) out.expires_ms = head.expires;
    return out;
  }

  void prepare_group(std::span<const OnlineRequest> requests, uint64_t now, std::vector<PreparedRequest>& group, WorkContext& context) {
    decider.prepare_requests(requests, now, readable_end(), context, group);
  }
  // Both return the end of the sequences that must be on the disk before the answers are given.
  uint64_t decide_group(std::span<PreparedRequest> group, std::span<OnlineAnswer> answers) {
    const ContextPool::Lease context(contexts);
    wait_for_room();
    const uint64_t needed = decider.decide(group, *context, answers);
    count(answers);
    return needed;
  }
  uint64_t ask_group(std::span<const PreparedRequest> group, std::span<OnlineAnswer> answers) {
    uint64_t needed = 0;
    for (size_t i = 0; i < group.size(); ++i) {
      answers[i] = Decider::answer_of(group[i]);
      if (group[i].match) needed = std::max(needed, group[i].match->sequence + 1);
      if (answers[i].decision == Decision::kKeep) answers[i].sequence = 0;
    }
    count(answers);
    return access == OnlineAccess::kWrite && !sync.failed() ? needed : 0;
  }
  void make_durable(uint64_t needed) {
    if (run.sync_interval_ms == 0) sync.wait(needed);
  }
  void count(std::span<const OnlineAnswer> answers) {
    checked += answers.size();
    removed += static_cast<uint64_t>(std::ranges::count(answers, Decision::kRemove, &OnlineAnswer::decision));
  }

  // Rows of the next segment: enough of them are frozen; far more wait until the one before is written.
  void wait_for_room() {
    constexpr uint64_t kMostLogBytes = uint64_t{64} << 30;  // of a file
    if (parts.rows_in_memory() < std::max(run.rows_in_memory, 1u) && log.active_bytes() < kMostLogBytes) return;
    if (parts.frozen()) {
      if (parts.rows_in_memory() < 2 * uint64_t{run.rows_in_memory}) return;
      upkeep->wait([this] { return !parts.frozen(); });
    }
    freeze();
    upkeep->poke();
  }
  void freeze() {
    const uint64_t now = decider.now();
    decider.pause([&] {
      sync.wait(parts.end());
      parts.freeze(now);
    });
  }
  // By the time of the store: that of the machine may be another one, as when an old stream is read again.
  void do_upkeep() {
    const uint64_t now = decider.now();
    parts.write_frozen(now, threads);
    while (parts.merge(now, threads)) {
    }
  }

  const std::string folder;
  const OnlineAccess access;
  const OnlineStoreRun run;
  const uint32_t threads;
  const bool is_repair;
  std::unique_ptr<FolderLock> lock;
  RecordLog log;
  std::unique_ptr<const OnlineSettings> settings;
  StoreParts parts;
  const uint64_t opened_end;
  WalSync sync;
  Decider decider;
  ContextPool contexts;
  std::atomic<uint64_t> checked = 0;
  std::atomic<uint64_t> removed = 0;
  std::optional<Upkeep> upkeep;   // the last two use all others
  std::optional<Upkeep> syncing;  // at intervals
};

OnlineStore::OnlineStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OnlineStore::~OnlineStore() = default;
OnlineStore::OnlineStore(OnlineStore&&) noexcept = default;
OnlineStore& OnlineStore::operator=(OnlineStore&&) noexcept = default;

OnlineStore OnlineStore::create(const std::string& folder, const OnlineStoreSpec& spec, const OnlineStoreRun& run) {
  const OnlineSettings settings(spec);
  create_store_folder(folder, settings);
  return open(folder, OnlineAccess::kWrite, run);
}

OnlineStore OnlineStore::open(const std::string& folder, OnlineAccess access, const OnlineStoreRun& run, const std::string& recipe) {
  require_store_folder(folder);
  if (access == OnlineAccess::kWrite) return OnlineStore(std::make_unique<Impl>(folder, access, run, recipe));
  // The writer may be replacing files at this moment.
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    try {
      return OnlineStore(std::make_unique<Impl>(folder, access, run, recipe));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInput || attempt == kAttempts) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

void OnlineStore::apply(std::span<const OnlineRequest> requests, std::vector<OnlineAnswer>& answers) {
  apply(requests, clock_ms(), answers);
}

void OnlineStore::apply(std::span<const OnlineRequest> requests, uint64_t now_ms, std::vector<OnlineAnswer>& answers) {
  Impl& impl = *impl_;
  const bool changes = std::ranges::any_of(requests, &OnlineRequest::insert);
  if (changes) {
    impl.require_writing();
    impl.sync.require_sound();
  }
  answers.assign(requests.size(), {});
  // Before anything is looked up: what a look-up takes for expired must not be renewed by a request that is decided before it.
  const uint64_t now = changes ? impl.decider.advance(now_ms) : std::max(impl.decider.now(), now_ms);
  const size_t groups = (requests.size() + kGroup - 1) / kGroup;
  const auto of_group = [&](uint64_t ordinal) {
    return requests.subspan(ordinal * kGroup, std::min(kGroup, requests.size() - ordinal * kGroup));
  };
  const auto finish = [&](uint64_t ordinal, std::vector<PreparedRequest>& group) {
    const std::span<OnlineAnswer> own = std::span(answers).subspan(ordinal * kGroup, group.size());
    return changes ? impl.decide_group(group, own) : impl.ask_group(group, own);
  };
  if (groups <= 1 || impl.threads == 1) {
    const ContextPool::Lease context(impl.contexts);
    std::vector<PreparedRequest> group;
    for (uint64_t ordinal = 0; ordinal < groups; ++ordinal) {
      impl.prepare_group(of_group(ordinal), now, group, *context);
      impl.make_durable(finish(ordinal, group));
    }
    return;
  }
  // Texts of the next groups are sketched and looked up while one is decided, and others are written to the disk.
  std::optional<SyncAhead> ahead;
  if (impl.run.sync_interval_ms == 0) ahead.emplace(impl.sync);
  std::vector<std::vector<PreparedRequest>> slots(OrderedLine::slot_count(impl.threads));
  OrderedLine::run(
      impl.threads, [&](uint64_t ordinal, size_t) { return ordinal < groups; },
      [&](uint32_t, uint64_t ordinal, size_t slot) {
        const ContextPool::Lease context(impl.contexts);
        impl.prepare_group(of_group(ordinal), now, slots[slot], *context);
      },
      [&](uint64_t ordinal, size_t slot) {
        const uint64_t needed = finish(ordinal, slots[slot]);
        if (ahead) ahead->note(needed);
      });
  if (ahead) ahead->finish();
}

void OnlineStore::remove(std::span<const std::string_view> ids, std::vector<bool>& deleted) {
  remove(ids, clock_ms(), deleted);
}

void OnlineStore::compact() {
  compact(clock_ms());
}

void OnlineStore::sync() {
  impl_->require_writing();
  impl_->sync.wait(impl_->parts.end());
}

void OnlineStore::remove(std::span<const std::string_view> ids, uint64_t now_ms, std::vector<bool>& deleted) {
  impl_->require_writing();
  const ContextPool::Lease context(impl_->contexts);
  impl_->make_durable(impl_->decider.remove(ids, now_ms, *context, deleted));
}

bool OnlineStore::find(std::string_view id, const std::function<void(const OnlineDocument&)>& visit) const {
  Impl& impl = *impl_;
  const ContextPool::Lease context(impl.contexts);
  const std::optional<RowHead> head = impl.decider.find_id(id, impl.decider.now(), *context);
  if (!head) return false;
  visit(impl.read_document(*head, *context));
  return true;
}

void OnlineStore::for_each_document(const std::function<bool(const OnlineDocument&)>& visit, uint64_t first_sequence) const {
  Impl& impl = *impl_;
  const ContextPool::Lease context(impl.contexts);
  impl.parts.for_each_live(
      impl.decider.now(), [&](const RowHead& head) { return visit(impl.read_document(head, *context)); }, first_sequence);
}

void OnlineStore::compact(uint64_t now_ms) {
  Impl& impl = *impl_;
  impl.require_writing();
  const uint64_t now = impl.decider.advance(now_ms);
  impl.upkeep->exclude([&] {
    impl.parts.write_frozen(now, impl.threads);
    impl.freeze();
    impl.parts.write_frozen(now, impl.threads);
    impl.parts.compact(now, impl.threads);
  });
}

void OnlineStore::verify() const {
  Impl& impl = *impl_;
  impl.parts.verify(impl.threads);
  const ContextPool::Lease context(impl.contexts);
  const uint64_t now = impl.decider.now();
  const auto damaged = [&](uint64_t sequence) {
    throw Error(ErrorCode::kInput, fmt::format("'{}': the tables do not have document {} as it is in the records; 'neardup store repair' "
                                               "makes them again",
                                               impl.folder, sequence));
  };
  // Rows are as their records say.
  impl.parts.for_each_live(now, [&](const RowHead& row) {
    const RecordPlace place = place_of(row);
    const StoredDocument document = impl.log.read(place, context->space);
    prepare_stored(*impl.settings, document, impl.log.name_of(place), context->prepare_stored, context->stored);
    const RowHead expected = context->stored.head();
    if (row.sequence != document.sequence || row.exact() != expected.exact() || row.id_hash != expected.id_hash ||
        row.features != expected.features || row.is_short != expected.is_short) {
      damaged(row.sequence);
    }
    return true;
  });
  // And every record that counts has a row.
  std::unordered_set<uint64_t> gone;
  std::unordered_map<uint64_t, uint64_t> expiries;
  const uint64_t end = impl.parts.end();
  impl.log.verify(
      {.document = [&](const StoredDocument& document,
                       const RecordPlace&) { expiries[document.sequence] = std::max(expiries[document.sequence], document.expires); },
       .event =
           [&](const StoreEvent& event) {
             if (event.kind == StoreEvent::Kind::kDelete) {
               gone.insert(event.target);
             } else {
               expiries[event.target] = event.expires;
             }
           },
       .state = {}});
  for (const auto& [sequence, expires] : expiries) {
    if (sequence >= end || expires <= now || gone.contains(sequence)) continue;
    if (!impl.parts.see(now, [&](const Visible& visible) { return Finder::row_of(visible.parts, sequence); })) damaged(sequence);
  }
}

void OnlineStore::copy_to(const std::string& folder) const {
  Impl& impl = *impl_;
  impl.require_writing();
  impl.upkeep->exclude([&] {
    // So that the file of the log that still grows, and must be copied, is short.
    impl.parts.write_frozen(impl.decider.now(), impl.threads);
    impl.freeze();
    impl.decider.pause([&] {
      impl.sync.wait(impl.parts.end());
      NewStoreFolder made(folder);
      impl.log.copy_to(records_folder(made.hidden()));
      impl.parts.copy_to(made.hidden());
      made.commit();
    });
  });
  impl.upkeep->poke();
}

OnlineStoreStat OnlineStore::stat() const {
  const Impl& impl = *impl_;
  const StoreParts::Stat parts = impl.parts.stat();
  return {.folder = impl.folder,
          .recipe = impl.settings->recipe().canonical_json(),
          .recipe_id = impl.settings->recipe().id(),
          .spec = impl.settings->spec(),
          .next_sequence = impl.parts.end(),
          .kept = parts.rows - std::min(parts.rows, parts.dead),
          .deleted = parts.dead,
          .rows_in_memory = impl.parts.rows_in_memory(),
          .segments = parts.segments,
          .segment_bytes = parts.segment_bytes,
          .record_bytes = impl.log.disk_bytes(),
          .template_rows = parts.hot,
          .checked = impl.checked,
          .removed = impl.removed,
          .syncs = impl.sync.syncs(),
          .failure = impl.sync.failure()};
}

const OnlineStoreSpec& OnlineStore::spec() const noexcept {
  return impl_->settings->spec();
}

void repair_online_store(const std::string& folder, const OnlineStoreRun& run, const std::string& recipe) {
  require_store_folder(folder, true);
  auto lock = std::make_unique<FolderLock>(folder, "the store");
  {
    const RecordLog log(records_folder(folder), RecordLog::Access::kRead);
    replace_tables(folder, *read_settings(log, folder, recipe));
  }
  OnlineStore store(std::make_unique<OnlineStore::Impl>(folder, OnlineAccess::kWrite, run, recipe, std::move(lock)));
  store.compact(0);
  end_repair(folder);
}

}  // namespace neardup
