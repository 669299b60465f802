// make_question_bank: a JSON Lines file of short documents made of real sentences, with planted near-duplicates, and the list of these.
// The same bytes for any number of threads.
//
//   make_question_bank --documents 50000000 --out BANK.jsonl --truth PLANTED.tsv [--planted 0.3] [--sample 100] [--seed 1] INPUT.jsonl ...
//
// A line is {"id":"ROW","text":"..."}, about 200 bytes; question_texts.h says what the texts are. PLANTED.tsv has a line for one of
// --sample planted documents: row of the copy, row of the original, and what was changed. Rows are from 1, and so are the ids.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "neardup/io.h"
#include "question_texts.h"

namespace {

constexpr uint64_t kBlock = 1 << 15;  // documents that a thread makes at a time

struct Made {
  std::string lines;
  std::string truth;
};

void read_clauses(const std::vector<std::string>& inputs, question_bank::Bank& bank) {
  const auto source = neardup::open_source(inputs, {});
  while (const auto batch = source->next()) {
    batch->read(neardup::Batch::Need::kText, {}, [&](uint32_t, const neardup::Record& record) {
      if (!record.problem.empty()) return;
      bank.ideographs.add(record.text);
      bank.letters.add(record.text);
    });
  }
  bank.ideographs.finish();
  bank.letters.finish();
}

void make_block(const question_bank::Bank& bank, uint64_t begin, uint64_t end, uint64_t sample, Made& made) {
  using question_bank::Origin;
  question_bank::Writer writer(bank);
  made.lines.clear();
  made.truth.clear();
  for (uint64_t row = begin; row < end; ++row) {
    const Origin origin = question_bank::origin_of(bank, row);
    const std::string id = std::to_string(row + 1);
    ((made.lines += R"({"id":")") += id) += R"(","text":")";
    (made.lines += writer.text(row, origin)) += "\"}\n";
    if (origin.planted && neardup::splitmix64(bank.seed, row) % sample == 0) {
      const std::string_view change = question_bank::kChanges[static_cast<size_t>(origin.change)];
      (((made.truth += id) += '\t') += std::to_string(origin.row + 1)) += '\t';
      (made.truth += change) += '\n';
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"make a question bank with planted near-duplicates"};
  std::vector<std::string> inputs;
  std::string output;
  std::string truth_path;
  uint64_t documents = 100'000;
  uint64_t sample = 100;
  uint32_t threads = 0;
  question_bank::Bank bank;
  app.add_option("inputs", inputs)->required();
  app.add_option("--documents", documents);
  app.add_option("--out", output)->required();
  app.add_option("--truth", truth_path, "the list of planted documents")->required();
  app.add_option("--planted", bank.planted, "share of documents that are near-duplicates of an earlier one")->check(CLI::Range(0.0, 0.9));
  app.add_option("--chinese", bank.chinese, "share of documents in Chinese; the others are in English");
  app.add_option("--sample", sample, "list one of so many planted documents")->check(CLI::PositiveNumber);
  app.add_option("--seed", bank.seed);
  app.add_option("--threads", threads, "0: all cores");
  CLI11_PARSE(app, argc, argv);

  read_clauses(inputs, bank);
  if (bank.ideographs.size() == 0 || bank.letters.size() == 0) {
    return std::fprintf(stderr, "make_question_bank: the inputs have clauses of one script only\n"), 1;
  }
  std::ofstream out(output, std::ios::binary);
  std::ofstream truth(truth_path, std::ios::binary);
  threads = neardup::resolve_threads(threads);
  std::vector<Made> slots(neardup::OrderedLine::slot_count(threads));
  neardup::OrderedLine::run(
      threads, [&](uint64_t ordinal, size_t) { return ordinal * kBlock < documents; },
      [&](uint32_t, uint64_t ordinal, size_t slot) {
        make_block(bank, ordinal * kBlock, std::min(documents, (ordinal + 1) * kBlock), sample, slots[slot]);
      },
      [&](uint64_t, size_t slot) {
        out << slots[slot].lines;
        truth << slots[slot].truth;
      });
  out.close();
  truth.close();
  if (!out || !truth) return std::fprintf(stderr, "make_question_bank: cannot write %s\n", output.c_str()), 1;
  std::printf("%zu clauses in Chinese, %zu in English\n", bank.ideographs.size(), bank.letters.size());
}
