// Weights of features: occurrences times the IDF of the corpus, from a table without the features of a single document.
#include "features/feature_weigher.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/atomic_file.h"
#include "features/frequency_writer.h"
#include "features/idf.h"

namespace neardup {
namespace {

DocumentFrequencyTable counted_table(uint64_t documents, const std::vector<HashCount>& counts) {
  const std::string path = ::testing::TempDir() + "feature_weigher_test.idf";
  AtomicFile file(path);
  FrequencyWriter writer(FeatureWeigher::kMinFrequency, "");
  for (const HashCount& count : counts) writer.add(count);
  writer.finish("{}", documents, file);
  file.commit();
  std::ifstream in(path, std::ios::binary);
  return DocumentFrequencyTable::parse({std::istreambuf_iterator<char>(in), {}}, path);
}

TEST(FeatureWeigher, OccurrencesTimesIdf) {
  const DocumentFrequencyTable table = counted_table(1000, {{5, 1}, {6, 2}, {7, 1000}});
  EXPECT_EQ(table.size(), 2u) << "the one of a single document is left out";
  const FeatureWeigher weigher(table);
  Weighter::Scratch scratch;
  std::vector<WeightedFeature> out;
  const std::vector<uint64_t> occurrences = {7, 5, 6, 7, 5, 5};
  weigher.weigh(occurrences, scratch, out);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].hash, 5u);
  EXPECT_EQ(out[0].weight, 3 * idf_fixed(1000, 1));
  EXPECT_EQ(out[1].weight, idf_fixed(1000, 2));
  EXPECT_EQ(out[2].weight, 2 * kIdfOne);
  weigher.weigh({}, scratch, out);
  EXPECT_TRUE(out.empty());
}

TEST(FeatureWeigher, Saturates) {
  const DocumentFrequencyTable table = counted_table(1'000'000, {});
  Weighter::Scratch scratch;
  std::vector<WeightedFeature> out;
  const std::vector<uint64_t> occurrences(100'000, 9);
  FeatureWeigher(table).weigh(occurrences, scratch, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].weight, kMaxWeight);
}

}  // namespace
}  // namespace neardup
