#include "online/log/record_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "neardup/error.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

StoredDocument document_of(uint64_t sequence, std::string_view text) {
  StoredDocument document;
  document.sequence = sequence;
  document.expires = UINT64_MAX;
  document.id = "id";
  document.bytes = text;
  return document;
}

class RecordLogs : public ::testing::Test {
 protected:
  RecordLogs() : folder_(::testing::TempDir() + "neardup_log_" + std::to_string(::getpid())) {
    fs::remove_all(folder_);
    RecordLog::create(folder_, "the settings");
  }
  ~RecordLogs() override { fs::remove_all(folder_); }

  // Batches of one document each, with the sequences from begin on.
  void write(RecordLog& log, uint64_t begin, uint64_t end, bool durable) {
    for (uint64_t sequence = begin; sequence < end; ++sequence) {
      LogBatch batch;
      batch.put(document_of(sequence, "text " + std::to_string(sequence)));
      log.write(batch, sequence + 1, durable ? sequence : 0);
    }
  }
  std::vector<std::string> texts(uint64_t from = 0) {
    RecordLog log(folder_, RecordLog::Access::kWrite);
    std::vector<std::string> found;
    log.replay(from, {.document =
                          [&](const StoredDocument& document, const RecordPlace& place) {
                            RecordLog::Space space;
                            EXPECT_EQ(log.read(place, space).bytes, document.bytes);
                            found.emplace_back(document.bytes);
                          },
                      .event = {},
                      .state = {}});
    return found;
  }
  [[nodiscard]] std::string path(uint64_t number) const { return folder_ + "/log-00000" + std::to_string(number) + ".ndl"; }

  std::string folder_;
};

TEST_F(RecordLogs, GiveBackWhatWasWritten) {
  {
    RecordLog log(folder_, RecordLog::Access::kWrite);
    EXPECT_EQ(log.settings(), "the settings");
    log.replay(0, {});
    write(log, 0, 3, true);
    log.sync();
    log.rotate({.removed = {1}, .expiries = {{2, 77}}});
    write(log, 3, 5, true);
  }
  EXPECT_EQ(texts(), (std::vector<std::string>{"text 0", "text 1", "text 2", "text 3", "text 4"}));
  EXPECT_EQ(texts(3), (std::vector<std::string>{"text 3", "text 4"}));
  RecordLog log(folder_, RecordLog::Access::kRead);
  LogState state;
  log.replay(3, {.document = {}, .event = {}, .state = [&](const LogState& of) { state = of; }});
  EXPECT_EQ(state.removed, std::vector<uint64_t>{1});
  EXPECT_EQ(state.expiries, (std::vector<std::pair<uint64_t, uint64_t>>{{2, 77}}));
  EXPECT_EQ(log.end(), 5u);
}

TEST_F(RecordLogs, ATornEndIsCutOff) {
  {
    RecordLog log(folder_, RecordLog::Access::kWrite);
    log.replay(0, {});
    write(log, 0, 3, true);
  }
  const auto whole = fs::file_size(path(1));
  for (const uintmax_t left : {whole - 1, whole - 50, whole - 60}) {
    fs::resize_file(path(1), left);
    EXPECT_EQ(texts().size(), 2u) << left;
  }
}

// The last batch says nothing of itself, but an empty one after it does.
TEST_F(RecordLogs, DamageIsNoTornEnd) {
  {
    RecordLog log(folder_, RecordLog::Access::kWrite);
    log.replay(0, {});
    write(log, 0, 3, true);
    LogBatch last;
    log.write(last, 3, 3);
  }
  std::fstream file(path(1), std::ios::in | std::ios::out | std::ios::binary);
  const auto size = static_cast<std::streamoff>(fs::file_size(path(1)));
  file.seekp(size - 70);  // in the last document
  file.put('\xFF');
  file.close();
  for (const auto access : {RecordLog::Access::kRead, RecordLog::Access::kWrite}) {
    try {
      RecordLog log(folder_, access);
      log.replay(0, {});
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      EXPECT_THAT(error.what(), HasSubstr(path(1)));
      EXPECT_THAT(error.what(), HasSubstr("is damaged"));
    }
  }
}

// Written together before anything was synced: the disk may have the second batch and not the first.
TEST_F(RecordLogs, BatchesThatWereNotSyncedMayBeLostInAnyOrder) {
  uintmax_t before = 0;
  {
    RecordLog log(folder_, RecordLog::Access::kWrite);
    log.replay(0, {});
    write(log, 0, 1, false);
    before = fs::file_size(path(1));
    write(log, 1, 3, false);
  }
  std::fstream file(path(1), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(before) + 60);
  file.put('\xFF');
  file.close();
  EXPECT_EQ(texts(), std::vector<std::string>{"text 0"});
}

TEST_F(RecordLogs, ACopyReplacesFiles) {
  RecordLog::Space space;
  {
    RecordLog log(folder_, RecordLog::Access::kWrite);
    log.replay(0, {});
    write(log, 0, 4, true);
    log.sync();
    log.rotate({});
    const auto copy = log.copy();
    std::vector<RecordPlace> places;
    for (const uint64_t sequence : {1u, 3u}) places.push_back(copy->add(document_of(sequence, "copied")));
    log.install(*copy, 4);
    EXPECT_EQ(log.read(places[1], space).sequence, 3u);
    EXPECT_TRUE(fs::exists(path(1)));
    log.drop_replaced();
    EXPECT_FALSE(fs::exists(path(1)));
    write(log, 4, 5, true);
    log.verify({});
  }
  EXPECT_EQ(texts(), (std::vector<std::string>{"copied", "copied", "text 4"}));
  EXPECT_EQ(texts(4), std::vector<std::string>{"text 4"});
}

TEST_F(RecordLogs, ACopyThatIsNotInstalledLeavesNothing) {
  RecordLog log(folder_, RecordLog::Access::kWrite);
  log.replay(0, {});
  log.copy()->add(document_of(0, "copied"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_F(RecordLogs, TablesMustNotBeAhead) {
  RecordLog log(folder_, RecordLog::Access::kWrite);
  EXPECT_THROW(log.replay(7, {}), Error);
}

}  // namespace
}  // namespace neardup
