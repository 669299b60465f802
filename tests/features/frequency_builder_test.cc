#include "features/frequency_builder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "base/parallel.h"
#include "features/frequency_tables.h"
#include "neardup/error.h"

namespace neardup {
namespace {

using Documents = std::vector<std::vector<uint64_t>>;

class Folder {
 public:
  Folder() {
    // In memory where there is such a folder: every table is flushed to the disk when it is committed.
    const std::filesystem::path memory = "/dev/shm";
    const auto parent = std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "neardup-frequencies-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The slow twin.
std::string slow(const Documents& documents, uint32_t least = 1) {
  std::map<uint64_t, uint32_t> counts;
  for (const auto& document : documents) {
    for (const uint64_t hash : std::set<uint64_t>(document.begin(), document.end())) ++counts[hash];
  }
  std::erase_if(counts, [&](const auto& entry) { return entry.second < least; });
  auto parts = testing::parts_of(counts, documents.size());
  parts.least = least;
  return testing::table_bytes(parts);
}

uint64_t fit(const Documents& documents, uint32_t threads, uint64_t memory, const std::string& path, uint32_t least = 1) {
  DocumentFrequencyBuilder builder(threads, memory, "");
  parallel_for(threads, documents.size(), 3, [&](uint32_t worker, size_t i) { builder.add(worker, documents[i]); });
  FrequencyWriter writer(least, "");
  builder.write(writer);
  AtomicFile file(path);
  writer.finish("{}", builder.documents(), file);
  file.commit();
  return builder.spilled_bytes();
}

void merge(const std::vector<std::string>& paths, const std::string& output) {
  std::vector<DocumentFrequencyTable> tables;
  for (const std::string& path : paths) tables.push_back(DocumentFrequencyTable::open(path));
  std::vector<NamedTable> named;
  for (size_t i = 0; i < paths.size(); ++i) named.push_back({paths[i], tables[i]});
  FrequencyWriter writer(1, "");
  const uint64_t documents = merge_tables(named, writer);
  AtomicFile file(output);
  writer.finish(tables.front().description(), documents, file);
  file.commit();
}

Documents random_documents(uint64_t seed, size_t count, uint64_t vocabulary) {
  std::mt19937_64 random(seed);
  Documents documents(count);
  for (auto& document : documents) {
    for (uint64_t n = random() % 40; n > 0; --n) document.push_back(splitmix64(5, random() % (1 + random() % vocabulary)));
  }
  return documents;
}

TEST(FrequencyBuilder, EqualsCountingInAMapForAnyThreadsAndMemory) {
  const Folder folder;
  const Documents documents = random_documents(1, 20'000, 60'000);
  const std::string expected = slow(documents);
  for (const uint32_t threads : {1u, 2u, 5u}) {
    for (const uint64_t memory : {uint64_t{1}, uint64_t{1} << 20, uint64_t{1} << 28}) {
      const uint64_t spilled = fit(documents, threads, memory, folder.file("a.idf"));
      EXPECT_EQ(spilled > 0, memory <= uint64_t{1} << 20);
      EXPECT_TRUE(bytes_of(folder.file("a.idf")) == expected) << threads << " threads, " << memory << " bytes";
    }
  }
}

TEST(FrequencyBuilder, RareTokensMayBeLeftOut) {
  const Folder folder;
  const Documents documents = random_documents(2, 500, 900);
  fit(documents, 2, 1 << 20, folder.file("a.idf"), 3);
  EXPECT_EQ(bytes_of(folder.file("a.idf")), slow(documents, 3));
  EXPECT_THROW(merge({folder.file("a.idf")}, folder.file("b.idf")), Error);
}

RC_GTEST_PROP(FrequencyBuilderLaw, merging_is_counting_at_once, (const Documents& a, const Documents& b, const Documents& c)) {
  const Folder folder;
  const std::vector<std::string> paths{folder.file("a"), folder.file("b"), folder.file("c")};
  fit(a, 1, 1 << 20, paths[0]);
  fit(b, 2, 1, paths[1]);
  fit(c, 1, 1 << 20, paths[2]);
  Documents all(a);
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  const std::string expected = slow(all);
  merge(paths, folder.file("abc"));
  RC_ASSERT(bytes_of(folder.file("abc")) == expected);
  merge({paths[2], paths[0], paths[1]}, folder.file("cab"));
  RC_ASSERT(bytes_of(folder.file("cab")) == expected);
  merge({paths[1], paths[2]}, folder.file("bc"));
  merge({paths[0], folder.file("bc")}, folder.file("a+bc"));
  RC_ASSERT(bytes_of(folder.file("a+bc")) == expected);
}

TEST(FrequencyBuilder, DifferentTokensAreNotMerged) {
  const Folder folder;
  fit({{1, 2}}, 1, 1, folder.file("a"));
  auto parts = testing::parts_of({{1, 1}}, 1);
  parts.description = R"({"tokenizer":"other"})";
  std::ofstream(folder.file("b"), std::ios::binary) << testing::table_bytes(parts);
  try {
    merge({folder.file("a"), folder.file("b")}, folder.file("c"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string_view(error.what()).find("count different tokens: {} and {\"tokenizer\":\"other\"}"), std::string_view::npos);
  }
}

TEST(FrequencyBuilder, TheTopIsAFullSort) {
  const Documents documents = random_documents(3, 300, 200);
  std::map<uint64_t, uint64_t> counts;
  for (const auto& document : documents) {
    for (const uint64_t hash : std::set<uint64_t>(document.begin(), document.end())) ++counts[hash];
  }
  std::vector<std::pair<uint64_t, uint64_t>> sorted;
  for (const auto& [hash, count] : counts) sorted.emplace_back(count, hash);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  const Folder folder;
  for (const size_t most : {size_t{1}, size_t{50}, sorted.size(), sorted.size() + 9}) {
    DocumentFrequencyBuilder builder(1, 1, "");
    for (const auto& document : documents) builder.add(0, document);
    FrequencyWriter writer(1, "");
    writer.remember_top(most);
    builder.write(writer);
    AtomicFile file(folder.file("a"));
    writer.finish("{}", builder.documents(), file);
    ASSERT_EQ(writer.top().size(), std::min(most, sorted.size()));
    for (size_t i = 0; i < writer.top().size(); ++i) {
      EXPECT_EQ(std::pair(writer.top()[i].count, writer.top()[i].hash), sorted[i]);
    }
  }
}

TEST(FrequencyBuilder, TooManyDocuments) {
  const Folder folder;
  FrequencyWriter writer(1, "");
  AtomicFile file(folder.file("a"));
  EXPECT_THROW(writer.finish("{}", 0xFFFFFFFF, file), Error);
}

}  // namespace
}  // namespace neardup
