#include "io/json/json_mend.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(JsonMend, LeavesWhatIsFine) {
  for (const char* line : {R"({"a":[1,-2.5e3,0.0,"x\"y\\",true,null],"b":{"c":"\ud83d\ude00 \u00e9"}})", "{}",
                           R"({"n":9223372036854775807})", R"({"n":-9223372036854775808,"123":"456"})"}) {
    EXPECT_EQ(mended_json(line), line);
  }
}

TEST(JsonMend, HalfSurrogates) {
  EXPECT_EQ(mended_json(R"({"a":"\ud800"})"), R"({"a":"\ufffd"})");
  EXPECT_EQ(mended_json(R"({"a":"\udc00\ud800x\ud83d\ude00"})"), R"({"a":"\ufffd\ufffdx\ud83d\ude00"})");
  EXPECT_EQ(mended_json(R"({"a":"\\ud800"})"), R"({"a":"\\ud800"})");
}

TEST(JsonMend, NumbersOutOfRange) {
  EXPECT_EQ(mended_json("[9223372036854775808]"), R"([{"$numberDouble":"9.223372036854776e+18"}])");
  EXPECT_EQ(mended_json("[1e400,-1e400,1e-400]"), R"([{"$numberDouble":"Infinity"},{"$numberDouble":"-Infinity"},0.0])");
}

}  // namespace
}  // namespace neardup
