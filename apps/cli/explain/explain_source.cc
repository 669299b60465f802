#include "cli/explain/explain_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/index/index_store.h"
#include "cli/run/inputs.h"
#include "neardup/tools/run_texts.h"

namespace neardup::cli {
namespace {

class RecordSource final : public ExplainSource {
 public:
  explicit RecordSource(FinishedRun run) : run_(std::move(run)), texts_(run_.inputs, run_.source) {}

  [[nodiscard]] const Options& options() const noexcept override { return run_.invocation.options; }
  [[nodiscard]] const RunPlan& plan() const noexcept override { return run_.plan; }
  [[nodiscard]] const std::string& directory() const noexcept override { return run_.directory; }
  [[nodiscard]] const SourceTexts& texts() const noexcept override { return texts_; }

  [[nodiscard]] std::vector<Explained> find(const std::string& id, size_t most) const override {
    std::vector<Explained> found;
    for (const uint64_t number : run_.record->find(id)) {
      if (found.size() == most) break;
      found.push_back(explained(number));
    }
    return found;
  }
  [[nodiscard]] std::optional<Explained> find_place(const std::string& source, uint64_t row) const override {
    const std::optional<uint32_t> ordinal = run_.record->find_source(source);
    if (!ordinal) return std::nullopt;
    const std::optional<uint64_t> number = run_.record->find(DocumentId{*ordinal, row});
    return number ? std::optional(explained(*number)) : std::nullopt;
  }
  [[nodiscard]] std::vector<std::string> nearest(const std::string& id, size_t most) const override {
    return run_.record->nearest(id, most);
  }
  [[nodiscard]] std::vector<VerdictLine> members(const Explained& document, size_t most) const override {
    const std::string& name = document.line.removed ? document.line.keeper_source : document.line.source;
    const uint64_t row = document.line.removed ? document.line.keeper_row : document.line.row;
    const std::optional<uint32_t> source = run_.record->find_source(name);
    std::vector<VerdictLine> lines;
    if (!source) return lines;
    for (const uint64_t number : run_.record->members({*source, row}, most)) lines.push_back(line_of(run_.record->entry(number)));
    return lines;
  }

 private:
  [[nodiscard]] VerdictLine line_of(const RunRecord::Entry& entry) const {
    VerdictLine line;
    line.id = entry.id;
    line.has_id = entry.has_id;
    line.source = run_.record->source_name(entry.where.source);
    line.row = entry.where.row;
    line.removed = entry.removed();
    line.reason = to_string(entry.reason);
    line.cluster_size = entry.cluster_size;
    line.cluster_id = fmt::format("{}:{}", run_.record->source_name(entry.keeper.source), entry.keeper.row);
    if (!line.removed) return line;
    line.keeper_id = entry.keeper_id;
    line.keeper_has_id = entry.keeper_has_id;
    line.keeper_source = run_.record->source_name(entry.keeper.source);
    line.keeper_row = entry.keeper.row;
    line.similarity_millionths = entry.similarity_millionths;
    return line;
  }
  [[nodiscard]] Explained explained(uint64_t number) const {
    using Kind = RunRecord::SourceKind;
    const RunRecord::Entry entry = run_.record->entry(number);
    Explained document{.line = line_of(entry), .text = text_place(*run_.record, entry.where)};
    if (!entry.removed()) return document;
    const Kind kind = run_.record->source_kind(entry.keeper.source);
    document.keeper_kind = kind == Kind::kInput       ? Explained::KeeperKind::kInput
                           : kind == Kind::kReference ? Explained::KeeperKind::kReference
                                                      : Explained::KeeperKind::kIndex;
    if (kind == Kind::kIndex) return document;
    document.keeper = text_place(*run_.record, entry.keeper);
    document.keeper->id = entry.keeper_id;  // the record itself has no documents of the reference corpus
    document.keeper->has_id = entry.keeper_has_id;
    return document;
  }

  const FinishedRun run_;
  const SourceTexts texts_;
};

class FileSource final : public ExplainSource {
 public:
  FileSource(const std::string& path, const Options& options, std::vector<std::string> inputs, Reporter& reporter)
      : file_(path), options_(options), plan_(plan_run(options)), texts_(std::move(inputs), source_options(options, plan_, reporter)) {}

  [[nodiscard]] const Options& options() const noexcept override { return options_; }
  [[nodiscard]] const RunPlan& plan() const noexcept override { return plan_; }
  [[nodiscard]] const std::string& directory() const noexcept override { return directory_; }
  [[nodiscard]] const SourceTexts& texts() const noexcept override { return texts_; }

  [[nodiscard]] std::vector<Explained> find(const std::string& id, size_t most) const override {
    std::vector<Explained> found;
    for (VerdictLine& line : file_.find(id, most)) found.push_back(explained(std::move(line)));
    return found;
  }
  [[nodiscard]] std::optional<Explained> find_place(const std::string& source, uint64_t row) const override {
    std::vector<VerdictLine> lines = file_.find_place(source, row);
    return lines.empty() ? std::nullopt : std::optional(explained(std::move(lines.front())));
  }
  [[nodiscard]] std::vector<std::string> nearest(const std::string& id, size_t most) const override { return file_.nearest(id, most); }
  [[nodiscard]] std::vector<VerdictLine> members(const Explained& document, size_t most) const override {
    const VerdictLine& line = document.line;
    most = std::min<uint64_t>(most, line.cluster_size - 1);  // after the last one the search would go on to the end of the file
    return line.removed ? file_.members(line.keeper_source, line.keeper_row, most) : file_.members(line.source, line.row, most);
  }

 private:
  [[nodiscard]] TextPlace place(const std::string& source, uint64_t row, const std::string& id, bool has_id) const {
    TextPlace place{.source = source, .row = row, .offset = {}, .id = id, .has_id = has_id};
    place.lossy_id = file_.is_table() && id.find(' ') != std::string::npos;
    return place;
  }
  [[nodiscard]] Explained explained(VerdictLine line) const {
    Explained document{.line = std::move(line), .text = {}};
    const VerdictLine& verdict = document.line;
    document.text = place(verdict.source, verdict.row, verdict.id, verdict.has_id);
    if (!verdict.removed) return document;
    if (is_index(verdict.keeper_source)) {
      document.keeper_kind = Explained::KeeperKind::kIndex;
      return document;
    }
    document.keeper = place(verdict.keeper_source, verdict.keeper_row, verdict.keeper_id, verdict.keeper_has_id);
    // The reference corpus has no lines.
    const bool is_input = !file_.find_place(verdict.keeper_source, verdict.keeper_row).empty();
    document.keeper_kind = is_input ? Explained::KeeperKind::kInput : Explained::KeeperKind::kReference;
    return document;
  }

  const VerdictFile file_;
  const Options options_;
  const RunPlan plan_;
  const std::string directory_;
  const SourceTexts texts_;
};

}  // namespace

std::unique_ptr<ExplainSource> explain_run(FinishedRun run) {
  return std::make_unique<RecordSource>(std::move(run));
}

std::unique_ptr<ExplainSource> explain_verdicts(const std::string& path, const Options& options, std::vector<std::string> inputs,
                                                Reporter& reporter) {
  return std::make_unique<FileSource>(path, options, std::move(inputs), reporter);
}

}  // namespace neardup::cli
