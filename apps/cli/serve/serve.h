// serve(): what `neardup serve` does, once its options are read. The program `neardup` becomes the program neardup-server
// (exec_server.cc), which has the service in it and the same command line (apps/server/run/).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/serve/named_folder.h"

namespace neardup::cli {

class Invocation;
class Reporter;

/// The options of `neardup serve`.
struct ServeOptions {
  std::vector<NamedFolder> stores = {};
  std::string data = {};  ///< the folder of stores that clients may create; empty: they may not
  std::vector<NamedFolder> clue_indexes = {};
  std::string host = {};
  uint16_t port = 0;
  bool loopback = false;       ///< only this machine can reach `host`
  std::string keys_file = {};  ///< empty: no keys are asked for
  bool without_keys = false;   ///< whoever can reach it may do everything, by whatever name
  bool open_metrics = false;
  std::string snapshots = {};  ///< a folder; empty: none are made
  uint64_t sync_interval_ms = 0;
  uint64_t max_body_bytes = 0;
  uint64_t max_line_bytes = 0;
  uint64_t max_queue_bytes = 0;
  uint32_t max_connections = 0;
  uint64_t remembered = 0;  ///< removed documents of a store
  bool access_log = false;
  uint32_t threads = 0;  ///< 0: all cores
  bool json_log = false;
  bool quiet = false;
};

/// Serves until a signal comes. Returns the exit code. Throws Error.
int serve(const ServeOptions& options, const Invocation& invocation);
/// Makes a key with the role, and appends its line to the file. Returns the exit code. Throws Error.
int add_key(const std::string& keys_file, const std::string& role, const std::string& name, const Invocation& invocation);

}  // namespace neardup::cli
