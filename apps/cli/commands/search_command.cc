#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/index/index_store.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/read_text.h"
#include "cli/run/inputs.h"
#include "cli/run/outputs.h"
#include "cli/search/answer_sink.h"
#include "cli/search/clue_options.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/tools/map_documents.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {
namespace {

// A clue takes long compared with reading it, so a thread takes few at once, and answers come soon.
constexpr uint64_t kClueBatchBytes = 16 << 10;

// Without this, a Hamming index or a file would be reported as damaged.
ClueIndex open_clue_index(const std::string& folder) {
  constexpr std::string_view kWhere = "INDEX is a folder that neardup index build --kind clue made";
  const HammingStorePlace place = find_hamming_store(folder);
  if (place == HammingStorePlace::kFile) throw Error(ErrorCode::kUsage, fmt::format("'{}' is a file: {}", folder, kWhere));
  if (place == HammingStorePlace::kStore && !is_clue_index(folder)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the index '{}' has fingerprints, not texts: neardup query asks it. For clues, {}", folder, kWhere));
  }
  return ClueIndex::open(folder, ClueAccess::kRead, make_referred_texts);
}

AnswerForm form_of(const Invocation& invocation, const std::string& output) {
  const std::string ending = format_ending(output);
  if (invocation.has("json") || ending == ".jsonl") return AnswerForm::kJson;
  return output == "-" && isatty(STDOUT_FILENO) == 1 ? AnswerForm::kPage : AnswerForm::kTable;
}

// The clue of --text or --file.
std::optional<std::string> given_clue(const Invocation& invocation, Reporter& reporter) {
  const int kinds = int{invocation.has("text")} + int{invocation.has("file")} + int{invocation.arguments.size() > 1};
  if (kinds > 1) throw Error(ErrorCode::kUsage, "give exactly one question: --text, --file or INPUT");
  if (!invocation.has("text") && !invocation.has("file")) return std::nullopt;
  for (const std::string_view name :
       {"rejects", "summary", "format", "text-field", "id-field", "max-record-bytes", "max-rejects", "strict"}) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} is for inputs of many clues", name));
  }
  if (invocation.has("text")) return invocation.value("text");
  return read_utf8(invocation.value("file"), invocation.options.charset, reporter);
}

class Search {
 public:
  Search(const Invocation& invocation, Reporter& reporter)
      : invocation_(invocation),
        reporter_(reporter),
        search_(clue_search(invocation)),
        output_(invocation.value("output", "-")),
        form_(form_of(invocation, output_)),
        clue_(given_clue(invocation, reporter)),
        index_(open_clue_index(invocation.arguments.front())) {
    search_.stop = interrupted;
    // A stream of answers leaves nothing incomplete, and must be interruptible while it waits for input.
    if (output_ == "-") end_by_interrupts();
  }

  int run() { return clue_ ? one() : many(); }

 private:
  int one() {
    check_outputs({output_}, std::vector<std::string>{invocation_.value("file")});
    search_.threads = invocation_.options.threads;
    const ClueAnswer answer = ask_given();
    AnswerSink sink(output_, form_, search_, index_, nullptr);
    std::string piece;
    AnswerSink::begin("", piece);
    sink.answer(answer, piece);
    sink.append({}, piece);
    sink.commit();
    if (form_ == AnswerForm::kTable) note_certainty(answer);
    return kExitOk;
  }

  ClueAnswer ask_given() const {
    ClueScratch scratch;
    try {
      return index_.search(*clue_, search_, scratch);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage || !invocation_.has("file")) throw;
      throw Error(ErrorCode::kUsage, fmt::format("'{}': {}", invocation_.value("file"), error.what()));
    }
  }

  // A table has no room for the expected share, and without lines it says nothing.
  void note_certainty(const ClueAnswer& answer) const {
    const bool likely = answer.certainty == ClueCertainty::kLikely;
    const bool none = !search_.count_only && answer.hits.empty();
    if (!likely && !none) return;
    reporter_.note((none ? fmt::format("no match in '{}', ", invocation_.arguments.front()) : "") +
                   (likely ? likely_words(answer, search_) : std::string(to_string(answer.certainty))));
  }

  // A clue a record; on all threads, answered in the order of the input.
  int many() {
    std::vector<std::string> inputs(invocation_.arguments.begin() + 1, invocation_.arguments.end());
    if (inputs.empty()) inputs = {"-"};
    const Options& options = invocation_.options;
    const RunPlan plan = plan_run(options);
    const auto source = open_inputs(inputs, options, plan, reporter_, {.once = true, .batch_bytes = kClueBatchBytes});
    check_effects(invocation_, nullptr, input_kinds(*source));
    RunOutputs outputs(invocation_, {"output"});
    outputs.check(*source);
    AnswerSink sink(output_, form_, search_, index_, source.get());
    const std::unique_ptr<RejectSink> rejects = outputs.has("rejects") ? make_reject_sink(outputs.path("rejects"), *source) : nullptr;
    reporter_.start(fmt::format("clues for the index '{}', {}", invocation_.arguments.front(), counted(plan.threads, "thread")),
                    fmt::format(R"("index":{},"threads":{})", json_quote(invocation_.arguments.front()), plan.threads));
    if (outputs.to_terminal() || output_ == "-") reporter_.share_terminal();
    sink.flush();
    MapRun run;
    run.source = source.get();
    run.sink = &sink;
    run.rejects = rejects.get();
    run.max_rejects = options.max_rejects;
    run.stop = interrupted;
    run.progress = [&](const Progress& progress) { reporter_.progress(progress); };
    std::vector<Worker> workers(plan.threads);
    const MapDocument ask = [&](uint32_t worker, const Record& record, std::string& piece) {
      return workers[worker].ask(*this, sink, record, piece);
    };
    const Summary summary = map_documents("search", plan.threads, ask, run);
    return finish(outputs, summary, workers);
  }

  struct Worker {
    ClueScratch scratch;
    uint64_t answered = 0;  ///< with at least one text
    uint64_t refused = 0;
    uint64_t more = 0;
    uint64_t likely = 0;
    double recall = 1;  ///< the smallest predicted one

    bool ask(const Search& search, const AnswerSink& sink, const Record& record, std::string& piece) {
      AnswerSink::begin(record.has_id && !record.id.empty() ? std::optional(record.id) : std::nullopt, piece);
      try {
        const ClueAnswer answer = search.index_.search(record.text, search.search_, scratch);
        sink.answer(answer, piece);
        answered += answer.count > 0;
        more += answer.more;
        likely += answer.certainty == ClueCertainty::kLikely;
        recall = std::min(recall, answer.predicted_recall);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kUsage) throw;
        sink.refuse(error.what(), piece);  // a clue without letters, or too long for edits
        ++refused;
      }
      return false;
    }
  };

  int finish(RunOutputs& outputs, const Summary& summary, const std::vector<Worker>& workers) {
    Worker sum;
    for (const Worker& worker : workers) {
      sum.answered += worker.answered;
      sum.refused += worker.refused;
      sum.more += worker.more;
      sum.likely += worker.likely;
      sum.recall = std::min(sum.recall, worker.recall);
    }
    const uint64_t none = summary.read - summary.rejected - sum.answered - sum.refused;
    RunReport report{.text = {}, .json = {}, .warnings = summary.warnings};
    report.text = fmt::format("{} = with texts {} + without {} + not askable {} + rejected {}\n", counted(summary.read, "clue"),
                              grouped(sum.answered), grouped(none), grouped(sum.refused), grouped(summary.rejected));
    if (sum.likely > 0) {
      report.text += fmt::format("likely, not exact: {}, expected to find at least {} of the matching texts; --scan finds all\n",
                                 counted(sum.likely, "answer"), percent(sum.recall));
    }
    if (sum.more > 0) report.text += fmt::format("leaving out texts (--limit, --max-candidates): {}\n", counted(sum.more, "answer"));
    if (summary.rejected > 0) {
      report.text += fmt::format("rejected: {}: {}\n", counted(summary.rejected, "record"), summary.rejected_by_kind.to_text(kTextField));
    }
    report.json =
        fmt::format(R"({{"read":{},"with_texts":{},"without":{},"not_askable":{},"rejected":{},"rejected_by_kind":{},"likely":{},)"
                    R"("min_predicted_recall":{:.6g},"more":{}}})",
                    summary.read, sum.answered, none, sum.refused, summary.rejected, summary.rejected_by_kind.to_json(), sum.likely,
                    sum.recall, sum.more);
    return outputs.finish(report, summary.rejected, reporter_);
  }

  const Invocation& invocation_;
  Reporter& reporter_;
  ClueSearch search_;
  const std::string output_;
  const AnswerForm form_;
  const std::optional<std::string> clue_;
  const ClueIndex index_;
};

int run_search(const Invocation& invocation, Reporter& reporter) {
  return Search(invocation, reporter).run();
}

std::vector<LocalOption> search_options() {
  std::vector<LocalOption> options = clue_options();
  options.insert(options.end(), {
                                    essential({"-o,--output", "FILE", "Outputs",
                                               "the answers: a table, or JSON Lines if the name ends in .jsonl [-]", false, kTableEndings}),
                                    essential({"--json", "", "Outputs", "JSON Lines, a line a clue, whatever the name of the output"}),
                                    {"--rejects", "FILE", "Outputs", "unreadable records, unchanged", false, kReportEndings},
                                    {"--summary", "FILE", "Report", "the summary as JSON", false, kReportEndings},
                                    {"--log-format", "text|json", "Report", "messages as text or JSON [text]"},
                                    {"-q,--quiet", "", "Report", "print only errors"},
                                });
  return options;
}

}  // namespace

const Command& search_command() {
  static const Command command{
      .name = "search",
      .sentence = "find the texts of an index that contain a passage, or something close to it",
      .usage = "INDEX (--text CLUE | --file FILE | [INPUT...]) [options]",
      .examples =
          "neardup search texts --text \"it was the best of times\"\n"
          "neardup search texts --text \"it was the bset of times\" --edits 10%\n"
          "neardup search texts --file page.txt --resembles --threshold 0.5\n"
          "neardup search texts clues.jsonl -o found.jsonl --limit 10\n"
          "tail -f clues.jsonl | neardup search texts --json",
      .details =
          "INDEX is a folder that neardup index build --kind clue made. INPUT is documents, as for neardup dedup, a clue each; without\n"
          "any, JSON Lines of standard input, which are answered as they arrive. Texts and clues are compared without case, width,\n"
          "punctuation and blanks next to ideographs. A hit is a text: its id, and where the passage begins and ends in its bytes.\n"
          "Each answer is exact (no matching text is missing), likely (the expected share that is found is printed) or scan (every\n"
          "text was read); `more` says that it leaves out texts. On a terminal an answer is a page; elsewhere a table: query, id,\n"
          "begin, end, edits, similarity, certainty, more, passage. docs/search.md",
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .options = search_options(),
      .run = run_search,
  };
  return command;
}

}  // namespace neardup::cli
