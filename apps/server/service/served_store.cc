#include "server/service/served_store.h"

#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <utility>

#include "neardup/recipe.h"
#include "neardup/tools/online_answer.h"

namespace neardup::server {
namespace {

constexpr size_t kMostPassages = 20;

OnlineStoreRun run_of(const StoreService& service, Latency& sync_times) {
  return {.threads = service.threads, .sync_interval_ms = service.sync_interval_ms, .synced = [&sync_times](uint64_t micros) {
            sync_times.record(micros);
          }};
}

}  // namespace

std::string_view to_string(CheckCount count) noexcept {
  constexpr std::array<std::string_view, kCheckCounts> kNames{"kept", "exact_copy", "near_duplicate", "repeated", "conflict", "refused"};
  return kNames[static_cast<size_t>(count)];
}

uint64_t clock_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

// Without `spec` it exists.
ServedStore::ServedStore(std::string name, const std::string& folder, const OnlineStoreSpec* spec, const StoreService& service)
    : name_(std::move(name)),
      sync_times_(std::make_unique<Latency>()),
      store_(std::make_unique<OnlineStore>(spec == nullptr ? OnlineStore::open(folder, OnlineAccess::kWrite, run_of(service, *sync_times_))
                                                           : OnlineStore::create(folder, *spec, run_of(service, *sync_times_)))),
      sketcher_(std::make_unique<const Sketcher>(Recipe::load(store_->spec().recipe))),
      removals_(service.remembered),
      queue_(*store_) {}

ServedStore::ServedStore(std::string name, const std::string& folder, const StoreService& service)
    : ServedStore(std::move(name), folder, nullptr, service) {}

ServedStore::ServedStore(std::string name, const std::string& folder, const OnlineStoreSpec& spec, const StoreService& service)
    : ServedStore(std::move(name), folder, &spec, service) {}

void ServedStore::note(std::span<const OnlineRequest> requests, std::span<const OnlineAnswer> answers, uint64_t micros) {
  check_times_.record(micros, answers.size());
  const uint64_t now = clock_ms();
  for (size_t i = 0; i < answers.size(); ++i) note_one(requests[i], answers[i], now);
}

void ServedStore::note_one(const OnlineRequest& request, const OnlineAnswer& answer, uint64_t now_ms) {
  const auto counted_as = [&] {
    if (answer.outcome == OnlineOutcome::kRepeated) return CheckCount::kRepeated;
    if (answer.outcome == OnlineOutcome::kConflict) return CheckCount::kConflict;
    if (answer.outcome == OnlineOutcome::kInvalid) return CheckCount::kRefused;
    if (answer.decision == Decision::kKeep) return CheckCount::kKept;
    return answer.reason == Reason::kExactCopy ? CheckCount::kExactCopy : CheckCount::kNearDuplicate;
  }();
  ++counts_[static_cast<size_t>(counted_as)];
  if (counted_as == CheckCount::kConflict || counted_as == CheckCount::kRefused) return;
  if (counted_as == CheckCount::kExactCopy || counted_as == CheckCount::kNearDuplicate) {
    removals_.add(answer.keeper_id, answer.sequence,
                  {.id = std::string(request.id), .reason = answer.reason, .similarity = answer.similarity, .time_ms = now_ms});
  }
  events_.decision([&] {
    std::string event;
    append_online_answer(request.id, answer, true, event);
    event.pop_back();
    fmt::format_to(std::back_inserter(event), ",\"time\":{}}}", now_ms);
    return event;
  });
}

Comparison ServedStore::compare(std::string_view a, std::string_view b) const {
  return compare_texts(*sketcher_, a, b, kMostPassages, 0);
}

bool ServedStore::matches(const Comparison& comparison) const {
  const OnlineStoreSpec& spec = store_->spec();
  return comparison.bits != 0 ? comparison.matches_within(spec.max_distance) : comparison.matches(spec.threshold);
}

double ServedStore::similarity(const Comparison& comparison) const {
  if (comparison.exact_copy) return 1;
  if (!comparison.measurable()) return 0;
  if (comparison.bits == 0) return comparison.jaccard();
  return static_cast<double>(comparison.bits - comparison.distance) / static_cast<double>(comparison.bits);
}

std::optional<std::optional<std::string>> ServedStore::text_of(std::string_view id) const {
  std::optional<std::optional<std::string>> text;
  store_->find(id, [&](const OnlineDocument& document) {
    text.emplace();
    if (document.text) text->emplace(*document.text);
  });
  return text;
}

}  // namespace neardup::server
