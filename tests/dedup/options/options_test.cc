#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "dedup/options/option_values.h"
#include "neardup/error.h"
#include "neardup/options.h"

namespace neardup {
namespace {

const OptionRow& row(std::string_view name) {
  for (const OptionRow& each : option_table()) {
    if (each.name == name) return each;
  }
  ADD_FAILURE() << "no option " << name;
  return option_table().front();
}

// The message of the error that setting gives, or "" when there is none.
std::string complaint(std::string_view name, std::string_view value) {
  Options options;
  try {
    row(name).set(options, value);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
}

TEST(OptionTable, DefaultsAreThoseOfTheStruct) {
  for (const OptionRow& each : option_table()) EXPECT_EQ(each.get(Options{}), each.preset) << each.name;
}

TEST(OptionTable, NamesAreUniqueAndRowsAreComplete) {
  std::set<std::string_view> names;
  for (const OptionRow& each : option_table()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_EQ(each.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << each.name;
    EXPECT_FALSE(each.group.empty() || each.commands.empty() || each.help.empty()) << each.name;
    EXPECT_EQ(each.value.empty(), each.bounds.empty()) << each.name << ": a flag has no bounds, any other value has";
  }
  EXPECT_EQ(names.size(), 35u);
}

// set() accepts the result of get(), and changes exactly one member: all other rows are unchanged.
TEST(OptionTable, EveryRowRoundTripsAndChangesOnlyItself) {
  const std::pair<std::string_view, std::string_view> values[] = {{"recipe", "chars-5"},
                                                                  {"clean", "html"},
                                                                  {"threshold", "0.725"},
                                                                  {"measure", "containment"},
                                                                  {"min_contained", "4294967295"},
                                                                  {"min_jaccard", "0.4"},
                                                                  {"search", "exact"},
                                                                  {"verify", "false"},
                                                                  {"miss_probability", "0.000001"},
                                                                  {"bands", "4096"},
                                                                  {"rows_per_band", "8"},
                                                                  {"block_on", "of.brand"},
                                                                  {"min_length", "200"},
                                                                  {"protect", "meta.source=wiki,gold=true"},
                                                                  {"max_candidates", "4294967295"},
                                                                  {"keep", "source-order,max:a.b,longest"},
                                                                  {"cluster", "components"},
                                                                  {"max_distance", "128"},
                                                                  {"also", "chars-5"},
                                                                  {"charset", "gb18030"},
                                                                  {"format", "parquet"},
                                                                  {"duckdb_library", "/opt/libduckdb.so"},
                                                                  {"text_field", "title,body.plain"},
                                                                  {"id_field", "doc.id"},
                                                                  {"where", "day > 3"},
                                                                  {"key", "doc_id"},
                                                                  {"max_record_bytes", "128MiB"},
                                                                  {"max_rejects", "2.5%"},
                                                                  {"strict", "true"},
                                                                  {"memory", "64M"},
                                                                  {"batch", "1000000"},
                                                                  {"max_removed", "62.5%"},
                                                                  {"max_cluster", "4294967295"},
                                                                  {"threads", "1024"},
                                                                  {"temp_dir", "/var/tmp"}};
  EXPECT_EQ(std::size(values), option_table().size());
  for (const auto& [name, value] : values) {
    Options options;
    row(name).set(options, value);
    for (const OptionRow& each : option_table())
      EXPECT_EQ(each.get(options), each.name == name ? value : each.preset) << name << " on " << each.name;
  }
}

TEST(OptionTable, ErrorsNameOptionAndValue) {
  const std::pair<std::string_view, std::string_view> bad[] = {{"recipe", ""},
                                                               {"threshold", "0"},
                                                               {"threshold", "1.000001"},
                                                               {"threshold", "0.1234567"},
                                                               {"threshold", "nan"},
                                                               {"measure", "overlap"},
                                                               {"min_contained", "0"},
                                                               {"min_jaccard", "-0"},
                                                               {"min_jaccard", "."},
                                                               {"min_jaccard", "1.1"},
                                                               {"search", "LSH"},
                                                               {"verify", "yes"},
                                                               {"miss_probability", "0"},
                                                               {"miss_probability", "2"},
                                                               {"bands", "4097"},
                                                               {"bands", "-1"},
                                                               {"rows_per_band", "1.5"},
                                                               {"block_on", "brands[*]"},
                                                               {"max_candidates", "4294967296"},
                                                               {"keep", "best"},
                                                               {"keep", "max:"},
                                                               {"cluster", "chain"},
                                                               {"format", "xlsx"},
                                                               {"text_field", ""},
                                                               {"text_field", "a,,b"},
                                                               {"max_record_bytes", "0"},
                                                               {"max_record_bytes", "1073741825"},
                                                               {"max_rejects", "101%"},
                                                               {"max_rejects", "-1"},
                                                               {"strict", "1"},
                                                               {"max_removed", "101%"},
                                                               {"max_removed", "60"},
                                                               {"max_removed", "0.6"},
                                                               {"max_removed", "1.00001%"},
                                                               {"max_removed", "-1%"},
                                                               {"max_cluster", "-1"},
                                                               {"min_length", "-1"},
                                                               {"protect", ""},
                                                               {"protect", "gold"},
                                                               {"protect", "=x"},
                                                               {"protect", "tags[*]=x"},
                                                               {"memory", "63M"},
                                                               {"memory", "lots"},
                                                               {"threads", "1025"},
                                                               {"threads", " 1"},
                                                               {"threads", "99999999999999999999"}};
  for (const auto& [name, value] : bad) {
    const std::string message = complaint(name, value);
    EXPECT_TRUE(message.starts_with(fmt::format("{}: ", name))) << name << "=" << value << ": " << message;
    const std::string named = name == "keep" ? std::string(value) : fmt::format("'{}'", value);
    EXPECT_NE(message.find(named), std::string::npos) << message;
  }
}

TEST(OptionTable, EdgesOfTheBoundsAreInside) {
  for (const auto& [name, value] : {std::pair{"threshold", "1"},
                                    {"threshold", "0.000001"},
                                    {"memory", "0"},
                                    {"memory", "67108864"},
                                    {"max_record_bytes", "1"},
                                    {"threads", "0"},
                                    {"bands", "0"},
                                    {"id_field", ""},
                                    {"temp_dir", ""}}) {
    EXPECT_EQ(complaint(name, value), "") << name << "=" << value;
  }
}

TEST(OptionTable, AFailedSetLeavesTheValue) {
  Options options;
  row("keep").set(options, "last");
  EXPECT_THROW(row("keep").set(options, "nonsense"), Error);
  EXPECT_EQ(options.keep, "last");
  row("min_jaccard").set(options, "0.5");
  row("min_jaccard").set(options, "0.00");
  EXPECT_EQ(row("min_jaccard").get(options), "0");
}

TEST(ParseBytes, UnitsArePowersOf1000Or1024) {
  EXPECT_EQ(parse_bytes("x", "0"), 0u);
  EXPECT_EQ(parse_bytes("x", "300000"), 300'000u);
  EXPECT_EQ(parse_bytes("x", "300000B"), 300'000u);
  for (const char* text : {"7K", "7KB", "7k", "7kb"}) EXPECT_EQ(parse_bytes("x", text), 7'000u) << text;
  for (const char* text : {"7Ki", "7KiB", "7ki", "7kib"}) EXPECT_EQ(parse_bytes("x", text), 7'168u) << text;
  EXPECT_EQ(parse_bytes("x", "512M"), 512'000'000u);
  EXPECT_EQ(parse_bytes("x", "512MiB"), uint64_t{512} << 20);
  EXPECT_EQ(parse_bytes("x", "2g"), 2'000'000'000u);
  EXPECT_EQ(parse_bytes("x", "2Gi"), uint64_t{2} << 30);
  EXPECT_EQ(parse_bytes("x", "3TB"), 3'000'000'000'000u);
  EXPECT_EQ(parse_bytes("x", "3TiB"), uint64_t{3} << 40);
  EXPECT_EQ(parse_bytes("x", "18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "M", "1.5G", "-1", "+1", "1MM", "1Bi", "1iB", "1MiBs", "1P", "1 M", "0x10", "18446744073709551616",
                           "16777216TiB", "18446745T"}) {
    EXPECT_THROW(parse_bytes("x", text), Error) << text;
  }
}

TEST(OptionValues, FormatsAreInversesOfTheParsers) {
  for (const uint64_t bytes :
       {uint64_t{0}, uint64_t{1}, uint64_t{1023}, uint64_t{1024}, uint64_t{1025}, uint64_t{256} << 20, uint64_t{3} << 40, UINT64_MAX}) {
    EXPECT_EQ(parse_bytes("x", format_bytes_exactly(bytes)), bytes);
  }
  for (const std::string text : {"0", "1001", "64M", "900T", "1KiB", "256MiB", "3TiB"}) {
    EXPECT_EQ(format_bytes_exactly(parse_bytes("x", text)), text);
  }
  for (const uint32_t millionths : {1u, 10u, 2'000u, 100'000u, 725'000u, 999'999u, 1'000'000u}) {
    EXPECT_EQ(Threshold::parse(format_fraction(Threshold::from_millionths(millionths))).millionths(), millionths);
  }
  EXPECT_EQ(format_fraction(Threshold::from_millionths(1'000'000)), "1");
  EXPECT_EQ(format_fraction(Threshold::from_millionths(800'000)), "0.8");
}

}  // namespace
}  // namespace neardup
