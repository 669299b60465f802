// The functions that answer the calls of the API, one file for each kind.
#pragma once

#include "server/api/call.h"

namespace neardup::server {

// check_calls.cc
void call_check(ApiContext& context, Call& call);
void call_check_batch(ApiContext& context, Call& call);
void call_query(ApiContext& context, Call& call);
void call_query_batch(ApiContext& context, Call& call);
void call_explain(ApiContext& context, Call& call);

// document_calls.cc
void call_list_documents(ApiContext& context, Call& call);
void call_get_document(ApiContext& context, Call& call);
void call_delete_document(ApiContext& context, Call& call);
void call_delete_batch(ApiContext& context, Call& call);
void call_list_clusters(ApiContext& context, Call& call);
void call_get_cluster(ApiContext& context, Call& call);

// store_calls.cc
void call_list_stores(ApiContext& context, Call& call);
void call_get_store(ApiContext& context, Call& call);
void call_create_store(ApiContext& context, Call& call);
void call_stats(ApiContext& context, Call& call);
void call_events(ApiContext& context, Call& call);
void call_sync(ApiContext& context, Call& call);
void call_snapshot(ApiContext& context, Call& call);
void call_compact(ApiContext& context, Call& call);
/// The data of an event "stats", and the answer to call_stats().
std::string stats_json(const ApiContext& context, ServedStore& store);

// clue_calls.cc
void call_list_clue_indexes(ApiContext& context, Call& call);
void call_search(ApiContext& context, Call& call);
void call_get_text(ApiContext& context, Call& call);

// system_calls.cc
void call_key(ApiContext& context, Call& call);
void call_health(ApiContext& context, Call& call);
void call_ready(ApiContext& context, Call& call);
void call_openapi(ApiContext& context, Call& call);

}  // namespace neardup::server
