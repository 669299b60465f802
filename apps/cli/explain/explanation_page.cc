#include "cli/explain/explanation_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/terminal/character_counter.h"
#include "cli/terminal/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kShownNumbers = 40;  // of bands, blocks and bits in a line
constexpr size_t kShownChanges = 10;
constexpr double kMillionths = 1e6;

std::string shown_similarity(uint32_t millionths) {
  return fmt::format("{:.6f}", millionths / kMillionths);
}

// Quoted if it begins or ends with blanks, or has nothing else: they would be lost among those around it.
std::string shown_id(std::string_view id) {
  const bool plain = !id.empty() && id.front() != ' ' && id.back() != ' ';
  return plain ? printable(id) : fmt::format("'{}'", printable(id));
}

// "a1   corpus.jsonl:12"
std::string shown_document(std::string_view id, bool has_id, std::string_view source, uint64_t row) {
  const std::string place = fmt::format("{}:{}", printable(source), row);
  return has_id ? fmt::format("{}   {}", shown_id(id), place) : place;
}

std::string offset_label(const TextPlace& place) {
  return place.offset ? fmt::format(", byte {}", grouped(*place.offset)) : std::string();
}

std::string_view kind_label(Explained::KeeperKind kind) {
  using Kind = Explained::KeeperKind;
  return kind == Kind::kInput ? "" : kind == Kind::kReference ? "   (of the reference corpus)" : "   (an entry of this index)";
}

std::string_view kind_name(Explained::KeeperKind kind) {
  using Kind = Explained::KeeperKind;
  return kind == Kind::kInput ? "input" : kind == Kind::kReference ? "reference" : "index";
}

std::string numbers(const std::vector<uint32_t>& all) {
  const std::vector<uint32_t> shown(all.begin(), all.begin() + static_cast<ptrdiff_t>(std::min(all.size(), kShownNumbers)));
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     all.size() > shown.size() ? fmt::format(" and {} more", all.size() - shown.size()) : "");
}

// "0-15"
std::string block_label(const Meeting& meeting, uint32_t block) {
  return fmt::format("{}-{}", block == 0 ? 0 : meeting.block_ends[block - 1], meeting.block_ends[block] - 1);
}

std::string blocks_label(const Meeting& meeting) {
  std::vector<std::string> labels;
  for (const uint32_t block : meeting.equal_blocks) {
    if (labels.size() < kShownNumbers) labels.push_back(block_label(meeting, block));
  }
  return fmt::format("{}", fmt::join(labels, ", "));
}

std::string meeting_text(const Meeting& meeting, Search search) {
  if (meeting.too_short) return "";
  if (meeting.bits > 0) {
    std::string text = meeting.differing_bits.empty()
                           ? fmt::format("all {} bits of the fingerprints", meeting.bits)
                           : fmt::format("all but {} of {} bits of the fingerprints: {}", meeting.differing_bits.size(), meeting.bits,
                                         numbers(meeting.differing_bits));
    if (meeting.equal_blocks.empty()) return text;
    return text + fmt::format("\n           {} of {} equal: bits {}", meeting.equal_blocks.size(),
                              counted(meeting.block_ends.size(), "block"), blocks_label(meeting));
  }
  if (meeting.bands == 0) return search == Search::kExact ? "the exact search, which compares all texts with common features" : "";
  if (meeting.equal_bands.empty()) return fmt::format("none of {} bands: another document of the cluster connects them", meeting.bands);
  return fmt::format("{} of {} of {}: {}", meeting.equal_bands.size(), counted(meeting.bands, "band"),
                     counted(meeting.rows_per_band, "lane"), numbers(meeting.equal_bands));
}

std::string json_document(std::string_view id, bool has_id, std::string_view source, uint64_t row) {
  return fmt::format(R"("id":{},"source":{},"row":{})", has_id ? json_quote(id) : "null", json_quote(source), row);
}

std::string json_offset(const std::optional<TextPlace>& place) {
  return place && place->offset ? fmt::format("{}", *place->offset) : "null";
}

std::string json_meeting(const Meeting& meeting) {
  if (meeting.bits == 0) {
    return fmt::format(R"({{"kind":"bands","bands":{},"rows_per_band":{},"equal":[{}]}})", meeting.bands, meeting.rows_per_band,
                       fmt::join(meeting.equal_bands, ","));
  }
  std::vector<std::string> blocks;
  blocks.reserve(meeting.equal_blocks.size());
  for (const uint32_t block : meeting.equal_blocks) {
    blocks.push_back(
        fmt::format(R"({{"first_bit":{},"end_bit":{}}})", block == 0 ? 0 : meeting.block_ends[block - 1], meeting.block_ends[block]));
  }
  return fmt::format(R"({{"kind":"blocks","bits":{},"differing_bits":[{}],"blocks":{},"equal":[{}]}})", meeting.bits,
                     fmt::join(meeting.differing_bits, ","), meeting.block_ends.size(), fmt::join(blocks, ","));
}

std::string removal_rule(const Options& options, const RunPlan& plan) {
  const bool by_distance =
      plan.fingerprint_bits > 0 && (options.verify == Verify::kTrue || options.verify == Verify::kFalse) && plan.bands == 0;
  if (by_distance) {
    return fmt::format("the fingerprints differ in at most {} of {} bits", plan.max_distance, plan.fingerprint_bits);
  }
  const std::string_view measure = options.verify == Verify::kCosine            ? "cosine"
                                   : options.verify == Verify::kWeightedJaccard ? "weighted Jaccard similarity"
                                                                                : "Jaccard similarity";
  return fmt::format("{} of the features at least {}", measure, options.threshold.value());
}

// "bytes 12 to 15 (characters 10 to 13)"; the end is exclusive, as in JSON.
std::string range_label(size_t begin, size_t end, CharacterCounter& counter) {
  const size_t first = counter.before(begin);
  return fmt::format("{} to {} ({} to {})", begin, end, first, counter.before(end));
}

}  // namespace

std::string change_places(std::string_view removed, std::string_view keeper, const Alignment& alignment) {
  const auto kinds = kinds_of_parts(removed, keeper, alignment);
  CharacterCounter in_removed(removed);
  CharacterCounter in_keeper(keeper);
  std::string text;
  size_t changes = 0;
  for (size_t i = 0; i < alignment.parts.size(); ++i) {
    const AlignedPart& part = alignment.parts[i];
    if (part.kind != AlignedPart::kChanged || ++changes > kShownChanges) continue;
    text += fmt::format("  {:<36}{:<36}{}\n", range_label(part.a_begin, part.a_end, in_removed),
                        range_label(part.b_begin, part.b_end, in_keeper), kinds[i] ? name_of(*kinds[i]) : "");
  }
  if (changes == 0) return {};
  if (changes > kShownChanges) text += fmt::format("  and {} more; --json has all\n", grouped(changes - kShownChanges));
  return fmt::format("changes at bytes (characters)\n  {:<36}{}\n", "of the document", "of the keeper") + text;
}

std::string rule_of(const Explained& document, const Options& options, const RunPlan& plan) {
  const std::string& reason = document.line.reason;
  if (reason == "unique") return "it matches no document that was kept before it, and none was removed because of it";
  if (reason == "keeper")
    return fmt::format("it matches no document that was kept before it; {} removed because of it",
                       document.line.cluster_size == 2 ? std::string("one document was")
                                                       : fmt::format("{} documents were", grouped(document.line.cluster_size - 1)));
  if (reason == "short")
    return fmt::format("fewer features than the recipe requires ({}){}: only an exact copy matches, and none was kept before it",
                       plan.recipe.min_features,
                       options.min_length > 0 ? fmt::format(", or fewer characters than --min-length ({})", options.min_length) : "");
  if (reason == "protected") return "it matches a kept document, but --protect spares it";
  if (reason == "exact_copy") return "the same text as its keeper after normalization";
  if (reason == "near_duplicate") return removal_rule(options, plan);
  if (reason == "contained") return fmt::format("its keeper has a share of its features of at least {}", options.threshold.value());
  if (reason == "unverified") return "it shares a band with its keeper, and nothing was verified: the similarity is an estimate";
  if (reason == "connected") return "a chain of matches connects it to its keeper; the two themselves are below the threshold";
  return reason;
}

std::string ExplanationPage::to_text(bool colored) const {
  const VerdictLine& line = document.line;
  const std::string_view bold = colored ? "\033[1m" : "";
  const std::string_view end = colored ? "\033[0m" : "";
  std::string text =
      fmt::format("document   {}{}\n", shown_document(line.id, line.has_id, line.source, line.row), offset_label(document.text));
  text += fmt::format("verdict    {}{}{}, {}\n", bold, line.removed ? "removed" : "kept", end, printable(line.reason));
  text += fmt::format("rule       {}\n", rule_of(document, options, plan));
  if (line.removed) {
    text += fmt::format("keeper     {}{}{}\n", shown_document(line.keeper_id, line.keeper_has_id, line.keeper_source, line.keeper_row),
                        document.keeper ? offset_label(*document.keeper) : "", kind_label(document.keeper_kind));
    text +=
        fmt::format("similarity {}{}\n", shown_similarity(line.similarity_millionths), line.reason == "unverified" ? ", estimated" : "");
  }
  if (line.cluster_size > 1) {
    text += fmt::format("cluster    {}: the keeper and {}\n", counted(line.cluster_size, "document"),
                        counted(line.cluster_size - 1, "removed one"));
    for (const VerdictLine& member : members) {
      text += fmt::format("  {}  {}{}\n", shown_similarity(member.similarity_millionths),
                          shown_document(member.id, member.has_id, member.source, member.row),
                          member.source == line.source && member.row == line.row ? "   (this one)" : "");
    }
    if (members.size() + 1 < line.cluster_size) {
      text += fmt::format("  and {} more; --members N shows N\n", grouped(line.cluster_size - 1 - members.size()));
    }
  }
  for (const Meeting& meeting : meetings) {
    if (const std::string met = meeting_text(meeting, options.search); !met.empty()) text += fmt::format("met in     {}\n", met);
  }
  if (!problem.empty()) text += fmt::format("\n{}\n", printable(problem));
  if (comparison != nullptr) text += "\n" + comparison->to_text(colored);
  if (!changes.empty()) text += "\n" + changes;
  return text;
}

std::string ExplanationPage::to_json() const {
  const VerdictLine& line = document.line;
  std::string text = fmt::format(R"({{"document":{{{},"offset":{}}},"verdict":"{}","reason":{},"rule":{},)",
                                 json_document(line.id, line.has_id, line.source, line.row), json_offset(document.text),
                                 line.removed ? "remove" : "keep", json_quote(line.reason), json_quote(rule_of(document, options, plan)));
  if (line.removed) {
    text += fmt::format(R"("keeper":{{{},"offset":{},"kind":"{}"}},"similarity":{},)",
                        json_document(line.keeper_id, line.keeper_has_id, line.keeper_source, line.keeper_row),
                        json_offset(document.keeper), kind_name(document.keeper_kind), shown_similarity(line.similarity_millionths));
  } else {
    text += R"("keeper":null,"similarity":null,)";
  }
  text += fmt::format(R"("cluster":{{"id":{},"size":{},"members":[)", json_quote(line.cluster_id), line.cluster_size);
  for (size_t i = 0; i < members.size(); ++i) {
    text += fmt::format(R"({}{{{},"similarity":{}}})", i == 0 ? "" : ",",
                        json_document(members[i].id, members[i].has_id, members[i].source, members[i].row),
                        shown_similarity(members[i].similarity_millionths));
  }
  text += "]},\"met\":[";
  for (size_t i = 0; i < meetings.size(); ++i) text += (i == 0 ? "" : ",") + (meetings[i].too_short ? "null" : json_meeting(meetings[i]));
  std::string compared = comparison == nullptr ? "null" : comparison->to_json();
  while (!compared.empty() && compared.back() == '\n') compared.pop_back();
  text += fmt::format("],\"problem\":{},\"comparison\":{}}}\n", problem.empty() ? "null" : json_quote(problem), compared);
  return text;
}

}  // namespace neardup::cli
