#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "cli/commands/commands.h"
#include "cli/commands/dedup_work.h"
#include "cli/run/stored_run.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/say.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

uint64_t task_number(const std::string& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw Error(ErrorCode::kUsage, fmt::format("expected list, or the numbers of tasks, not '{}'", text));
}

int list(const std::vector<TaskState>& tasks) {
  say("task\tfirst_batch\tbatches\tstate\n");
  for (size_t i = 0; i < tasks.size(); ++i) {
    say("{}\t{}\t{}\t{}\n", i, tasks[i].first_batch, tasks[i].batches, tasks[i].done ? "done" : "open");
  }
  return kExitOk;
}

int run_task(const Invocation& now, Reporter& reporter) {
  const std::string& directory = now.arguments.front();
  const StoredCommand stored = load_command(directory);
  reporter.hide_secrets_of(stored.words);
  for (const auto& inputs : stored.added) reporter.hide_secrets_of(inputs);
  const Invocation invocation = resumed(dedup_command(), stored, now, directory);
  DedupWork work(invocation, stored.added, reporter);
  work.job.checkpoint_directory = directory;
  if (now.arguments[1] == "list") {
    if (now.arguments.size() > 2) throw Error(ErrorCode::kUsage, fmt::format("'{}' is one argument too many", now.arguments[2]));
    return list(list_tasks(invocation.options, work.job));
  }
  for (size_t i = 1; i < now.arguments.size(); ++i) {
    const uint64_t task = task_number(now.arguments[i]);
    run_task(invocation.options, work.job, task);
    reporter.note(fmt::format("task {} of the run in '{}' is done", task, directory));
  }
  return kExitOk;
}

}  // namespace

const Command& task_command() {
  static const Command command{
      .name = "task",
      .sentence = "do tasks of a run that dedup --work DIR --prepare made, on any machine that sees DIR",
      .usage = "DIR list | DIR TASK... [options]",
      .examples =
          "neardup dedup 'shards/*.jsonl' -o kept.jsonl --work run --prepare\n"
          "neardup task run list\n"
          "neardup task run 0 1 2 & neardup task run 3 4 & wait; neardup dedup --resume run",
      .details =
          "A task reads and sketches a part of the input and writes one file into DIR, the same on every machine. A finished\n"
          "task is not repeated. dedup --resume DIR does the remaining tasks, and then the rest of the run.",
      .min_arguments = 2,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .options = {{"--log-format", "text|json", "Report", "messages as text, or as one JSON object per line [text]"},
                  {"-q,--quiet", "", "Report", "print only errors"}},
      .run = run_task,
  };
  return command;
}

}  // namespace neardup::cli
