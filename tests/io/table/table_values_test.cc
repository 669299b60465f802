#include "io/table/table_values.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

namespace neardup {
namespace {

std::string date(int64_t days) {
  std::string out;
  append_date(days, out);
  return out;
}

std::string moment(int64_t units, int64_t per_second) {
  std::string out;
  append_timestamp(units, per_second, out);
  return out;
}

// Days by Python's datetime.date(...).toordinal() - 719163; those outside of its years by the 400-year cycle of 146097 days.
TEST(TableValues, Dates) {
  EXPECT_EQ(date(0), "1970-01-01");
  EXPECT_EQ(date(-1), "1969-12-31");
  EXPECT_EQ(date(19782), "2024-02-29");
  EXPECT_EQ(date(-25509), "1900-02-28");
  EXPECT_EQ(date(-25508), "1900-03-01");
  EXPECT_EQ(date(11016), "2000-02-29");
  EXPECT_EQ(date(-719162), "0001-01-01");
  EXPECT_EQ(date(-719163), "0000-12-31");
  EXPECT_EQ(date(-719528 - 1), "-0001-12-31");
  EXPECT_EQ(date(2932896), "9999-12-31");
  EXPECT_EQ(date(19782 + 146097 * 100), "42024-02-29");
}

TEST(TableValues, TimesHaveTheDigitsTheyNeed) {
  EXPECT_EQ(moment(0, 1), "1970-01-01T00:00:00");
  EXPECT_EQ(moment(-1, 1), "1969-12-31T23:59:59");
  EXPECT_EQ(moment(-1, 1000), "1969-12-31T23:59:59.999");
  EXPECT_EQ(moment(1'500'000, 1'000'000), "1970-01-01T00:00:01.500");
  EXPECT_EQ(moment(1, 1'000'000), "1970-01-01T00:00:00.000001");
  EXPECT_EQ(moment(1'000'000'001, 1'000'000'000), "1970-01-01T00:00:01.000000001");
  EXPECT_EQ(moment(1'709'251'199'123'456, 1'000'000), "2024-02-29T23:59:59.123456");
}

TEST(TableValues, WideIntegersAndDecimals) {
  const auto huge = [](uint64_t upper, uint64_t lower, bool is_signed) {
    std::string out;
    append_huge(upper, lower, is_signed, out);
    return out;
  };
  const uint64_t high = uint64_t{1} << 63;
  const uint64_t ones = ~uint64_t{0};
  EXPECT_EQ(huge(0, 0, true), "0");
  EXPECT_EQ(huge(ones, ones, true), "-1");
  EXPECT_EQ(huge(ones, ones, false), "340282366920938463463374607431768211455");
  EXPECT_EQ(huge(high, 0, true), "-170141183460469231731687303715884105728");
  EXPECT_EQ(huge(1, 0, true), "18446744073709551616");
  const auto decimal = [](int64_t value, uint32_t scale) {
    std::string out;
    append_decimal(value < 0 ? -1 : 0, static_cast<uint64_t>(value), scale, out);
    return out;
  };
  EXPECT_EQ(decimal(123450, 3), "123.450");
  EXPECT_EQ(decimal(-1, 3), "-0.001");
  EXPECT_EQ(decimal(0, 2), "0.00");
  EXPECT_EQ(decimal(-42, 0), "-42");
  EXPECT_EQ(decimal(100, 2), "1.00");
}

TEST(TableValues, NumbersReadBack) {
  const auto number = [](double value) {
    std::string out;
    append_double(value, out);
    return out;
  };
  EXPECT_EQ(number(1), "1.0");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "\"Infinity\"");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "\"-Infinity\"");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "\"NaN\"");
  for (const double value : {1e300, 5e-324, 123456789.125, -1.7976931348623157e308, 1e22})
    EXPECT_EQ(std::strtod(number(value).c_str(), nullptr), value);
  std::string single;
  append_float(0.1F, single);
  EXPECT_EQ(single, "0.1");
}

// RFC 4648, section 10.
TEST(TableValues, Base64) {
  const std::pair<std::string, std::string> vectors[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, wanted] : vectors) {
    std::string out;
    append_base64(bytes, out);
    EXPECT_EQ(out, wanted);
  }
}

// RFC 9562, appendix A.4.
TEST(TableValues, Uuid) {
  std::string out;
  append_uuid(0x919108f752d14320, 0x9bacf847db4148a8, out);
  EXPECT_EQ(out, "919108f7-52d1-4320-9bac-f847db4148a8");
}

}  // namespace
}  // namespace neardup
