// The options of hamming_speed.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "hamming_set.h"

namespace neardup {

struct HammingSpeedOptions {
  CodeSetOptions set;
  uint32_t bits = 64;
  uint32_t radius = 3;
  std::optional<uint32_t> ask;      // the radius of queries and joins
  bool join = false;                // the plan is for a self-join
  std::vector<std::string> blocks;  // of the plan, "26/1": bits/flips
  uint64_t queries = 100'000;
  uint32_t threads = 0;
  std::set<std::string> parts;
};

/// An exit code when there is nothing to run.
inline std::optional<int> parse(int argc, char** argv, HammingSpeedOptions& options) {
  CLI::App app{"measure HammingIndex"};

  std::vector<std::string> parts{"limits", "sort", "flat", "build", "predict", "query", "batch", "join", "check"};
  app.add_option("--kind", options.set.kind)->check(CLI::IsMember({"uniform", "shared", "constant", "clustered", "equal"}));
  app.add_option("--codes", options.set.codes)->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40));
  app.add_option("--special", options.set.special, "codes that share their upper half, or bits that are constant");
  app.add_option("--seed", options.set.seed);
  app.add_option("--farthest", options.set.farthest, "bits in which a planted copy may differ")->check(CLI::Range(0, 64));
  app.add_option("--query-flips", options.set.query_flips)->check(CLI::Range(0, 64));
  app.add_option("--bits", options.bits)->check(CLI::IsMember({64, 128}));
  app.add_option("--radius", options.radius, "of the plan");
  app.add_option("--ask", options.ask, "radius of queries and joins, if it is not that of the plan");
  app.add_flag("--join", options.join, "plan for a self-join");
  app.add_option("--blocks", options.blocks, "of the plan, bits/flips each, such as 22/1,21/0,21/0")->delimiter(',');
  app.add_option("--queries", options.queries)->check(CLI::Range(uint64_t{1}, uint64_t{1} << 30));
  app.add_option("--threads", options.threads, "of build, batch and join (0: all cores)");
  app.add_option("--parts", parts)->delimiter(',')->check(CLI::IsMember(parts));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  options.parts = {parts.begin(), parts.end()};
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  return std::nullopt;
}

}  // namespace neardup
