// hamming_store_speed: a HammingStore64 on the disk, made of a CodeSet (see hamming_set.h) within a bound of memory; one JSON line a part.
//
//   hamming_store_speed FOLDER --codes 20000000 --memory 200000000 [--verify] [--keep]
//
//   limits  a dependent random read in 256 MB
//   build   adding through HammingBulk, committing, and the folder; its peak is of anonymous memory, looked at every 5 ms: pages of mapped
//           files are not in it, the system takes those back whenever it wants
//   open    opening the folder again
//   query   queries, one after the other, each waiting for the last; half of them planted, 0 to 3 flips away. Pass 0 is the first one
//           after opening (blocks are verified, pages may come from the disk), pass 1 repeats the same queries
//   verify  all blocks (--verify)
// FOLDER must not exist; it is removed at the end unless --keep is given. --reuse: only opens and queries one that was kept.
#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

#include "hamming_set.h"
#include "measure.h"
#include "neardup/hamming_store.h"

namespace neardup {
namespace {

using measure::Line;
using measure::Stopwatch;

struct Options {
  std::string folder;
  CodeSetOptions set;
  uint32_t radius = 3;
  uint64_t queries = 10'000;
  HammingStoreBuild build;
  bool verify = false;
  bool keep = false;
  bool reuse = false;
};

int64_t anonymous_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "RssAnon:") continue;
    int64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

// The most anonymous memory while it lives.
class AnonymousPeak {
 public:
  AnonymousPeak() : watcher_([this] { watch(); }) {}
  ~AnonymousPeak() { stop(); }
  AnonymousPeak(const AnonymousPeak&) = delete;
  AnonymousPeak& operator=(const AnonymousPeak&) = delete;

  int64_t stop() {
    done_ = true;
    if (watcher_.joinable()) watcher_.join();
    return peak_;
  }

 private:
  void watch() {
    while (!done_) {
      peak_ = std::max(peak_, anonymous_bytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  std::atomic<bool> done_ = false;
  int64_t peak_ = 0;
  std::thread watcher_;
};

class Run {
 public:
  explicit Run(const Options& options) : options_(options), set_(options.set) {}

  void all() {
    read_ns_ = measure::random_read_ns(size_t{256} << 20);
    Line("limits").add("random_read_ns", read_ns_).print();
    if (!options_.reuse) build();
    const Stopwatch clock;
    const auto store = HammingStore64::open(options_.folder, HammingAccess::kRead);
    Line("open").add("wall_s", clock.wall()).print();
    for (uint64_t pass = 0; pass < 2; ++pass) query(store, pass);
    if (options_.verify) {
      const Stopwatch verifying;
      store.verify(options_.build.threads);
      Line("verify").add("wall_s", verifying.wall()).print();
    }
  }

 private:
  void build() {
    AnonymousPeak peak;
    auto store = HammingStore64::create(options_.folder, {.bits = 64, .radius = options_.radius});
    const Stopwatch adding;
    HammingBulk<Fingerprint64> bulk(store, options_.build);
    for (uint64_t row = 0; row < set_.size(); ++row) bulk.add(set_.code(row));
    const double add_s = adding.wall();
    const Stopwatch committing;
    bulk.commit();
    const double commit_s = committing.wall();
    const double commit_cpu_s = committing.cpu();
    const auto most = static_cast<uint64_t>(peak.stop());
    uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(options_.folder)) bytes += entry.file_size();
    const auto codes = static_cast<double>(set_.size());
    Line line("build");
    line.add("codes", set_.size()).add("plan", store.stat().segments.at(0).plan).add("memory_bytes", options_.build.memory);
    line.add("add_s", add_s).add("commit_s", commit_s).add("commit_cpu_s", commit_cpu_s);
    line.add("Mcodes_per_s", codes / (add_s + commit_s) / 1e6);
    line.add("folder_bytes", bytes).add("bytes_per_code", static_cast<double>(bytes) / codes);
    line.add("peak_anonymous_bytes", most).print();
  }

  void query(const HammingStore64& store, uint64_t pass) const {
    HammingStoreScratch scratch;
    std::vector<HammingHit> hits;
    std::vector<double> times;
    uint64_t planted = 0;
    uint64_t found = 0;
    uint64_t total = 0;
    for (uint64_t i = 0; i < options_.queries; ++i) {
      const auto query = set_.query(i);
      measure::finish_loads();
      const double begin = measure::seconds(CLOCK_MONOTONIC);
      store.query(query.code, options_.radius, scratch, hits);
      measure::finish_loads();
      times.push_back(measure::seconds(CLOCK_MONOTONIC) - begin);
      total += hits.size();
      if (query.target == kNoTarget || query.flips > options_.radius) continue;
      ++planted;
      found += std::ranges::find(hits, HammingHit{query.flips, query.target}) != hits.end() ? 1 : 0;
    }
    Line("query")
        .add("pass", pass)
        .add_times(times)
        .add("random_read_ns", read_ns_)
        .add("queries", options_.queries)
        .add("hits", total)
        .add("planted", planted)
        .add("found", found)
        .print();
  }

  const Options& options_;
  const CodeSet<Fingerprint64> set_;
  double read_ns_ = 0;
};

std::optional<int> parse(int argc, char** argv, Options& options) {
  CLI::App app{"measure HammingStore"};
  app.add_option("folder", options.folder)->required();
  app.add_option("--kind", options.set.kind)->check(CLI::IsMember({"uniform", "shared", "constant", "clustered", "equal"}));
  app.add_option("--codes", options.set.codes)->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40));
  app.add_option("--special", options.set.special, "codes that share their upper half, or bits that are constant");
  app.add_option("--radius", options.radius)->check(CLI::Range(0, 64));
  app.add_option("--queries", options.queries)->check(CLI::Range(uint64_t{1}, uint64_t{1} << 30));
  app.add_option("--threads", options.build.threads, "0: all cores");
  app.add_option("--memory", options.build.memory, "bytes that building may take; 0: no bound");
  app.add_option("--temp-dir", options.build.temp_dir);
  app.add_flag("--verify", options.verify);
  app.add_flag("--keep", options.keep);
  app.add_flag("--reuse", options.reuse);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return std::nullopt;
}

}  // namespace
}  // namespace neardup

int main(int argc, char** argv) {
  neardup::Options options;
  if (const std::optional<int> code = neardup::parse(argc, argv, options)) return *code;
  if (!options.reuse && std::filesystem::exists(options.folder)) {
    std::fprintf(stderr, "hamming_store_speed: '%s' is there already\n", options.folder.c_str());
    return 1;
  }
  int code = 0;
  try {
    neardup::Run(options).all();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hamming_store_speed: %s\n", error.what());
    code = 1;
  }
  std::error_code ignored;
  if (!options.keep && !options.reuse) std::filesystem::remove_all(options.folder, ignored);
  return code;
}
