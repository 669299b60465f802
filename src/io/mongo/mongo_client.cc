#include "io/mongo/mongo_client.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr int32_t kSelectionTimeoutMs = 5000;  // the driver's default of 30 s looks like a hang
constexpr int32_t kConnectTimeoutMs = 5000;
constexpr int32_t kDefaultPool = 100;  // of the driver
constexpr int32_t kMinPool = 2;        // the scan of the ids holds one while documents are read

// The driver reports faults of a URI only to its log; errors cover everything else in the log.
thread_local std::string* log_of_this_thread = nullptr;

void take_log(mongoc_log_level_t level, const char*, const char* message, void*) {
  if (log_of_this_thread == nullptr || level > MONGOC_LOG_LEVEL_WARNING) return;
  if (!log_of_this_thread->empty()) *log_of_this_thread += "; ";
  *log_of_this_thread += message;
}

void start_driver() {
  static std::once_flag once;
  std::call_once(once, [] {
    load_mongo_library();
    mongoc_log_set_handler(take_log, nullptr);  // first: it also logs warnings about the machine
    mongoc_init();
  });
}

mongoc_client_pool_t* open_pool(const MongoPlace& place) {
  start_driver();
  std::string log;
  log_of_this_thread = &log;
  bson_error_t error{};
  mongoc_uri_t* const uri = mongoc_uri_new_with_error(place.uri.c_str(), &error);
  log_of_this_thread = nullptr;
  if (uri == nullptr || !log.empty()) {
    if (uri != nullptr) mongoc_uri_destroy(uri);
    const std::string why = log.empty() ? error.message : log;
    throw Error(ErrorCode::kUsage, "'" + place.shown + "': not a MongoDB URI: " + place.secrets.hide(why));
  }
  const auto set_default = [&](const char* option, int32_t value) {
    if (!mongoc_uri_has_option(uri, option)) mongoc_uri_set_option_as_int32(uri, option, value);
  };
  set_default(MONGOC_URI_SERVERSELECTIONTIMEOUTMS, kSelectionTimeoutMs);
  set_default(MONGOC_URI_CONNECTTIMEOUTMS, kConnectTimeoutMs);
  if (mongoc_uri_get_option_as_int32(uri, MONGOC_URI_MAXPOOLSIZE, kDefaultPool) < kMinPool) {
    mongoc_uri_set_option_as_int32(uri, MONGOC_URI_MAXPOOLSIZE, kMinPool);
  }
  if (mongoc_uri_get_appname(uri) == nullptr) mongoc_uri_set_appname(uri, "neardup");
  mongoc_client_pool_t* const pool = mongoc_client_pool_new_with_error(uri, &error);
  mongoc_uri_destroy(uri);
  if (pool == nullptr) throw Error(ErrorCode::kUsage, "'" + place.shown + "': " + place.secrets.hide(error.message));
  mongoc_client_pool_set_error_api(pool, MONGOC_ERROR_API_VERSION_2);
  return pool;
}

}  // namespace

bool is_transient(const bson_error_t& error) noexcept {
  if (error.domain == MONGOC_ERROR_STREAM || error.domain == MONGOC_ERROR_SERVER_SELECTION) return true;
  if (error.domain != MONGOC_ERROR_SERVER && error.domain != MONGOC_ERROR_QUERY && error.domain != MONGOC_ERROR_WRITE_CONCERN) return false;
  // Host unreachable or not found, network timeout, shutdown, stepped down, not primary, interrupted, cursor gone.
  constexpr uint32_t kCodes[] = {6, 7, 43, 89, 91, 134, 189, 237, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436};
  return std::ranges::find(kCodes, error.code) != std::end(kCodes);
}

Bson bson_of(const std::string& json) {
  bson_error_t error{};
  Bson document(bson_new_from_json(reinterpret_cast<const uint8_t*>(json.data()), static_cast<ssize_t>(json.size()), &error));
  if (!document) throw Error(ErrorCode::kUsage, std::string("not Extended JSON: ") + error.message);
  return document;
}

namespace {

// The driver returns null when the URI sets a waiting time that was too short.
mongoc_client_t* client_of(mongoc_client_pool_t* pool, const MongoPlace& place, ErrorCode code) {
  mongoc_client_t* const client = mongoc_client_pool_pop(pool);
  if (client == nullptr) throw TransientError(code, "'" + place.shown + "': no connection became free within waitQueueTimeoutMS");
  return client;
}

}  // namespace

MongoServer::Lease::Lease(mongoc_client_pool_t* pool, const MongoPlace& place, ErrorCode code)
    : pool_(pool),
      client_(client_of(pool, place, code)),
      collection_(mongoc_client_get_collection(client_, place.database.c_str(), place.collection.c_str())) {}

MongoServer::Lease::~Lease() {
  mongoc_collection_destroy(collection_);
  mongoc_client_pool_push(pool_, client_);
}

MongoServer::MongoServer(MongoPlace place, ErrorCode code, std::function<bool()> stop)
    : place_(std::move(place)), code_(code), stop_(std::move(stop)), pool_(open_pool(place_)) {}

MongoServer::~MongoServer() {
  mongoc_client_pool_destroy(pool_);
}

void MongoServer::fail(std::string_view doing, const bson_error_t& error) const {
  const std::string message = "'" + place_.shown + "': " + std::string(doing) + ": " + place_.secrets.hide(error.message);
  if (is_transient(error)) throw TransientError(code_, message);
  throw Error(code_, message);
}

void MongoServer::refuse(const std::string& what) const {
  throw Error(code_, "'" + place_.shown + "': " + what);
}

void MongoServer::check_stop() const {
  neardup::check_stop(stop_);
}

void MongoServer::give_up(const TransientError& error) const {
  throw Error(code_, std::string(error.what()) + " (tried " + std::to_string(Patience{}.attempts) +
                         " times; nothing is lost: the run can be repeated when the server is back)");
}

}  // namespace neardup
