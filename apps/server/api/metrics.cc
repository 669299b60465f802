#include "server/api/metrics.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <iterator>
#include <vector>

#include "server/api/resident_memory.h"

namespace neardup::server {
namespace {

class MetricsText {
 public:
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    fmt::format_to(std::back_inserter(text), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
  }
  template <typename Value>
  void sample(std::string_view labels, const Value& value) {
    if (labels.empty()) {
      fmt::format_to(std::back_inserter(text), "{} {}\n", name_, value);
    } else {
      fmt::format_to(std::back_inserter(text), "{}{{{}}} {}\n", name_, labels, value);
    }
  }
  std::string text;

 private:
  std::string name_;
};

struct StoreState {
  ServedStore* store;
  OnlineStoreStat stat;
  std::string label;
};

void append_stores(const std::vector<StoreState>& stores, MetricsText& out) {
  struct Gauge {
    std::string_view name, type, help;
    uint64_t (*value)(const OnlineStoreStat&);
  };
  constexpr std::array kGauges{
      Gauge{"neardup_store_documents", "gauge", "Documents in the store", [](const OnlineStoreStat& s) { return s.kept; }},
      Gauge{"neardup_store_deleted_documents", "gauge", "Deleted documents that a compaction will drop",
            [](const OnlineStoreStat& s) { return s.deleted; }},
      Gauge{"neardup_store_record_bytes", "gauge", "Size of the records on the disk",
            [](const OnlineStoreStat& s) { return s.record_bytes; }},
      Gauge{"neardup_store_table_bytes", "gauge", "Size of the tables on the disk",
            [](const OnlineStoreStat& s) { return s.segment_bytes; }},
      Gauge{"neardup_store_segments", "gauge", "Segments of the tables", [](const OnlineStoreStat& s) { return s.segments; }},
      Gauge{"neardup_store_failed", "gauge", "1 if the store takes no changes after a failed write",
            [](const OnlineStoreStat& s) { return uint64_t{!s.failure.empty()}; }},
      Gauge{"neardup_store_syncs_total", "counter", "Syncs of the log", [](const OnlineStoreStat& s) { return s.syncs; }}};
  for (const Gauge& gauge : kGauges) {
    out.begin(gauge.name, gauge.type, gauge.help);
    for (const StoreState& state : stores) out.sample(state.label, gauge.value(state.stat));
  }
  out.begin("neardup_checks_total", "counter", "Answers to checks, by what they said");
  for (const StoreState& state : stores) {
    for (size_t i = 0; i < kCheckCounts; ++i) {
      const auto which = static_cast<CheckCount>(i);
      out.sample(fmt::format(R"({},answer="{}")", state.label, to_string(which)), state.store->count(which));
    }
  }
  out.begin("neardup_queue_requests", "gauge", "Checks that wait to be decided");
  for (const StoreState& state : stores) out.sample(state.label, state.store->queue().waiting());
  struct Times {
    std::string_view name, help;
    const Latency& (*of)(const ServedStore&);
  };
  constexpr std::array kTimes{
      Times{"neardup_check_seconds", "From the arrival of a check to its answer",
            [](const ServedStore& s) -> const Latency& { return s.check_times(); }},
      Times{"neardup_query_seconds", "From the arrival of a query to its answer",
            [](const ServedStore& s) -> const Latency& { return s.query_times(); }},
      Times{"neardup_sync_seconds", "Syncs of the log", [](const ServedStore& s) -> const Latency& { return s.sync_times(); }}};
  for (const Times& times : kTimes) {
    out.begin(times.name, "histogram", times.help);
    for (const StoreState& state : stores) times.of(*state.store).append_histogram(times.name, state.label, out.text);
  }
}

}  // namespace

std::string metrics_text(const ApiContext& context, const HttpCounts& counts) {
  MetricsText out;
  std::vector<StoreState> stores;
  context.folders.for_each_store([&](ServedStore& store) {
    stores.push_back({.store = &store, .stat = store.store().stat(), .label = fmt::format(R"(store="{}")", store.name())});
  });
  append_stores(stores, out);
  out.begin("neardup_http_answers_total", "counter", "Answers by the class of their status");
  for (size_t i = 1; i < counts.by_class.size(); ++i) out.sample(fmt::format(R"(class="{}xx")", i), counts.by_class[i].load());
  out.begin("neardup_http_request_bytes_total", "counter", "Bytes of the bodies of requests");
  out.sample("", counts.request_bytes.load());
  out.begin("neardup_http_answer_bytes_total", "counter", "Bytes of the bodies of answers");
  out.sample("", counts.answer_bytes.load());
  out.begin("neardup_queue_bytes", "gauge", "Bodies of requests that are not answered yet");
  out.sample("", context.queued_bytes.load());
  out.begin("process_resident_memory_bytes", "gauge", "Resident memory, mapped files included");
  out.sample("", resident_bytes());
  out.begin("neardup_uptime_seconds", "gauge", "Seconds since the server was started");
  out.sample("", std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - context.started).count());
  out.begin("neardup_build_info", "gauge", "The version of the server");
  out.sample(fmt::format(R"(version="{}")", context.options.version), 1);
  return std::move(out.text);
}

}  // namespace neardup::server
