#include "cli/piped_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "cli/options/check_invocation.h"

namespace neardup::cli {
namespace {

constexpr size_t kHeadBytes = 1 << 12;

// The first bytes of standard input, which stay there. Empty if they cannot be had.
std::string head_of_input() {
  std::string head(kHeadBytes, '\0');
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) return {};
  ssize_t got = -1;
  if (S_ISREG(status.st_mode)) {
    got = ::pread(STDIN_FILENO, head.data(), head.size(), ::lseek(STDIN_FILENO, 0, SEEK_CUR));
  } else if (int ends[2]; ::pipe2(ends, O_CLOEXEC) == 0) {
    // tee() copies what is in a pipe into another one, and leaves it there.
    if (::tee(STDIN_FILENO, ends[1], head.size(), SPLICE_F_NONBLOCK) > 0) got = ::read(ends[0], head.data(), head.size());
    ::close(ends[0]);
    ::close(ends[1]);
  }
  head.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return head;
}

bool is_compressed(std::string_view head) {
  constexpr std::array<std::string_view, 5> kMagic{"\x1f\x8b", "\x28\xb5\x2f\xfd", "\x2a\x4d\x18", "BZh", "\xfd\x37zXZ"};
  if (head.size() > 1 && head.substr(1).starts_with(kMagic[2])) return true;  // a skippable frame: its first byte varies
  return std::ranges::any_of(kMagic, [&](std::string_view magic) { return head.starts_with(magic); });
}

// A record, or an array of records: a text may begin with "[1]".
bool begins_json(std::string_view line) {
  if (!line.starts_with('[')) return line.starts_with('{');
  const size_t next = line.find_first_not_of(" \t\r\n", 1);
  return next == std::string_view::npos || line[next] == '{' || line[next] == ']';
}

// The first line decides, unless it is a broken one among lines of JSON.
bool is_json(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || begins_json(head.substr(first))) return true;
  const std::vector<std::string_view> lines = text_lines(head);
  return 2 * static_cast<size_t>(std::ranges::count_if(lines, begins_json)) >= lines.size();
}

}  // namespace

bool input_is_plain_text() {
  if (!input_is_piped()) return false;
  const std::string bytes = head_of_input();
  std::string_view head = bytes;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  return !is_json(head) && !is_compressed(head) && head.find('\0') == std::string_view::npos;
}

std::vector<std::string_view> text_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

}  // namespace neardup::cli
