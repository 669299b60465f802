#include "neardup/tools/run_record.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "dedup/record/record_layout.h"
#include "dedup/record/run_record_writer.h"
#include "io/io_fixture.h"
#include "neardup/tools/run_command.h"

namespace neardup::testing {
namespace {

// Of names only, with states.
class NamedInputs final : public DocumentSource {
 public:
  explicit NamedInputs(std::vector<std::string> names) : names_(std::move(names)) {}
  std::unique_ptr<Batch> next() override { return nullptr; }
  void rewind() override {}
  [[nodiscard]] uint32_t source_count() const noexcept override { return static_cast<uint32_t>(names_.size()); }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override { return names_[source]; }
  [[nodiscard]] std::string state_of(uint32_t source) const override { return "state of " + names_[source]; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return 0; }

 private:
  std::vector<std::string> names_;
};

// The slow twin: a document with its verdict, as it was given.
struct GivenVerdict {
  DocumentId where;
  std::string id{};
  bool has_id = false;
  std::optional<uint64_t> offset{};
  Reason reason = Reason::kUnique;
  uint64_t cluster_size = 1;
  bool removed = false;
  double similarity = 0;
  DocumentId keeper{};
  std::string keeper_id{};
  bool keeper_has_id = false;
};

class RunRecords : public IoTest {
 protected:
  RunRecords() { store_run_command(folder_, "a command"); }

  // Sources: an index, a reference file, three inputs.
  void write_record(const std::vector<GivenVerdict>& documents, uint64_t memory_bytes = 0) {
    const NamedInputs source({"index", "reference", "a", "b\tc", "d"});
    const Recipe recipe = Recipe::load("words-5");
    RunRecordWriter writer({.path = path("verdicts.seg"), .temp_dir = folder_, .memory_bytes = memory_bytes}, recipe, source, 1, 2);
    for (const GivenVerdict& given : documents) {
      Record record;
      record.where = given.where;
      record.id = given.id;
      record.has_id = given.has_id;
      record.offset = given.offset;
      Verdict verdict{.decision = given.removed ? Decision::kRemove : Decision::kKeep,
                      .reason = given.reason,
                      .keeper = given.keeper,
                      .keeper_id = given.keeper_id,
                      .keeper_has_id = given.keeper_has_id,
                      .similarity = given.similarity,
                      .cluster = given.removed ? given.keeper : given.where,
                      .cluster_size = given.cluster_size};
      std::string bytes;
      writer.format(record, verdict, bytes);
      writer.append(given.where.source, bytes);
    }
    writer.finish();
    writer.commit();
  }

  static std::vector<GivenVerdict> random_documents(uint32_t seed, size_t count) {
    std::mt19937 random(seed);
    const std::vector<std::string> ids{"", "a", "a\tb", "\xFF\xFE", std::string("nul\0nul", 7), "long " + std::string(5000, 'x'), "42"};
    std::vector<GivenVerdict> documents;
    DocumentId where{2, 0};
    for (size_t i = 0; i < count; ++i) {
      if (where.source < 4 && random() % count < 2) where = {where.source + 1, 0};
      where.row += 1 + random() % 3;
      GivenVerdict made{.where = where};
      made.has_id = random() % 5 != 0;
      if (made.has_id) made.id = random() % 3 == 0 ? ids[random() % ids.size()] : "doc-" + std::to_string(random() % (2 * count));
      if (random() % 2 == 0) made.offset = random();
      made.cluster_size = 1 + random() % 9;
      made.removed = random() % 2 == 0;
      made.reason = made.removed ? Reason::kNearDuplicate : Reason::kKeeper;
      if (made.removed) {
        made.similarity = static_cast<double>(random() % 1'000'001) / 1e6;
        made.keeper = {static_cast<uint32_t>(random() % 5), 1 + random() % 4};
        made.keeper_has_id = random() % 3 != 0;
        if (made.keeper_has_id) made.keeper_id = ids[random() % ids.size()];
      }
      documents.push_back(made);
    }
    return documents;
  }
};

TEST_F(RunRecords, AgreeWithTheSlowTwin) {
  for (const size_t count : {0, 1, 7, 500}) {
    const std::vector<GivenVerdict> documents = random_documents(static_cast<uint32_t>(count), count);
    write_record(documents);
    const auto record = RunRecord::open(folder_);
    ASSERT_EQ(record->size(), documents.size());
    for (uint64_t i = 0; i < documents.size(); ++i) {
      const GivenVerdict& given = documents[i];
      const RunRecord::Entry entry = record->entry(i);
      EXPECT_EQ(entry.where, given.where);
      EXPECT_EQ(entry.id, given.id);
      EXPECT_EQ(entry.has_id, given.has_id);
      EXPECT_EQ(entry.offset, given.offset);
      EXPECT_EQ(entry.reason, given.reason);
      EXPECT_EQ(entry.cluster_size, given.cluster_size);
      EXPECT_EQ(entry.removed(), given.removed);
      EXPECT_EQ(entry.similarity_millionths, std::lround(given.similarity * 1e6));
      EXPECT_EQ(entry.keeper, given.removed ? given.keeper : given.where);
      EXPECT_EQ(entry.keeper_id, given.removed ? given.keeper_id : given.id);
      EXPECT_EQ(entry.keeper_has_id, given.removed ? given.keeper_has_id : given.has_id);
      EXPECT_EQ(record->find(given.where), i);
      EXPECT_EQ(record->find(DocumentId{given.where.source, given.where.row + 1000}), std::nullopt);
      std::vector<uint64_t> same_id;
      std::vector<uint64_t> same_keeper;
      for (uint64_t j = 0; j < documents.size(); ++j) {
        if (documents[j].has_id && documents[j].id == given.id) same_id.push_back(j);
        if (documents[j].removed && documents[j].keeper == given.keeper) same_keeper.push_back(j);
      }
      if (given.has_id) {
        EXPECT_EQ(record->find(given.id), same_id);
      }
      if (given.removed) {
        EXPECT_EQ(record->members(given.keeper, 1'000'000), same_keeper);
        EXPECT_EQ(record->members(given.keeper, 1), std::vector{same_keeper.front()});
      }
    }
    EXPECT_TRUE(record->find("an id that nothing has").empty());
    EXPECT_TRUE(record->members({4, 77}, 5).empty());
  }
}

TEST_F(RunRecords, DoNotDependOnMemory) {
  const std::vector<GivenVerdict> documents = random_documents(5, 20'000);
  write_record(documents, uint64_t{1} << 30);
  const std::string large = read("verdicts.seg");
  write_record(documents, 1);
  EXPECT_TRUE(read("verdicts.seg") == large);
}

TEST_F(RunRecords, KnowTheirSources) {
  using Kind = RunRecord::SourceKind;
  write_record(random_documents(1, 3));
  const auto record = RunRecord::open(folder_);
  ASSERT_EQ(record->source_count(), 5u);
  EXPECT_EQ(record->source_name(3), "b\tc");
  EXPECT_EQ(record->source_state(3), "state of b\tc");
  EXPECT_EQ(record->source_state(0), "");
  EXPECT_EQ(record->source_kind(0), Kind::kIndex);
  EXPECT_EQ(record->source_kind(1), Kind::kReference);
  EXPECT_EQ(record->source_kind(2), Kind::kInput);
  EXPECT_EQ(record->find_source("b\tc"), 3u);
  EXPECT_EQ(record->find_source("b"), std::nullopt);
  EXPECT_EQ(record->recipe_id(), Recipe::load("words-5").id());
  EXPECT_EQ(record->recipe_json(), Recipe::load("words-5").canonical_json());
  EXPECT_EQ(record->summary_json(), "");
  write("summary.json", "{\"read\":3}\n");
  EXPECT_EQ(RunRecord::open(folder_)->summary_json(), "{\"read\":3}");
}

TEST_F(RunRecords, SuggestIds) {
  std::vector<GivenVerdict> documents;
  for (uint64_t i = 0; i < 30; ++i) documents.push_back({.where = {2, i + 1}, .id = "doc-" + std::to_string(i), .has_id = true});
  write_record(documents);
  const auto record = RunRecord::open(folder_);
  EXPECT_EQ(record->nearest("doc_17", 2), (std::vector<std::string>{"doc-17", "doc-1"}));
  EXPECT_TRUE(record->nearest("something else", 3).empty());
}

TEST_F(RunRecords, RefuseWhatIsMissingOrDamaged) {
  EXPECT_THAT(error_of([&] { RunRecord::open(path("nowhere")); }), ::testing::HasSubstr("there is no folder"));
  EXPECT_THAT(error_of([&] { RunRecord::open(folder_); }),
              ::testing::AllOf(::testing::HasSubstr("is not finished"), ::testing::HasSubstr("neardup dedup --resume")));
  std::filesystem::create_directory(path("empty"));
  EXPECT_THAT(error_of([&] { RunRecord::open(path("empty")); }), ::testing::HasSubstr("there is no run in"));

  const std::vector<GivenVerdict> documents = random_documents(3, 400);
  write_record(documents);
  const std::string whole = read("verdicts.seg");
  const auto use_all = [&] {
    const auto record = RunRecord::open(folder_);
    for (uint64_t i = 0; i < record->size(); ++i) {
      const RunRecord::Entry entry = record->entry(i);
      (void)record->find(entry.where);
      (void)record->members(entry.keeper, 10);
      if (entry.has_id) (void)record->find(entry.id);
    }
    for (uint32_t i = 0; i < record->source_count(); ++i) (void)record->source_state(i);
  };
  use_all();
  for (size_t at = 0; at < whole.size(); at += whole.size() / 97 + 1) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write("verdicts.seg", damaged);
    try {
      use_all();  // a byte between the sections belongs to nothing
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("verdicts.seg"));
    }
    write("verdicts.seg", whole.substr(0, at));
    EXPECT_THAT(error_of(use_all), ::testing::HasSubstr("verdicts.seg")) << at;
  }
}

// Sums are right, numbers are not: nothing is read outside of the file.
TEST_F(RunRecords, RefuseNumbersThatLeadOutside) {
  const auto refused = [&](const record::Row& row, const record::Counts& counts) {
    SegmentWriter writer(path("verdicts.seg"), {.kind = std::string(record::kKind), .entries = 1});
    writer.append({reinterpret_cast<const char*>(&row), sizeof row});
    const record::IdHash id{.hash = hash64("x"), .number = row.row};
    writer.append({reinterpret_cast<const char*>(&id), sizeof id});
    const uint64_t member = row.row;
    writer.append({reinterpret_cast<const char*>(&member), sizeof member});
    const record::Source source{.names_at = 0, .name_bytes = 1, .state_bytes = 0, .kind = 2, .zero = 0};
    writer.append({reinterpret_cast<const char*>(&source), sizeof source});
    writer.append({reinterpret_cast<const char*>(&counts), sizeof counts});
    writer.begin_names();
    writer.append("x");
    writer.commit();
    return error_of([&] {
      const auto opened = RunRecord::open(folder_);
      (void)opened->entry(0);
      (void)opened->find("x");
      (void)opened->members({0, 0}, 3);
      (void)opened->source_state(0);
    });
  };
  const record::Counts counts{.format = 1, .documents = 1, .ids = 1, .removed = 1, .sources = 1};
  record::Row row{};
  row.id_bytes = 1;
  row.flags = record::Row::kHasId | record::Row::kRemoved;
  EXPECT_EQ(refused(row, counts), "");
  const auto with = [&](const auto& change) {
    record::Row changed = row;
    change(changed);
    return refused(changed, counts);
  };
  EXPECT_NE(with([](record::Row& r) { r.source = 1; }), "");
  EXPECT_NE(with([](record::Row& r) { r.keeper_source = 7; }), "");
  EXPECT_NE(with([](record::Row& r) { r.reason = 200; }), "");
  EXPECT_NE(with([](record::Row& r) { r.id_bytes = 2; }), "");
  EXPECT_NE(with([](record::Row& r) { r.names_at = ~uint64_t{0}; }), "");
  EXPECT_NE(with([](record::Row& r) { r.row = 5; }), "") << "the number of the indexes";
  for (record::Counts wrong : {record::Counts{2, 1, 1, 1, 1},
                               {1, 2, 1, 1, 1},
                               {1, 1, 2, 1, 1},
                               {1, 1, 1, ~uint64_t{0}, 1},
                               {1, 1, 1, 1, ~uint64_t{0}},
                               {1, ~uint64_t{0}, 1, 1, 1}}) {
    EXPECT_NE(refused(row, wrong), "");
  }
}

}  // namespace
}  // namespace neardup::testing
