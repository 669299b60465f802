// Stored documents, and the clusters of those that were removed lately.
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "neardup/tools/online_answer.h"
#include "neardup/tools/printable.h"
#include "server/api/api_error.h"
#include "server/api/calls.h"
#include "server/api/json_body.h"

namespace neardup::server {
namespace {

constexpr uint64_t kMostSequence = (uint64_t{1} << 53) - 1;  // that a number of JSON can hold everywhere
constexpr size_t kMostPage = 1000;
constexpr size_t kUsualPage = 50;
constexpr size_t kMostDeleted = 10'000;
constexpr size_t kDuplicatesOfList = 20;  // of a cluster in a list of clusters

enum class WithText : uint8_t { kNo, kYes };

void append_document(const OnlineDocument& document, WithText with_text, std::string& out) {
  out += R"({"id":)";
  append_json_text(document.id, out);
  fmt::format_to(std::back_inserter(out), R"(,"sequence":{},"time":{},"expires":)", document.sequence, document.time_ms);
  out += document.expires_ms ? fmt::format("{}", *document.expires_ms) : "null";
  if (with_text == WithText::kYes) {
    out += R"(,"text":)";
    document.text ? append_json_text(*document.text, out) : static_cast<void>(out += "null");
  }
  out += '}';
}

void append_cluster(const RemovalCluster& cluster, std::string& out) {
  out += R"({"keeper_id":)";
  append_json_text(cluster.keeper_id, out);
  fmt::format_to(std::back_inserter(out), R"(,"sequence":{},"removed":{},"duplicates":[)", cluster.sequence, cluster.removed);
  for (size_t i = 0; i < cluster.latest.size(); ++i) {
    const Removal& removal = cluster.latest[i];
    out += i == 0 ? R"({"id":)" : R"(,{"id":)";
    append_json_text(removal.id, out);
    fmt::format_to(std::back_inserter(out), R"(,"reason":"{}","similarity":{:.6f},"time":{}}})", to_string(removal.reason),
                   removal.similarity, removal.time_ms);
  }
  out += "]}";
}

[[noreturn]] void refuse_unknown_id(std::string_view id) {
  throw ApiError(404, fmt::format("no document of the store has the id '{}'", printable(id.substr(0, 100))));
}

}  // namespace

void call_list_documents(ApiContext& context, Call& call) {
  call.check_query({"after", "limit"});
  ServedStore& store = store_of(context, call);
  const std::optional<uint64_t> after = call.query_number("after", 0, kMostSequence);
  const uint64_t limit = call.query_number("limit", 1, kMostPage).value_or(kUsualPage);
  std::string out = R"({"documents":[)";
  uint64_t listed = 0;
  uint64_t last = 0;
  bool more = false;
  store.store().for_each_document(
      [&](const OnlineDocument& document) {
        more = listed == limit;
        if (more) return false;
        if (listed++ != 0) out += ',';
        append_document(document, WithText::kNo, out);
        last = document.sequence;
        return true;
      },
      after ? *after + 1 : 0);
  out += fmt::format(R"(],"next":{}}})", more ? fmt::format("{}", last) : "null");
  call.reply.send(json_response(std::move(out)));
}

void call_get_document(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  std::string out;
  if (!store.store().find(call.parameters[1], [&](const OnlineDocument& document) { append_document(document, WithText::kYes, out); }))
    refuse_unknown_id(call.parameters[1]);
  call.reply.send(json_response(std::move(out)));
}

void call_delete_document(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  const std::string_view id = call.parameters[1];
  std::vector<bool> deleted;
  store.store().remove({&id, 1}, deleted);
  if (!deleted.front()) refuse_unknown_id(id);
  call.reply.send({.status = 204});
}

void call_delete_batch(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  JsonBody body(call.request.body);
  const std::vector<std::string_view> ids = body.texts("ids", kMostDeleted);
  body.finish();
  for (const std::string_view id : ids) checked_id(id, "ids");
  std::vector<bool> deleted;
  store.store().remove(ids, deleted);
  std::string out = R"({"deleted":[)";
  for (size_t i = 0; i < deleted.size(); ++i) {
    if (i != 0) out += ',';
    out += deleted[i] ? "true" : "false";
  }
  out += "]}";
  call.reply.send(json_response(std::move(out)));
}

void call_list_clusters(ApiContext& context, Call& call) {
  call.check_query({"limit"});
  const ServedStore& store = store_of(context, call);
  const uint64_t limit = call.query_number("limit", 1, kMostPage).value_or(kUsualPage);
  std::string out = R"({"clusters":[)";
  bool first = true;
  for (const RemovalCluster& cluster : store.removals().clusters(limit, kDuplicatesOfList)) {
    if (!std::exchange(first, false)) out += ',';
    append_cluster(cluster, out);
  }
  fmt::format_to(std::back_inserter(out), R"(],"remembered":{}}})", store.removals().size());
  call.reply.send(json_response(std::move(out)));
}

void call_get_cluster(ApiContext& context, Call& call) {
  call.check_query({});
  ServedStore& store = store_of(context, call);
  RemovalCluster cluster = store.removals().cluster(call.parameters[1]);
  // A keeper without removals has a cluster of its own; a deleted one that is remembered has its old one.
  const bool stored = store.store().find(call.parameters[1], [&](const OnlineDocument& document) { cluster.sequence = document.sequence; });
  if (!stored && cluster.removed == 0) refuse_unknown_id(call.parameters[1]);
  std::string out;
  append_cluster(cluster, out);
  call.reply.send(json_response(std::move(out)));
}

}  // namespace neardup::server
