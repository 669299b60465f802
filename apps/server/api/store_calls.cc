// Stores as a whole: list, creation, statistics, events, upkeep.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "neardup/recipe.h"
#include "neardup/tools/online_answer.h"
#include "neardup/tools/printable.h"
#include "server/api/api_error.h"
#include "server/api/calls.h"
#include "server/api/json_body.h"
#include "server/api/resident_memory.h"

namespace neardup::server {
namespace {

constexpr uint64_t kMostMs = 4'102'444'800'000;
constexpr double kLeastThreshold = 1e-6;
constexpr uint64_t kMostLength = 1'000'000'000;
constexpr uint64_t kMostDistance = 128;

std::string store_json(ServedStore& store) {
  const OnlineStoreStat stat = store.store().stat();
  std::string out = fmt::format(R"({{"name":"{}","rule":{{"recipe":)", store.name());
  append_json_text(stat.recipe, out);
  fmt::format_to(std::back_inserter(out), R"(,"threshold":{:.6f},"max_distance":{},"min_length":{},"ttl":{},"texts":{}}},)",
                 stat.spec.threshold.value(), stat.spec.max_distance, stat.spec.min_length,
                 stat.spec.ttl_ms == 0 ? "null" : fmt::format("{}", stat.spec.ttl_ms), stat.spec.texts);
  fmt::format_to(std::back_inserter(out), R"("documents":{},"next_sequence":{}}})", stat.kept, stat.next_sequence);
  return out;
}

// The JSON of a recipe may name files for the library to read.
void refuse_files_of_recipe(std::string_view recipe) {
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(recipe, error);
  if (error || !value.is_object()) return;  // the library says what is wrong
  const boost::json::object& members = value.get_object();
  const auto text_of = [](const boost::json::object& object, std::string_view name) {
    const boost::json::value* const found = object.if_contains(name);
    return found != nullptr && found->is_string() ? std::string_view(found->get_string()) : std::string_view();
  };
  const auto is_id = [](std::string_view text) {
    return text.size() == 16 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  };
  const auto refuse = [](std::string_view name) {
    throw ApiError(
        422, fmt::format("\"recipe\": \"{}\" names a file; stores with files of their own are made with 'neardup store build'", name));
  };
  for (const std::string_view name : {"user_words", "line_lists"}) {
    if (members.contains(name)) refuse(name);
  }
  // Installed ones are named by their ids, or have names such as english_v1.
  if (const auto dictionary = text_of(members, "dictionary"); !dictionary.empty() && !is_id(dictionary)) refuse("dictionary");
  if (const auto list = text_of(members, "stop_words"); !list.empty() && !is_id(list) && !list.ends_with("_v1")) refuse("stop_words");
  const boost::json::value* const weighting = members.if_contains("weighting");
  if (weighting == nullptr || !weighting->is_object()) return;
  if (const auto idf = text_of(weighting->get_object(), "idf"); !idf.empty() && idf != "corpus") refuse("idf");
}

OnlineStoreSpec spec_of(JsonBody& body) {
  OnlineStoreSpec spec;
  if (const auto recipe = body.optional_text("recipe")) spec.recipe = *recipe;
  // What is neither is the name of a file for the library: a client has no business with those of the server.
  const auto presets = Recipe::preset_names();
  if (!spec.recipe.starts_with('{') && std::ranges::find(presets, spec.recipe) == presets.end()) {
    throw ApiError(422, fmt::format("\"recipe\": expected the name of a preset, or the JSON of a recipe, not '{}'",
                                    printable(std::string_view(spec.recipe).substr(0, 100))));
  }
  refuse_files_of_recipe(spec.recipe);
  if (const auto threshold = body.number("threshold", kLeastThreshold, 1))
    spec.threshold = Threshold::from_millionths(static_cast<uint32_t>(std::llround(*threshold * 1e6)));
  if (const auto distance = body.integer("max_distance", 0, kMostDistance)) spec.max_distance = static_cast<uint32_t>(*distance);
  if (const auto length = body.integer("min_length", 0, kMostLength)) spec.min_length = *length;
  if (const auto ttl = body.integer("ttl", 1, kMostMs)) spec.ttl_ms = *ttl;
  spec.texts = body.flag("texts", true);
  body.finish();
  return spec;
}

bool same_rule(const OnlineStoreSpec& a, const OnlineStoreStat& existing) {
  const OnlineStoreSpec& b = existing.spec;
  return Recipe::load(a.recipe).id() == existing.recipe_id && a.threshold.millionths() == b.threshold.millionths() &&
         a.max_distance == b.max_distance && a.min_length == b.min_length && a.ttl_ms == b.ttl_ms && a.texts == b.texts;
}

void append_quantiles(std::string_view name, const Latency& latency, std::string& out) {
  const Latency::Quantiles found = latency.quantiles();
  fmt::format_to(std::back_inserter(out), R"("{}":{{"p50":{:.3f},"p99":{:.3f}}},)", name, found.p50_ms, found.p99_ms);
}

// "20261128T061500Z"; the next ones in the same second get a number.
std::string snapshot_name(const std::string& folder, const std::string& store) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts);
  const std::string name = fmt::format("{}-{}", store, text.data());
  std::string free = name;
  for (int number = 2; std::filesystem::exists(std::filesystem::path(folder) / free); ++number) free = fmt::format("{}-{}", name, number);
  return free;
}

}  // namespace

std::string stats_json(const ApiContext& context, ServedStore& store) {
  const OnlineStoreStat stat = store.store().stat();
  const auto count = [&](CheckCount which) { return store.count(which); };
  std::string out =
      fmt::format(R"({{"name":"{}","documents":{},"deleted":{},"next_sequence":{},"record_bytes":{},"segments":{},"segment_bytes":{},)"
                  R"("rows_in_memory":{},"template_rows":{},)",
                  store.name(), stat.kept, stat.deleted, stat.next_sequence, stat.record_bytes, stat.segments, stat.segment_bytes,
                  stat.rows_in_memory, stat.template_rows);
  uint64_t checked = 0;
  for (size_t i = 0; i < kCheckCounts; ++i) checked += count(static_cast<CheckCount>(i));
  fmt::format_to(std::back_inserter(out),
                 R"("checked":{},"kept":{},"removed":{{"exact_copy":{},"near_duplicate":{}}},"repeated":{},"conflicts":{},"refused":{},)"
                 R"("syncs":{},"checks_per_second":{:.1f},)",
                 checked, count(CheckCount::kKept), count(CheckCount::kExactCopy), count(CheckCount::kNearDuplicate),
                 count(CheckCount::kRepeated), count(CheckCount::kConflict), count(CheckCount::kRefused), stat.syncs,
                 store.check_times().rate());
  append_quantiles("check_ms", store.check_times(), out);
  append_quantiles("sync_ms", store.sync_times(), out);
  const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - context.started);
  fmt::format_to(std::back_inserter(out), R"("queue":{{"requests":{},"bytes":{}}},"resident_bytes":{},"uptime":{}}})",
                 store.queue().waiting(), context.queued_bytes.load(), resident_bytes(), uptime.count());
  return out;
}

void call_list_stores(ApiContext& context, Call& call) {
  call.check_query({});
  std::string out = R"({"stores":[)";
  bool first = true;
  context.folders.for_each_store([&](ServedStore& store) {
    if (!std::exchange(first, false)) out += ',';
    out += store_json(store);
  });
  out += "]}";
  call.reply.send(json_response(std::move(out)));
}

void call_get_store(ApiContext& context, Call& call) {
  call.check_query({});
  call.reply.send(json_response(store_json(store_of(context, call))));
}

void call_create_store(ApiContext& context, Call& call) {
  call.check_query({});
  const std::string& name = call.parameters.front();
  if (!cli::is_service_name(name)) {
    throw ApiError(400, fmt::format("expected a name of 1 to 64 letters, digits, '-' and '_', not '{}'",
                                    printable(std::string_view(name).substr(0, 100))));
  }
  JsonBody body(call.request.body);
  const OnlineStoreSpec spec = spec_of(body);
  ServedStore* store = context.folders.store(name);
  bool created = false;
  if (store == nullptr) {
    if (!context.folders.can_create()) throw ApiError(422, "the server was started without --data, where new stores would be");
    store = &context.folders.create(name, spec, created);
  }
  if (!created && !same_rule(spec, store->store().stat()))
    throw ApiError(409, fmt::format("the store '{}' exists, and has another rule", name));
  call.reply.send(json_response(store_json(*store), created ? 201 : 200));
}

void call_stats(ApiContext& context, Call& call) {
  call.check_query({});
  call.reply.send(json_response(stats_json(context, store_of(context, call))));
}

void call_events(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  if (!store.events().has_room()) throw ApiError(429, fmt::format("{} clients watch this store already", EventHub::kMostWatchers));
  HttpResponse head{.content_type = "text/event-stream",
                    .body = "retry: 2000\n\nevent: stats\ndata: " + stats_json(context, store) + "\n\n"};
  head.headers.emplace_back("Cache-Control", "no-store");
  store.events().add(call.reply.stream(std::move(head)));
}

void call_sync(ApiContext& context, Call& call) {
  call.check_query({});
  store_of(context, call).store().sync();
  call.reply.send({.status = 204});
}

void call_snapshot(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  const std::string& folder = context.options.snapshots;
  if (folder.empty()) throw ApiError(422, "the server was started without --snapshots, where copies would be");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string name = snapshot_name(folder, store.name());
  store.store().copy_to(folder + "/" + name);
  call.reply.send(json_response(fmt::format(R"({{"snapshot":"{}","documents":{}}})", name, store.store().stat().kept), 201));
}

void call_compact(ApiContext& context, Call& call) {
  call.check_query({});
  store_of(context, call).store().compact();
  call.reply.send({.status = 204});
}

}  // namespace neardup::server
