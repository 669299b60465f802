#include "jobs/tune/renamed_copies.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {
namespace {

// A program of random statements. `names` decides about the names, `literals` about numbers, `shape` about all else.
std::string renamed_program(uint32_t shape, uint32_t names, uint32_t literals) {
  std::mt19937 shapes(shape);
  std::mt19937 values(literals);
  const auto name = [&](const char* prefix) { return prefix + std::to_string(names) + "_" + std::to_string(shapes() % 6); };
  const auto number = [&] { return std::to_string(values() % 100'000); };
  std::string text = "public class C" + std::to_string(names) + " {\n";
  constexpr std::array kMarks =
      std::to_array<std::string_view>({" + ", " - ", " * ", " / ", " % ", " < ", " > ", " & ", " | ", " ^ ", " ? ", " : "});
  for (int i = 0; i < 40; ++i) {
    text += "  " + name("sum") + " = ";
    for (int term = 0; term < 4; ++term) text.append(name("part")).append(kMarks[shapes() % kMarks.size()]);
    text += number() + ";\n";
  }
  return text + "}\n";
}

TunePairs::RenamedCopies renamed_copies_of(const std::vector<std::string>& programs) {
  const std::vector<std::string_view> texts(programs.begin(), programs.end());
  return find_renamed_copies({}, texts);
}

// 30 programs, each twice with other names; the numbers are the same or others.
TEST(RenamedCopiesTest, TellsCopiesWithOtherNamesFromCodeOfOneShape) {
  std::vector<std::string> copies;
  std::vector<std::string> shapes;
  for (uint32_t i = 0; i < 30; ++i) {
    for (uint32_t copy = 0; copy < 2; ++copy) {
      copies.push_back(renamed_program(i, 2 * i + copy, i));
      shapes.push_back(renamed_program(i, 2 * i + copy, 1000 + 2 * i + copy));
    }
  }
  const TunePairs::RenamedCopies of_copies = renamed_copies_of(copies);
  EXPECT_GE(of_copies.copies, 28u);
  EXPECT_GT(of_copies.same_literals, 0.8);
  EXPECT_GT(of_copies.pairs, of_copies.near_pairs);
  const TunePairs::RenamedCopies of_shapes = renamed_copies_of(shapes);
  EXPECT_GE(of_shapes.examined, 28u);
  EXPECT_EQ(of_shapes.copies, 0u);
  EXPECT_EQ(of_shapes.pairs, 0);
}

TEST(RenamedCopiesTest, VersionsThatKeepTheirNamesAreNone) {
  std::vector<std::string> versions;
  for (uint32_t i = 0; i < 40; ++i) {
    versions.push_back(renamed_program(i, i, i));
    versions.push_back(versions.back() + "int added = 1;\n");
  }
  const TunePairs::RenamedCopies found = renamed_copies_of(versions);
  EXPECT_GE(found.near_pairs, 40);
  EXPECT_EQ(found.copies, 0u);
}

TEST(RenamedCopiesTest, ComparesNumbersAndStringsByTheirOccurrences) {
  const CodeOverlap same = compare_code("f(1, 2, 3, \"a\", \"b\");", "g(1, 2, 3, \"a\", \"b\"); // 4");
  ASSERT_TRUE(same.literals);
  EXPECT_EQ(*same.literals, 1);
  EXPECT_LT(same.shingles, 1);
  EXPECT_EQ(compare_code("f(1, 1, 1, 1, 1)", "f(1, 1, 1, 1)").literals, 0.8);
  EXPECT_EQ(compare_code("f(1)", "f(1)").literals, std::nullopt);
  EXPECT_EQ(compare_code("f(1)", "f(1)").shingles, 0);  // four tokens
  EXPECT_EQ(compare_code("", "\xff\xfe\"").shingles, 0);
}

}  // namespace
}  // namespace neardup
