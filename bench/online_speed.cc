// Fills an online store with generated texts, and prints a line of JSON at each size: what an insertion and a check cost, and what they
// need.
//
//   online_speed STORE COUNT [--template] [--threads N] [--measure-every N]
//       COUNT texts of 30 words; one in four repeats an earlier one with some words changed. --template: pages of 60 common words and 20 of
//       their own, of which no two are near-duplicates. Ends without closing the store, as a killed process does.
//   online_speed STORE --reopen
//       Seconds until a store can be asked.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "neardup/online_store.h"

namespace {

using neardup::OnlineAnswer;
using neardup::OnlineRequest;
using neardup::OnlineStore;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Kilobytes of /proc/self/status: "VmRSS:", "RssAnon:", "RssFile:".
uint64_t status_kb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::stoull(line.substr(name.size()));
  }
  return 0;
}

std::string word(uint64_t number) {
  std::string made;
  for (number += 26; number > 0; number /= 26) made += static_cast<char>('a' + number % 26);
  return made;
}

// Text n of the stream: the same for everyone who asks.
class Texts {
 public:
  explicit Texts(bool pages) : pages_(pages) {
    for (uint64_t i = 0; i < 60; ++i) common_ += word(1'000'000 + i) + ' ';
  }
  void make(uint64_t n, std::string& text) const {
    text = pages_ ? common_ : "";
    std::mt19937_64 random(n);
    const uint64_t words = pages_ ? 20 : 30;
    const bool repeats = !pages_ && n > 0 && random() % 4 == 0;
    std::mt19937_64 source((repeats ? random() % n : n) + (uint64_t{1} << 40));
    for (uint64_t i = 0; i < words; ++i) {
      uint64_t chosen = source() % 200'000;
      if (repeats && i == words - 1) chosen = random() % 200'000;
      text += word(chosen);
      text += ' ';
    }
  }

 private:
  bool pages_;
  std::string common_;
};

void ask(OnlineStore& store, const Texts& texts, uint64_t from, size_t count, const std::string& what, uint64_t inserted, double insert_cpu,
         double insert_wall) {
  std::vector<std::string> made(count);
  for (size_t i = 0; i < count; ++i) texts.make(from + i, made[i]);
  std::vector<OnlineRequest> requests;
  for (const std::string& text : made) requests.push_back({.id = "", .text = text, .insert = false});
  std::vector<OnlineAnswer> answers;
  store.apply(requests, answers);  // what is read for the first time
  const double cpu = cpu_seconds();
  store.apply(requests, answers);
  const double check_cpu = cpu_seconds() - cpu;
  const neardup::OnlineStoreStat stat = store.stat();
  fmt::print(R"({{"what":"{}","texts":{},"kept":{},"segments":{},"template_rows":{},"insert_cpu_us":{:.2f},"insert_per_second":{:.0f},)"
             R"("check_cpu_us":{:.2f},"resident_mb":{},"anonymous_mb":{},"file_mb":{},"disk_mb":{}}})"
             "\n",
             what, inserted, stat.kept, stat.segments, stat.template_rows, insert_cpu * 1e6, 1 / insert_wall,
             check_cpu / static_cast<double>(count) * 1e6, status_kb("VmRSS:") / 1024, status_kb("RssAnon:") / 1024,
             status_kb("RssFile:") / 1024, (stat.segment_bytes + stat.record_bytes) >> 20);
  std::fflush(stdout);
}

void fill(const std::string& folder, uint64_t count, bool pages, uint32_t threads, uint64_t measure_every) {
  OnlineStore store = OnlineStore::create(folder, {.recipe = "words-5"}, {.threads = threads});
  const Texts texts(pages);
  constexpr size_t kAtOnce = 8192;
  std::vector<std::string> made(kAtOnce);
  std::vector<std::string> ids(kAtOnce);
  std::vector<OnlineRequest> requests;
  std::vector<OnlineAnswer> answers;
  double cpu = 0;
  double wall = 0;
  uint64_t since = 0;
  for (uint64_t n = 0; n < count;) {
    const size_t some = std::min<uint64_t>({kAtOnce, count - n, measure_every - n % measure_every});
    requests.clear();
    for (size_t i = 0; i < some; ++i) {
      texts.make(n + i, made[i]);
      ids[i] = fmt::format("{}", n + i);
      requests.push_back({.id = ids[i], .text = made[i]});
    }
    const double cpu_before = cpu_seconds();
    const double wall_before = wall_seconds();
    store.apply(requests, answers);
    cpu += cpu_seconds() - cpu_before;
    wall += wall_seconds() - wall_before;
    n += some;
    since += some;
    if (n % measure_every != 0 && n != count) continue;
    const auto per = static_cast<double>(since);
    ask(store, texts, count + n, 20'000, pages ? "template" : "growth", n, cpu / per, wall / per);
    cpu = wall = 0;
    since = 0;
  }
  std::fflush(stdout);
  ::_exit(0);
}

void reopen(const std::string& folder, uint32_t threads) {
  const double before = wall_seconds();
  OnlineStore store = OnlineStore::open(folder, neardup::OnlineAccess::kWrite, {.threads = threads});
  std::vector<OnlineAnswer> answers;
  const OnlineRequest request{.id = "", .text = "a text that nobody has written before this one was", .insert = false};
  store.apply({&request, 1}, answers);
  fmt::print(R"({{"what":"reopen","seconds":{:.2f},"kept":{},"rows_in_memory":{},"resident_mb":{}}})"
             "\n",
             wall_seconds() - before, store.stat().kept, store.stat().rows_in_memory, status_kb("VmRSS:") / 1024);
  std::fflush(stdout);
  ::_exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures an online store");
  std::string folder;
  uint64_t count = 0;
  bool pages = false;
  bool reopened = false;
  uint32_t threads = 0;
  uint64_t measure_every = 1'000'000;
  app.add_option("store", folder)->required();
  app.add_option("count", count);
  app.add_flag("--template", pages);
  app.add_flag("--reopen", reopened);
  app.add_option("--threads", threads);
  app.add_option("--measure-every", measure_every);
  CLI11_PARSE(app, argc, argv);
  if (reopened) {
    reopen(folder, threads);
  } else {
    fill(folder, count, pages, threads, measure_every);
  }
}
