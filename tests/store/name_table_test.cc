#include "store/name_table.h"

#include <map>
#include <random>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

class NameTables : public IoTest {
 protected:
  void make(const std::map<uint64_t, std::string>& names) const {
    SegmentWriter writer(path("a"), {.kind = "test"});
    writer.append("some payload");
    writer.begin_names();
    NameWriter table(writer, folder_);
    for (const auto& [id, name] : names) table.add(id, name);
    table.finish();
    writer.commit();
  }
};

std::map<uint64_t, std::string> random_names(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::map<uint64_t, std::string> names;
  while (names.size() < count) names[random() >> (random() % 60)] = std::string(random() % 20, static_cast<char>(random()));
  return names;
}

TEST_F(NameTables, GiveEveryNameAndNoOther) {
  // The largest does not fit into the memory of the writer.
  for (const size_t count : {0, 1, 2, 1000, 600'000}) {
    const auto names = random_names(count, count);
    make(names);
    const auto file = SegmentFile::open(path("a"), "test", 0);
    const NameTable table(*file);
    ASSERT_EQ(table.size(), count);
    uint64_t i = 0;
    for (const auto& [id, name] : names) {
      ASSERT_EQ(table.id(i), id);
      ASSERT_EQ(table.name(i++), name);
      if (count > 1000 && i % 100 != 0) continue;
      ASSERT_EQ(table.find(id), name);
      if (id > 0 && !names.contains(id - 1)) {
        ASSERT_EQ(table.find(id - 1), std::nullopt);
      }
    }
    EXPECT_EQ(table.find(UINT64_MAX), names.contains(UINT64_MAX) ? std::optional<std::string_view>(names.at(UINT64_MAX)) : std::nullopt);
  }
}

TEST_F(NameTables, SegmentWithoutNamesHasNone) {
  {
    SegmentWriter writer(path("a"), {.kind = "test"});
    writer.commit();
  }
  const auto file = SegmentFile::open(path("a"), "test", 0);
  EXPECT_EQ(NameTable(*file).size(), 0u);
  EXPECT_EQ(NameTable(*file).find(0), std::nullopt);
}

// As forged ones are: the hashes fit, whatever the section says.
TEST_F(NameTables, AnyBytesAreAnErrorOrStayInside) {
  std::mt19937_64 random(1);
  size_t refused = 0;
  std::string good;
  {
    SegmentWriter writer(path("a"), {.kind = "test"});
    NameWriter table(writer, folder_);
    for (const auto& [id, name] : random_names(5, 6)) table.add(id, name);
    table.finish();
    writer.commit();
    good = SegmentFile::open(path("a"), "test", 0)->payload();
  }
  for (int round = 0; round < 100; ++round) {
    std::string section = good;
    for (int edit = 0; edit < 2; ++edit) section[random() % section.size()] = static_cast<char>(random() >> (random() % 64));
    if (round % 5 == 0) section.resize(random() % section.size());
    {
      SegmentWriter writer(path("a"), {.kind = "test"});
      writer.begin_names();
      writer.append(section);
      writer.commit();
    }
    const auto file = SegmentFile::open(path("a"), "test", 0);
    const std::string error = error_of([&] {
      const NameTable table(*file);
      size_t bytes = 0;
      for (uint64_t i = 0; i < table.size(); ++i) {
        bytes += table.name(i).size();
        bytes += table.find(table.id(i)).has_value();
      }
      EXPECT_LE(bytes, section.size() * (section.size() + 1));
    });
    if (!error.empty()) {
      ++refused;
      EXPECT_EQ(error, "input: '" + path("a") + "': the names are damaged");
    }
  }
  EXPECT_GT(refused, 20u);
}

}  // namespace
}  // namespace neardup::testing
