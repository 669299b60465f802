// Clue indexes: which texts contain a passage, or something close to it.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "neardup/tools/online_answer.h"
#include "neardup/tools/printable.h"
#include "server/api/api_error.h"
#include "server/api/calls.h"
#include "server/api/json_body.h"

namespace neardup::server {
namespace {

constexpr uint64_t kMostHits = 1000;
constexpr uint64_t kUsualHits = 20;

Threshold threshold_of(double share) {
  return Threshold::from_millionths(static_cast<uint32_t>(std::llround(share * 1e6)));
}

ClueSearch search_of(JsonBody& body) {
  ClueSearch search;
  const std::string_view mode = body.optional_text("mode").value_or("contains");
  if (mode != "contains" && mode != "resembles") {
    throw ApiError(400, fmt::format("\"mode\": expected contains or resembles, not '{}'", printable(mode.substr(0, 60))));
  }
  const std::optional<double> edits = body.number("edits", 0, 0.5);
  const std::optional<double> threshold = body.number("threshold", 1e-6, 1);
  if (mode == "contains") {
    if (threshold) throw ApiError(400, "\"threshold\" is for the mode resembles");
    if (edits && *edits >= 1e-6) search.edits = threshold_of(*edits);
  } else {
    if (edits) throw ApiError(400, "\"edits\" is for the mode contains");
    search.mode = ClueSearch::Mode::kResembles;
    search.threshold = threshold_of(threshold.value_or(0.8));
  }
  search.limit = body.integer("limit", 1, kMostHits).value_or(kUsualHits);
  return search;
}

void append_hit(const ClueHit& hit, std::string& out) {
  fmt::format_to(std::back_inserter(out), R"({{"id":{},"name":)", hit.id);
  append_json_text(hit.name, out);
  fmt::format_to(std::back_inserter(out), R"(,"begin":{},"end":{},"passage":)", hit.begin, hit.end);
  append_json_text(hit.passage, out);
  fmt::format_to(std::back_inserter(out), R"(,"similarity":{:.6f},"edits":{},"occurrences":{},"text_bytes":{})", hit.similarity, hit.edits,
                 hit.occurrences, hit.text_bytes);
  if (!hit.differences.empty()) {
    out += R"(,"differences":)";
    append_json_text(hit.differences, out);
  }
  out += '}';
}

}  // namespace

void call_list_clue_indexes(ApiContext& context, Call& call) {
  call.check_query({});
  std::string out = R"({"clue_indexes":[)";
  bool first = true;
  context.folders.for_each_clue_index([&](const std::string& name, const ClueIndex& index) {
    out += fmt::format(R"({}{{"name":"{}","texts":{}}})", std::exchange(first, false) ? "" : ",", name, index.stat().texts);
  });
  out += "]}";
  call.reply.send(json_response(std::move(out)));
}

void call_search(ApiContext& context, Call& call) {
  call.check_query({});
  const ClueIndex& index = clue_index_of(context, call);
  JsonBody body(call.request.body);
  const std::string_view clue = body.text("clue");
  const ClueSearch search = search_of(body);
  body.finish();
  thread_local ClueScratch scratch;
  const ClueAnswer answer = index.search(clue, search, scratch);
  std::string out = R"({"hits":[)";
  for (const ClueHit& hit : answer.hits) {
    if (&hit != &answer.hits.front()) out += ',';
    append_hit(hit, out);
  }
  fmt::format_to(std::back_inserter(out), R"(],"certainty":"{}","predicted_recall":{:.6f},"more":{},"count":{}}})",
                 to_string(answer.certainty), answer.predicted_recall, answer.more, answer.count);
  call.reply.send(json_response(std::move(out)));
}

void call_get_text(ApiContext& context, Call& call) {
  call.check_query({});
  const ClueIndex& index = clue_index_of(context, call);
  const std::string& given = call.parameters[1];
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), id);
  if (error != std::errc() || end != given.data() + given.size()) {
    throw ApiError(400, fmt::format("expected the number of a text, not '{}'", printable(std::string_view(given).substr(0, 60))));
  }
  const std::optional<std::string> text = index.text(id);
  const std::optional<std::string> name = index.name(id);
  if (!text || !name) throw ApiError(404, fmt::format("the clue index has no text {}", id));
  std::string out = fmt::format(R"({{"id":{},"name":)", id);
  append_json_text(*name, out);
  out += R"(,"text":)";
  append_json_text(*text, out);
  out += '}';
  call.reply.send(json_response(std::move(out)));
}

}  // namespace neardup::server
