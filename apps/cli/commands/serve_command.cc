#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include "cli/commands/commands.h"
#include "cli/options/duration.h"
#include "cli/options/local_options.h"
#include "cli/serve/serve.h"
#include "neardup/error.h"
#include "neardup/options.h"

namespace neardup::cli {
namespace {

constexpr std::string_view kUsualAddress = "127.0.0.1:8080";

bool is_loopback(const std::string& host) {
  in6_addr six{};
  if (inet_pton(AF_INET6, host.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six) != 0;
  return host.starts_with("127.");
}

// "127.0.0.1:8080", "[::1]:8080".
void read_address(const std::string& text, ServeOptions& options) {
  const size_t colon = text.rfind(':');
  const std::string_view port = colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1);
  options.host = text.substr(0, std::min(colon, text.size()));
  if (options.host.starts_with('[') && options.host.ends_with(']')) options.host = options.host.substr(1, options.host.size() - 2);
  if (options.host == "localhost") options.host = "127.0.0.1";
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), options.port);
  unsigned char address[sizeof(in6_addr)];
  const bool valid = inet_pton(AF_INET, options.host.c_str(), address) == 1 || inet_pton(AF_INET6, options.host.c_str(), address) == 1;
  if (port.empty() || error != std::errc() || end != port.data() + port.size() || !valid) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("--listen: expected an address and a port from 0 to 65535, such as {} or [::]:8080, not '{}'", kUsualAddress, text));
  }
  options.loopback = is_loopback(options.host);
}

// "news=/data/news", or "/data/news", whose name is its last part.
NamedFolder named_folder(const std::string& word, std::string_view what) {
  const size_t equals = word.find('=');
  NamedFolder out;
  if (equals != std::string::npos && word.find('/') > equals) {
    out = {.name = word.substr(0, equals), .folder = word.substr(equals + 1)};
  } else {
    out.folder = word;
    const std::filesystem::path path = std::filesystem::path(word) / "";
    out.name = path.parent_path().filename().string();
  }
  if (!is_service_name(out.name) || out.folder.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} '{}': expected a name of 1 to {} letters, digits, '-' and '_', not '{}'; NAME=FOLDER gives "
                            "another one",
                            what, word, kMostServiceName, out.name));
  }
  return out;
}

uint64_t bytes_of(const Invocation& invocation, std::string_view name, std::string_view otherwise, uint64_t least) {
  const uint64_t bytes = parse_bytes(fmt::format("--{}", name), invocation.value(name, otherwise));
  constexpr uint64_t kMost = uint64_t{1} << 40;
  if (bytes < least || bytes > kMost)
    throw Error(ErrorCode::kUsage, fmt::format("--{}: expected {} to {} bytes, not {}", name, least, kMost, bytes));
  return bytes;
}

int make_new_key(const Invocation& invocation) {
  const std::string text = invocation.value("new-key");
  const size_t colon = text.find(':');
  if (!invocation.has("keys") || !invocation.arguments.empty())
    throw Error(ErrorCode::kUsage,
                "--new-key requires --keys FILE, and takes no store: neardup serve --new-key write:crawler --keys keys.txt");
  if (colon == std::string::npos)
    throw Error(ErrorCode::kUsage, fmt::format("--new-key: expected a role and a name, such as write:crawler, not '{}'", text));
  return add_key(invocation.value("keys"), text.substr(0, colon), text.substr(colon + 1), invocation);
}

int run_serve(const Invocation& invocation, Reporter&) {
  if (invocation.has("new-key")) return make_new_key(invocation);
  ServeOptions options{.data = invocation.value("data"),
                       .keys_file = invocation.value("keys"),
                       .without_keys = invocation.has("without-keys"),
                       .open_metrics = invocation.has("open-metrics"),
                       .snapshots = invocation.value("snapshots"),
                       .sync_interval_ms = duration_ms(invocation, "sync-interval", 0),
                       .access_log = invocation.has("access-log"),
                       .threads = invocation.options.threads,
                       .json_log = invocation.value("log-format") == "json",
                       .quiet = invocation.has("quiet")};
  for (const std::string& word : invocation.arguments) options.stores.push_back(named_folder(word, "store"));
  for (const std::string& word : invocation.values("clue-index")) options.clue_indexes.push_back(named_folder(word, "clue index"));
  if (options.stores.empty() && options.data.empty() && options.clue_indexes.empty())
    throw Error(ErrorCode::kUsage, "nothing to serve: name a store, or --data FOLDER for stores that clients create");
  read_address(invocation.value("listen", kUsualAddress), options);
  options.max_body_bytes = bytes_of(invocation, "max-body", "32M", 1024);
  options.max_line_bytes = bytes_of(invocation, "max-line", "8M", 1024);
  options.max_queue_bytes = bytes_of(invocation, "max-queue", "64M", 1024);
  options.max_connections = static_cast<uint32_t>(local_number(invocation, "max-connections", 2048, 1, 65'536));
  options.remembered = local_number(invocation, "remember", 10'000, 0, 10'000'000);
  if (options.keys_file.empty() && !options.loopback && !invocation.has("without-keys")) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--listen {}: others can reach this address; ask for keys (--keys FILE), or say --without-keys",
                            invocation.value("listen")));
  }
  if (!options.keys_file.empty() && invocation.has("without-keys"))
    throw Error(ErrorCode::kUsage, "--keys and --without-keys cannot be combined");
  return serve(options, invocation);
}

}  // namespace

const Command& serve_command() {
  static const Command command{
      .name = "serve",
      .sentence = "answer questions about stores and clue indexes over HTTP, with a web page",
      .usage = "[NAME=]STORE...",
      .examples =
          "neardup serve seen\n"
          "neardup serve --data /var/lib/neardup --clue-index poems\n"
          "neardup serve --new-key write:crawler --keys keys.txt\n"
          "neardup serve seen --listen 0.0.0.0:8080 --keys keys.txt --log-format json",
      .details =
          "Serves until SIGINT or SIGTERM: then it answers what has come, and ends. SIGHUP reads the keys again. The page is at /, the\n"
          "description of the API at /openapi.json, metrics at /metrics. Without keys only this machine can reach it.\n"
          "The program neardup-server does the work; it is a package of its own. docs/serve.md",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .options =
          {
              essential({"--listen", "ADDRESS:PORT", "The service", "where it listens; port 0: any free one [127.0.0.1:8080]"}),
              essential({"--data", "FOLDER", "The service", "serves all stores in the folder; clients may create more"}),
              essential(
                  {"--clue-index", "FOLDER", "The service", "a clue index (neardup index build --clues); NAME=FOLDER names it", true}),
              essential({"--keys", "FILE", "Who may call", "clients need a key of this file: a line is ROLE NAME SHA-256"}),
              essential({"--new-key", "ROLE:NAME", "Who may call",
                         "make a key, add its line to --keys, print it once, and end; roles are read, write, admin"}),
              {"--without-keys", "", "Who may call", "also when others can reach it, by whatever name: whoever can may do everything"},
              {"--open-metrics", "", "Who may call", "/metrics needs no key"},
              {"--snapshots", "FOLDER", "The service", "where clients may have copies of stores made"},
              {"--sync-interval", "TIME", "The service",
               "sync at this interval, such as 500ms, instead of before every answer; a power loss takes the last answers"},
              {"--remember", "N", "The service", "removed documents of a store that the page can show, in memory [10000]"},
              {"--max-body", "SIZE", "Limits", "of the body of a request [32M]"},
              {"--max-line", "SIZE", "Limits", "of a line of it [8M]"},
              {"--max-queue", "SIZE", "Limits", "of all bodies that are not answered yet; beyond it the answer is 429 [64M]"},
              {"--max-connections", "N", "Limits", "at once [2048]"},
              {"--access-log", "", "Messages", "log every request, not only failures of the server"},
              {"--log-format", "FORMAT", "Messages", "text, json: of messages on standard error [text]"},
              {"-q,--quiet", "", "Messages", "print only errors"},
          },
      .run = run_serve,
  };
  return command;
}

}  // namespace neardup::cli
