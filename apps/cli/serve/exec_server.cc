// serve() of the program `neardup`: becomes the program neardup-server, which lies next to it or in PATH.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/serve/serve.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

constexpr const char* kServer = "neardup-server";

[[noreturn]] void exec_server(const Invocation& invocation) {
  std::vector<std::string> words{kServer, "serve"};
  words.insert(words.end(), invocation.words.begin(), invocation.words.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string neighbour = (own.parent_path() / kServer).string();
  ::execv(neighbour.c_str(), pointers.data());
  if (errno == ENOENT) ::execvp(kServer, pointers.data());
  if (errno == ENOENT) {
    throw Error(ErrorCode::kUsage,
                fmt::format("neardup serve needs the program {}, which is neither next to '{}' nor in PATH; Debian's package "
                            "neardup-server has it",
                            kServer, own.string()));
  }
  throw Error(ErrorCode::kInput, fmt::format("cannot run '{}': {}", neighbour, std::strerror(errno)));
}

}  // namespace

int serve(const ServeOptions&, const Invocation& invocation) {
  exec_server(invocation);
}

int add_key(const std::string&, const std::string&, const std::string&, const Invocation& invocation) {
  exec_server(invocation);
}

}  // namespace neardup::cli
