#include "cli/search/answer_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/terminal/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kAroundBytes = 90;     // of the text before and after a passage
constexpr size_t kPassageBytes = 1200;  // shown of a long passage

// A value in a table.
void append_cell(std::string_view value, std::string& out) {
  for (const char c : value) out.push_back(c == '\t' || c == '\n' || c == '\r' ? ' ' : c);
}

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

std::string one_line(std::string_view text) {
  std::string line;
  append_cell(text, line);
  return printable(line);
}

// The text around [begin, end), cut between characters, with dots where it goes on.
std::string before(std::string_view text, size_t begin) {
  size_t from = begin - std::min(begin, kAroundBytes);
  while (from < begin && from > 0 && !starts_character(text[from])) ++from;
  return (from > 0 ? "..." : "") + one_line(text.substr(from, begin - from));
}
std::string after(std::string_view text, size_t end) {
  size_t to = std::min(text.size(), end + kAroundBytes);
  while (to > end && to < text.size() && !starts_character(text[to])) --to;
  return one_line(text.substr(end, to - end)) + (to < text.size() ? "..." : "");
}

void append_hit(const ClueHit& hit, const ClueSearch& search, const ClueIndex& index, bool colored, std::string& out) {
  out += fmt::format("{}{}{}  characters {} to {}", colored ? "\033[36m" : "", printable(hit.name), colored ? "\033[0m" : "",
                     grouped(hit.begin_character), grouped(hit.end_character));
  if (search.mode == ClueSearch::Mode::kResembles) {
    out += fmt::format(", similarity {:.6f}, {} common of {} and {} grams", hit.similarity, grouped(hit.overlap.common),
                       grouped(hit.overlap.size_a), grouped(hit.overlap.size_b));
  } else if (search.edits) {
    out += fmt::format(", {}", counted(hit.edits, "edit"));
  }
  if (hit.occurrences > 1) out += fmt::format(", {} in this text", counted(hit.occurrences, "passage"));
  const std::string_view shown = hit.differences.empty() ? hit.passage : hit.differences;
  const std::string marked = (colored ? "\033[1m" : "[") + one_line(shortened(shown, kPassageBytes)) + (colored ? "\033[0m" : "]");
  const std::optional<std::string> text = index.text(hit.id);
  const bool whole = text && hit.end <= text->size() && hit.begin <= hit.end;
  out += "\n    " + (whole ? before(*text, hit.begin) : "") + marked + (whole ? after(*text, hit.end) : "") + "\n";
}

std::string length_words(const ClueAnswer& answer) {
  return fmt::format("{} ({})", counted(answer.characters, "character"), counted(answer.columns, "column"));
}

// Of an answer that is kLikely: why.
std::string reason_of(const ClueAnswer& answer, const ClueSearch& search) {
  if (search.mode == ClueSearch::Mode::kResembles) return "texts of this similarity need not share an anchor with the clue";
  if (!answer.guaranteed) {
    return fmt::format("the clue has {} in its normal form; certain are clues of at least {} ideographs or {} Latin characters",
                       length_words(answer), answer.min_run_wide, answer.min_run);
  }
  return fmt::format("{} may leave no run of {} ideographs or {} Latin characters; {} would be certain", counted(answer.max_edits, "edit"),
                     answer.min_run_wide, answer.min_run, counted(answer.guaranteed_edits, "edit"));
}

void append_certainty(const ClueAnswer& answer, const ClueSearch& search, std::string& out) {
  switch (answer.certainty) {
    case ClueCertainty::kExact:
      out += "exact: the index misses no matching text\n";
      break;
    case ClueCertainty::kLikely:
      out += likely_words(answer, search) + '\n';
      break;
    case ClueCertainty::kScan:
      out += "scan: every text was read\n";
      break;
  }
  if (answer.capped) {
    out += fmt::format("more: only the most promising texts were read ({}); --max-candidates may read more, --scan reads all\n",
                       answer.trace.texts_read);
  } else if (answer.more) {
    out += "more: there are further matching texts; --limit shows more, --count counts them\n";
  }
}

void append_trace(const ClueTrace& trace, std::string& out) {
  out += fmt::format("{}, {}, {}, {} dismissed by their neighbourhood, {} read\n", counted(trace.lookups, "look-up"),
                     counted(trace.postings, "posting"), counted(trace.candidates, "candidate"), grouped(trace.settled),
                     counted(trace.texts_read, "text"));
  for (const ClueTrace::Asked& asked : trace.asked) {
    out += fmt::format("{:>12}  {}{}\n", grouped(asked.postings), printable(asked.gram), asked.certain ? "  (in every matching text)" : "");
  }
}

void append_hit_json(const ClueHit& hit, const ClueSearch& search, std::string& out) {
  out += fmt::format(R"({{"id":{},"begin":{},"end":{},"begin_character":{},"end_character":{},"text_bytes":{},)", json_quote(hit.name),
                     hit.begin, hit.end, hit.begin_character, hit.end_character, hit.text_bytes);
  if (search.mode == ClueSearch::Mode::kResembles) {
    out += fmt::format(R"("similarity":{:.9g},"common":{},"clue_grams":{},"text_grams":{},)", hit.similarity, hit.overlap.common,
                       hit.overlap.size_a, hit.overlap.size_b);
  } else {
    out += fmt::format(R"("edits":{},"occurrences":{},)", hit.edits, hit.occurrences);
  }
  out += fmt::format(R"("passage":{})", json_quote(hit.passage));
  if (!hit.differences.empty()) out += fmt::format(R"(,"differences":{})", json_quote(hit.differences));
  out += '}';
}

void append_trace_json(const ClueTrace& trace, std::string& out) {
  out += fmt::format(R"(,"trace":{{"lookups":{},"postings":{},"candidates":{},"settled":{},"texts_read":{},"asked":[)", trace.lookups,
                     trace.postings, trace.candidates, trace.settled, trace.texts_read);
  for (size_t i = 0; i < trace.asked.size(); ++i) {
    const ClueTrace::Asked& asked = trace.asked[i];
    out += fmt::format(R"({}{{"gram":{},"postings":{},"certain":{}}})", i == 0 ? "" : ",", json_quote(asked.gram), asked.postings,
                       asked.certain);
  }
  out += "]}";
}

}  // namespace

std::string likely_words(const ClueAnswer& answer, const ClueSearch& search) {
  return fmt::format("likely: expected to find {} of the matching texts; {}. --scan finds all", percent(answer.predicted_recall),
                     reason_of(answer, search));
}

std::string_view table_header(bool counts) noexcept {
  return counts ? "query\tcount\tcertainty\tmore\n" : "query\tid\tbegin\tend\tedits\tsimilarity\tcertainty\tmore\tpassage\n";
}

void append_table(const ClueAnswer& answer, const ClueSearch& search, std::string& out) {
  const std::string_view certainty = to_string(answer.certainty);
  if (search.count_only) {
    out += fmt::format("\t{}\t{}\t{}\n", answer.count, certainty, answer.more);
    return;
  }
  for (const ClueHit& hit : answer.hits) {
    out += '\t';
    append_cell(hit.name, out);
    const std::string edits = search.mode == ClueSearch::Mode::kContains ? fmt::format("{}", hit.edits) : "";
    out += fmt::format("\t{}\t{}\t{}\t{:.6f}\t{}\t{}\t", hit.begin, hit.end, edits, hit.similarity, certainty, answer.more);
    append_cell(hit.passage, out);
    out += '\n';
  }
}

void append_json(const ClueAnswer& answer, const ClueSearch& search, std::string& out) {
  out += fmt::format(
      R"(,"certainty":"{}","predicted_recall":{:.6g},"more":{},"capped":{},"count":{},"form":{},"characters":{},"columns":{},)"
      R"("min_run":{},"min_run_wide":{},"guaranteed":{},"max_edits":{},"guaranteed_edits":{})",
      to_string(answer.certainty), answer.predicted_recall, answer.more, answer.capped, answer.count, json_quote(answer.form),
      answer.characters, answer.columns, answer.min_run, answer.min_run_wide, answer.guaranteed, answer.max_edits, answer.guaranteed_edits);
  if (!search.count_only) {
    out += R"(,"hits":[)";
    for (size_t i = 0; i < answer.hits.size(); ++i) {
      if (i > 0) out += ',';
      append_hit_json(answer.hits[i], search, out);
    }
    out += ']';
  }
  if (search.explain) append_trace_json(answer.trace, out);
  out += "}\n";
}

void append_problem_json(std::string_view problem, std::string& out) {
  out += fmt::format(R"(,"problem":{}}})"
                     "\n",
                     json_quote(problem));
}

void append_page(const ClueAnswer& answer, const ClueSearch& search, const ClueIndex& index, bool colored, std::string& out) {
  for (const ClueHit& hit : answer.hits) append_hit(hit, search, index, colored, out);
  const std::string_view verb = search.mode == ClueSearch::Mode::kResembles ? "resembling the clue"
                                : search.edits                              ? "with the clue or a passage close to it"
                                                                            : "with the clue";
  const uint64_t texts = search.count_only ? answer.count : answer.hits.size();
  out += fmt::format("{}{} {}\n", answer.hits.empty() ? "" : "\n", texts == 0 ? "no text" : counted(texts, "text"), verb);
  append_certainty(answer, search, out);
  if (search.explain) append_trace(answer.trace, out);
}

}  // namespace neardup::cli
