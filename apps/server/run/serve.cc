// serve() of the program neardup-server (cli/serve/serve.h): opens what is served, listens, and waits for signals.
#include "cli/serve/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <utility>

#include "cli/commands/command.h"
#include "cli/interrupt.h"
#include "cli/terminal/say.h"
#include "neardup/error.h"
#include "neardup/tools/machine.h"
#include "neardup/tools/readable.h"
#include "server/api/api.h"
#include "server/api/server_log.h"
#include "server/http/http_server.h"
#include "server/keys/keys.h"
#include "server/run/service_manager.h"
#include "server/service/served_folders.h"

namespace neardup::cli {
namespace {

using namespace neardup::server;

constexpr std::chrono::seconds kPatience{8};  // for answers, once a signal has come
constexpr uint32_t kTransportThreads = 2;     // they only move bytes

// The signals that this waits for. Threads that are made later do not get them.
sigset_t block_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

// Every connection, and every file of a store, takes a descriptor.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::shared_ptr<const Keys> load_keys(const std::string& path) {
  return path.empty() ? nullptr : std::make_shared<const Keys>(Keys::load(path));
}

ApiOptions api_options(const ServeOptions& options) {
  return {.version = NEARDUP_VERSION,
          .only_local = options.loopback && !options.without_keys,
          .open_metrics = options.open_metrics,
          .snapshots = options.snapshots,
          .max_body_bytes = options.max_body_bytes,
          .max_line_bytes = options.max_line_bytes,
          .max_queue_bytes = options.max_queue_bytes,
          .threads = std::max(2u, options.threads == 0 ? machine_cores() : options.threads)};
}

std::string url_of(const HttpAddress& address) {
  const bool is_six = address.host.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}", is_six ? "[" : "", address.host, is_six ? "]" : "", address.port);
}

// The keys of the file as it is now; the old ones if it cannot be used.
void reload_keys(const std::string& path, Api& api, ServerLog& log) {
  if (path.empty()) return;
  try {
    auto keys = load_keys(path);
    log.event("keys", fmt::format("{} read from '{}'", counted(keys->size(), "key"), path), {{"file", path}});
    api.set_keys(std::move(keys));
  } catch (const Error& error) {
    log.error(fmt::format("the keys stay as they were: {}", error.what()));
  }
}

// Returns the signal that ends the service.
int wait_for_end(const sigset_t& signals, const std::string& keys_file, Api& api, ServerLog& log) {
  // One that came before signals were blocked was noted by the handler of the command line.
  while (!interrupted()) {
    constexpr timespec kWait{.tv_sec = 0, .tv_nsec = 500'000'000};
    const int signal = sigtimedwait(&signals, nullptr, &kWait);
    if (signal == SIGHUP && !keys_file.empty()) {
      reload_keys(keys_file, api, log);
    } else if (signal > 0) {
      return signal;
    }
  }
  return SIGTERM;
}

}  // namespace

int serve(const ServeOptions& options, const Invocation&) {
  const sigset_t signals = block_signals();
  raise_file_limit();
  ServerLog log(options.json_log, options.access_log, options.quiet);
  const std::shared_ptr<const Keys> keys = load_keys(options.keys_file);
  ServedFolders folders(options.stores, options.data, options.clue_indexes,
                        {.threads = options.threads, .sync_interval_ms = options.sync_interval_ms, .remembered = options.remembered});
  folders.for_each_store([&](ServedStore& store) {
    const OnlineStoreStat stat = store.store().stat();
    log.event("store", fmt::format("store {}: {}, '{}'", store.name(), counted(stat.kept, "document"), stat.folder),
              {{"name", store.name()}, {"folder", stat.folder}});
  });
  Api api(folders, api_options(options), keys, log);
  HttpServer http({.host = options.host, .port = options.port}, {.connections = options.max_connections}, kTransportThreads, api);
  const std::string url = url_of(http.address());
  log.event("listening", fmt::format("listening on {}", url), {{"url", url}, {"version", NEARDUP_VERSION}});
  notify_service_manager("READY=1");
  const int signal = wait_for_end(signals, options.keys_file, api, log);
  notify_service_manager("STOPPING=1");
  log.event("stopping", "stopping: no new requests are taken");
  api.begin_stopping();
  http.stop(kPatience);
  log.event("stopped", "stopped", {{"signal", signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM"}});
  return kExitOk;
}

int add_key(const std::string& keys_file, const std::string& role, const std::string& name, const Invocation&) {
  const std::string key = make_key(keys_file, parse_role(role), name);
  say("{}\n", key);
  return kExitOk;
}

}  // namespace neardup::cli
