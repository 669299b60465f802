// Any values as cells of CSV and as JSON: what is written reads back to the same value, by readers that share no code with the writers.
#include <array>
#include <bit>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz_support.h"
#include "io/json/field_text.h"
#include "io/table/json_columns.h"
#include "io/table/table_rows_sink.h"
#include "io/table/table_values.h"

namespace {

using namespace neardup;
using fuzz::require;

// The cells of one row of CSV (RFC 4180, section 2), which ends where `row` does.
std::vector<std::string> cells_of(std::string_view row, char delimiter) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '"') {
      if (quoted && i + 1 < row.size() && row[i + 1] == '"')
        cells.back().push_back(row[++i]);
      else
        quoted = !quoted;
    } else if (row[i] == delimiter && !quoted) {
      cells.emplace_back();
    } else {
      require(quoted || (row[i] != '\n' && row[i] != '\r'));
      cells.back().push_back(row[i]);
    }
  }
  require(!quoted);
  return cells;
}

void check_cells(fuzz::Fields fields) {
  size_t columns = 0;
  std::string line = "{";
  for (; !fields.empty() && columns < 20; ++columns) {
    if (line.size() > 1) line += ',';
    append_json_string("c" + std::to_string(columns), line);
    line += ':';
    append_json_string(fields.until('\0'), line);
  }
  line += '}';
  if (columns == 0) return;
  std::vector<std::string> values;  // UTF-8 throughout, as append_json_string repairs what is not
  const boost::json::value read = boost::json::parse(line);
  for (const auto& member : read.as_object()) values.emplace_back(member.value().as_string());
  for (const char delimiter : {',', '\t'}) {
    std::string row;
    append_csv_row(line, delimiter, row);
    require(cells_of(row, delimiter) == values);
  }
}

void check_columns(std::string_view text) {
  JsonColumns columns;
  std::vector<std::pair<size_t, size_t>> precise;
  fuzz::Fields lines(text);
  while (!lines.empty()) {
    std::string line(lines.until('\n'));
    boost::system::error_code broken;
    boost::json::parse_options options;
    options.max_depth = 64;
    const boost::json::value value = boost::json::parse(line, broken, {}, options);
    if (broken || !value.is_object()) continue;
    columns.add(line, precise);
    for (const auto& [begin, end] : precise) require(begin < end && end <= line.size());
    repair_surrogates(line);
    require(!repair_surrogates(line));
  }
  try {
    require(!columns.columns().empty());
  } catch (const Error& error) {
    fuzz::require_one_line(error);
  }
}

__extension__ using Wide = unsigned __int128;

std::string decimal_digits(Wide value) {
  std::string digits;
  do digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  while ((value /= 10) != 0);
  return digits;
}

void check_integers(uint64_t upper, uint64_t lower, uint32_t scale) {
  const auto bits = static_cast<Wide>(upper) << 64 | lower;
  const bool negative = upper >> 63 != 0;
  const std::string magnitude = decimal_digits(negative ? 0 - bits : bits);
  std::string out;
  append_huge(upper, lower, false, out);
  require(out == decimal_digits(bits));
  out.clear();
  append_huge(upper, lower, true, out);
  require(out == (negative ? "-" : "") + magnitude);
  out.clear();
  append_decimal(static_cast<int64_t>(upper), lower, scale, out);
  std::string padded(magnitude.size() <= scale ? scale + 1 - magnitude.size() : 0, '0');
  padded += magnitude;
  if (scale > 0) padded.insert(padded.size() - scale, 1, '.');
  require(out == (negative ? "-" : "") + padded);
}

void check_numbers(uint64_t bits) {
  const auto value = std::bit_cast<double>(bits);
  std::string out;
  append_double(value, out);
  if (std::isfinite(value))
    require(std::bit_cast<uint64_t>(std::strtod(out.c_str(), nullptr)) == bits);
  else
    require(out.front() == '"' && out.back() == '"');
  const auto single = std::bit_cast<float>(static_cast<uint32_t>(bits));
  out.clear();
  append_float(single, out);
  if (std::isfinite(single)) require(std::strtof(out.c_str(), nullptr) == single);
}

void check_dates(int64_t days) {
  using namespace std::chrono;
  if (days < -12'000'000 || days > 11'000'000) return;  // the years that std::chrono counts
  const year_month_day date{sys_days{std::chrono::days{days}}};
  const int year = static_cast<int>(date.year());
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%s%04d-%02u-%02u", year < 0 ? "-" : "", std::abs(year),
                      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  std::string out;
  append_date(days, out);
  require(out == text.data());
}

void check_base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  append_base64(bytes, out);
  require(out.size() == (bytes.size() + 2) / 3 * 4);
  std::string read;
  uint32_t held = 0;
  int bits = 0;
  for (const char c : out) {
    if (c == '=') break;
    const size_t digit = kAlphabet.find(c);
    require(digit != std::string_view::npos);
    held = held << 6 | static_cast<uint32_t>(digit);
    if ((bits += 6) < 8) continue;
    bits -= 8;
    read.push_back(static_cast<char>(held >> bits & 0xFF));
  }
  require(read == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  fuzz::Fields fields(input);
  const uint64_t upper = fields.number();
  const uint64_t lower = fields.number();
  check_integers(upper, lower, fields.byte() % 39);  // DECIMAL(38, 38) is the widest
  check_numbers(upper);
  check_dates(static_cast<int64_t>(lower) >> 32);
  check_dates(static_cast<int64_t>(lower));
  check_base64(input);
  check_cells(fields);
  check_columns(input);
  return 0;
}
