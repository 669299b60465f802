// What a run over fingerprints refuses, and that nothing is added then.
#include "neardup/tools/index_fingerprints.h"

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class IndexFingerprints : public IoTest {};

class NoRejects final : public RejectSink {
 public:
  void append(const Record&) override {}
  void commit() override { ++commits; }
  void withdraw() noexcept override {}
  int commits = 0;
};

TEST_F(IndexFingerprints, RefuseWhatTheyWouldIgnore) {
  write("codes.jsonl", "{\"fingerprint\": \"9f3c2b1a00ff1234\", \"id\": \"a\"}\n");
  HammingStore64 store = HammingStore64::create(path("index"), {.bits = 64, .radius = 3, .names = true});
  FingerprintReader reader({path("codes.jsonl")}, {});
  const auto error_with = [&](const FingerprintRun& run) { return error_of([&] { index_fingerprints({}, store, run); }); };

  FingerprintRun run;
  EXPECT_THAT(error_with(run), AllOf(StartsWith("usage: "), HasSubstr("needs a reader")));
  run.reader = &reader;
  const auto source = open_source({write("texts.jsonl", "{\"text\": \"of no fingerprint\"}\n")}, {});
  run.source = source.get();
  EXPECT_THAT(error_with(run), AllOf(StartsWith("usage: "), HasSubstr("has no source")));
  run.source = nullptr;
  NoRejects rejects;
  run.rejects = &rejects;
  EXPECT_THAT(error_with(run), AllOf(StartsWith("usage: "), HasSubstr("set rejected_lines")));
  EXPECT_EQ(rejects.commits, 0);
  EXPECT_EQ(store.stat().entries, 0u);

  run.rejects = nullptr;
  EXPECT_EQ(error_with(run), "");
  EXPECT_EQ(store.stat().entries, 1u);
}

}  // namespace
}  // namespace neardup::testing
