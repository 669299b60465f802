// Compares the answers of an online store with the verdicts of a batch run, text by text.
//
//   online_equality WORK FILE... [--recipe R] [--max-distance K] [--text-field F]
//       For each file: groups of 1, 7 and 256 texts; the first third inserted at once and compacted; the store closed and opened again some
//       times between. A line each; exit code 1 if any answer differs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "neardup/io.h"
#include "neardup/online_store.h"
#include "neardup/texts.h"
#include "neardup/tools/map_documents.h"

namespace {

using neardup::Decision;
using neardup::OnlineAnswer;
using neardup::OnlineRequest;
using neardup::OnlineStore;
using neardup::TextVerdict;

class Collect final : public neardup::PieceSink {
 public:
  void append(const neardup::DocumentId&, std::string_view piece) override { texts.emplace_back(piece); }
  void commit() override {}
  void withdraw() noexcept override {}
  std::vector<std::string> texts;
};

std::vector<std::string> read_texts(const std::string& path, const std::string& field) {
  neardup::SourceOptions options;
  options.text_field = {field};
  const auto source = neardup::open_source({path}, options);
  Collect sink;
  neardup::MapRun run;
  run.source = source.get();
  run.sink = &sink;
  neardup::map_documents(
      "read", 0,
      [](uint32_t, const neardup::Record& record, std::string& out) {
        out += record.text;
        return false;
      },
      run);
  return std::move(sink.texts);
}

bool equal(const OnlineAnswer& answer, const TextVerdict& verdict) {
  if (answer.decision != verdict.decision) return false;
  if (answer.decision == Decision::kKeep) return (answer.reason == neardup::Reason::kShort) <= (verdict.reason != neardup::Reason::kUnique);
  return answer.reason == verdict.reason && answer.keeper_id == std::to_string(verdict.keeper) && answer.similarity == verdict.similarity;
}

uint64_t differences(const std::string& folder, const std::vector<std::string>& texts, const std::vector<TextVerdict>& verdicts,
                     const neardup::OnlineStoreSpec& spec, size_t group) {
  std::filesystem::remove_all(folder);
  const neardup::OnlineStoreRun run{.sync_interval_ms = 1000, .rows_in_memory = 5000};
  std::optional<OnlineStore> store = OnlineStore::create(folder, spec, run);
  std::mt19937_64 random(group);
  uint64_t different = 0;
  std::vector<std::string> ids;
  std::vector<OnlineRequest> requests;
  std::vector<OnlineAnswer> answers;
  for (size_t at = 0; at < texts.size();) {
    const size_t end = at == 0 ? texts.size() / 3 + 1 : std::min(at + group, texts.size());
    ids.clear();
    requests.clear();
    for (size_t i = at; i < end; ++i) ids.push_back(std::to_string(i));
    for (size_t i = at; i < end; ++i) requests.push_back({.id = ids[i - at], .text = texts[i]});
    store->apply(requests, answers);
    for (size_t i = at; i < end; ++i) {
      if (equal(answers[i - at], verdicts[i])) continue;
      if (++different == 1) {
        fmt::print(stderr, "text {}: {} because of '{}', {}; batch: {} because of {}, {}\n", i, to_string(answers[i - at].decision),
                   answers[i - at].keeper_id, answers[i - at].similarity, to_string(verdicts[i].decision), verdicts[i].keeper,
                   verdicts[i].similarity);
      }
    }
    if (at == 0) store->compact(0);
    at = end;
    if (random() % (texts.size() / (8 * group) + 1) != 0) continue;
    store.reset();
    store = OnlineStore::open(folder, neardup::OnlineAccess::kWrite, run);
  }
  store->verify();
  return different;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares an online store with a batch run");
  std::string work;
  std::vector<std::string> files;
  neardup::OnlineStoreSpec spec;
  std::string field = "text";
  app.add_option("work", work)->required();
  app.add_option("files", files)->required();
  app.add_option("--recipe", spec.recipe);
  app.add_option("--max-distance", spec.max_distance);
  app.add_option("--text-field", field);
  CLI11_PARSE(app, argc, argv);
  uint64_t all = 0;
  for (const std::string& file : files) {
    const std::vector<std::string> texts = read_texts(file, field);
    neardup::Options options;
    options.recipe = spec.recipe;
    options.max_distance = spec.max_distance;
    options.max_candidates = 0;
    options.keep = "first";
    const std::vector<TextVerdict> verdicts = neardup::dedup_texts(texts, options);
    for (const size_t group : {size_t{1}, size_t{7}, size_t{256}}) {
      const uint64_t different = differences(work + "/store", texts, verdicts, spec, group);
      fmt::print("{}\t{}\t{} texts\tgroups of {}\t{} differences\n", std::filesystem::path(file).filename().string(), spec.recipe,
                 texts.size(), group, different);
      std::fflush(stdout);
      all += different;
    }
  }
  std::filesystem::remove_all(work + "/store");
  return all == 0 ? 0 : 1;
}
