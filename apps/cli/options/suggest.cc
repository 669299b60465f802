#include "cli/options/suggest.h"

#include <algorithm>

namespace neardup::cli {

// Optimal string alignment: three rows of the table are enough.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> two_up(b.size() + 1);
  std::vector<size_t> up(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) up[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], two_up[j - 2] + 1);
    }
    two_up.swap(up);
    up.swap(row);
  }
  return up[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  // A third of the letters may be wrong; with more, the suggestion would be confusing.
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& name : names) {
    const bool begins = word.size() >= 3 && name.starts_with(word);
    const size_t distance = begins ? 1 : edit_distance(word, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

std::string either(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

std::string expected_name(const std::vector<std::string>& names, std::string_view word) {
  const std::string meant = nearest(word, names);
  return "expected " + either(names) + ", not '" + std::string(word) + "'" + (meant.empty() ? "" : "; did you mean " + meant + "?");
}

std::string meant_option(std::string_view word, const std::vector<std::string>& names) {
  // Names in similar programs; of the options in a line, takes the first that the command has.
  struct Synonym {
    std::string_view word;
    std::string_view options[2];
  };
  constexpr Synonym kSynonyms[] = {
      {"--workers", {"--threads", ""}},        {"--jobs", {"--threads", ""}},
      {"--num-workers", {"--threads", ""}},    {"--num-proc", {"--threads", ""}},
      {"--processes", {"--threads", ""}},      {"--cores", {"--threads", ""}},
      {"--column", {"--text-field", ""}},      {"--field", {"--text-field", ""}},
      {"--text-column", {"--text-field", ""}}, {"--text-key", {"--text-field", ""}},
      {"--id-column", {"--id-field", ""}},     {"--id-key", {"--id-field", ""}},
      {"--similarity", {"--threshold", ""}},   {"--jaccard", {"--threshold", ""}},
      {"--hamming", {"--max-distance", ""}},   {"--radius", {"--max-distance", ""}},
      {"--distance", {"--max-distance", ""}},  {"--encoding", {"--charset", ""}},
      {"--out", {"--output", "--output-dir"}}, {"--tmp", {"--temp-dir", ""}},
      {"--tmpdir", {"--temp-dir", ""}},        {"--preset", {"--recipe", ""}},
      {"--num-perm", {"--recipe", ""}},        {"--ngram", {"--recipe", ""}},
      {"--rows", {"--rows-per-band", ""}},     {"--ram", {"--memory", ""}},
      {"--silent", {"--quiet", ""}},           {"--references", {"--against", ""}},
      {"--reference", {"--against", ""}},      {"--policy", {"--keep", ""}},
  };
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.word != word) continue;
    for (const std::string_view option : synonym.options) {
      if (std::ranges::find(names, option) != names.end()) return std::string(option);
    }
  }
  return nearest(word, names);
}

}  // namespace neardup::cli
