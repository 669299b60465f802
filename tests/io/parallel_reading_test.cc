// Batches read by many threads, in the way an engine does it: the same records as by one thread.
#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

class ParallelReading : public IoTest {};

std::vector<std::string> read_in_parallel(DocumentSource& source, uint32_t threads) {
  std::vector<std::unique_ptr<Batch>> batches(OrderedLine::slot_count(threads));
  std::vector<std::vector<std::string>> found(batches.size());
  std::vector<std::string> all;
  source.rewind();
  OrderedLine::run(
      threads,
      [&](uint64_t, size_t slot) {
        batches[slot] = source.next();
        return batches[slot] != nullptr;
      },
      [&](uint32_t, uint64_t, size_t slot) {
        found[slot].clear();
        batches[slot]->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
          found[slot].push_back(std::string(record.id).append(" ").append(record.text).append(" ").append(record.problem));
        });
      },
      [&](uint64_t, size_t slot) {
        std::ranges::move(found[slot], std::back_inserter(all));
        batches[slot].reset();
      });
  return all;
}

TEST_F(ParallelReading, SameRecordsForAnyNumberOfThreads) {
  std::string bytes;
  for (int i = 0; i < 3000; ++i) {
    bytes.append("{\"id\":")
        .append(std::to_string(i))
        .append(",\"text\":\"")
        .append(static_cast<size_t>(i % 97), 'x')
        .append("\\ud83d\"}\n");
    if (i % 100 == 0) bytes.append("broken ").append(std::to_string(i)).append("\n");
  }
  write("in/a.jsonl", bytes);
  write("in/b.jsonl.gz", gzip_bytes(bytes));
  write("in/c.jsonl.zst", zstd_bytes(bytes).substr(0, 500));
  for (int i = 0; i < 200; ++i) write("in/t" + std::to_string(i) + ".txt", bytes.substr(static_cast<size_t>(i) * 10, 50));
  SourceOptions options;
  options.batch_bytes = 5000;
  const auto source = open_source({path("in")}, options);
  const auto expected = read_in_parallel(*source, 1);
  EXPECT_GT(expected.size(), 6000u);
  for (const uint32_t threads : {2u, 5u}) EXPECT_TRUE(read_in_parallel(*source, threads) == expected) << threads;
}

}  // namespace
}  // namespace neardup::testing
