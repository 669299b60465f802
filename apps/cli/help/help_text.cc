#include "cli/help/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/commands/commands.h"
#include "cli/help/command_options.h"
#include "cli/help/exit_codes.h"
#include "cli/terminal/text_format.h"

namespace neardup::cli {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kLongestHead = 34;  // longer ones stand on a line of their own
constexpr int kSharedBy = 4;         // an option of at least this many commands is listed once on the page of options

struct Entry {
  std::string head;
  std::string text;
};
struct Section {
  std::string_view group;
  std::vector<Entry> entries;
};

std::vector<Entry>& section_of(std::vector<Section>& sections, std::string_view group) {
  const auto found = std::ranges::find(sections, group, &Section::group);
  if (found != sections.end()) return found->entries;
  sections.push_back({group, {}});
  return sections.back().entries;
}

// Names without a letter are aligned with those that have one.
Entry entry_of(const CommandOption& option) {
  const std::string letter = option.letter == '\0' ? "    " : fmt::format("-{}, ", option.letter);
  return {fmt::format("{}--{}{}{}", letter, option.name, option.value.empty() ? "" : " ", option.value), option.text};
}

std::vector<Section> sections_of(const Command& command, HelpPage page) {
  std::vector<Section> sections;
  for (const CommandOption& option : command_options(command)) {
    if (page == HelpPage::kAll) {
      section_of(sections, option.group).push_back(entry_of(option));
    } else if (option.essential && option.group != "Help") {
      section_of(sections, "Options").push_back(entry_of(option));
    }
  }
  return sections;
}

void write_entries(const std::vector<Entry>& entries, std::string& out) {
  size_t column = 0;
  for (const Entry& entry : entries) {
    if (entry.head.size() <= kLongestHead) column = std::max(column, entry.head.size() + 4);
  }
  for (const Entry& entry : entries) {
    out += fmt::format("  {:<{}}", entry.head, column - 2);
    if (entry.head.size() + 4 > column) out += fmt::format("\n{:{}}", "", column);
    out += wrapped(entry.text, column, kWidth);
    out += '\n';
  }
}

void write_indented(std::string_view lines, std::string& out) {
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    out += fmt::format("  {}\n", lines.substr(at, end - at));
    at = end + 1;
  }
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    if (byte == '|') out += '\\';
    out += byte;
  }
  return out;
}

std::string code_cell(std::string_view text) {
  return text.empty() ? "" : fmt::format("`{}`", markdown_cell(text));
}

/// "-q, --quiet" of an entry's head, which the help aligns.
std::string flags_cell(const Entry& entry) {
  return code_cell(std::string_view(entry.head).substr(entry.head.find('-')));
}

/// The commands that most rows of a group take; of several equally frequent lists, the first in alphabetical order.
std::string_view usual_commands(std::string_view group) {
  std::map<std::string_view, size_t> counts;
  for (const OptionRow& row : option_table()) {
    if (row.group == group) ++counts[row.commands];
  }
  return std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })->first;
}

bool same(const LocalOption& a, const LocalOption& b) {
  return a.flags == b.flags && a.value == b.value && a.help == b.help;
}

/// True if at least kSharedBy commands take the option in this form.
bool is_shared(const LocalOption& option) {
  const auto takes_it = [&](const Command* command) {
    return std::ranges::any_of(command->options, [&](const LocalOption& other) { return same(option, other); });
  };
  return std::ranges::count_if(commands(), takes_it) >= kSharedBy;
}

void write_engine_options(std::string& out) {
  std::string_view group;
  std::string_view usual;
  for (const OptionRow& row : option_table()) {
    if (row.group != group) {
      group = row.group;
      usual = usual_commands(group);
      out +=
          fmt::format("\n### {}\n\nFor {}, unless a row names others.\n\n| option | commands | meaning |\n|---|---|---|\n", group, usual);
    }
    const Entry entry = entry_of(describe(row));
    out += fmt::format("| {} | {} | {} |\n", flags_cell(entry), row.commands == usual ? "" : row.commands, markdown_cell(entry.text));
  }
}

void write_option_rows(const std::vector<LocalOption>& options, std::string& out) {
  out += "\n| option | meaning |\n|---|---|\n";
  for (const LocalOption& option : options) {
    const Entry entry = entry_of(describe(option));
    out += fmt::format("| {} | {} |\n", flags_cell(entry), markdown_cell(entry.text));
  }
}

std::vector<LocalOption> shared_options() {
  std::vector<LocalOption> shared;
  for (const Command* command : commands()) {
    for (const LocalOption& option : command->options) {
      const auto known = [&](const LocalOption& other) { return same(option, other); };
      if (is_shared(option) && std::ranges::none_of(shared, known)) shared.push_back(option);
    }
  }
  return shared;
}

/// The options of one command; shared ones are only named.
void write_command_options(const Command& command, size_t shared, std::string& out) {
  std::vector<LocalOption> own;
  std::string names;
  for (const LocalOption& option : command.options) {
    if (is_shared(option)) {
      names += fmt::format(" `--{}`", option.name());
    } else {
      own.push_back(option);
    }
  }
  out += fmt::format("\n### neardup {}\n\n{}\n", command.name, command.sentence);
  if (!own.empty()) write_option_rows(own, out);
  if (command.options.size() == own.size() + shared) names = " all";
  if (!names.empty()) out += fmt::format("\n[Shared](#shared):{}\n", names);
}

}  // namespace

std::string overview() {
  std::string out =
      "neardup finds near-duplicate texts in large corpora. Every removed text names the kept one that it matches.\n"
      "\n"
      "usage: neardup COMMAND ...\n"
      "\n";
  std::vector<Entry> entries;
  for (const Command* command : commands()) entries.push_back({std::string(command->name), std::string(command->sentence)});
  write_entries(entries, out);
  out +=
      "\n"
      "To begin with:\n"
      "  neardup dedup corpus.jsonl -o kept.jsonl --verdicts verdicts.tsv\n"
      "  neardup help dedup\n"
      "\n";
  std::string codes = "Exit codes:";
  for (const auto& [numbers, meaning] : kExitMeanings) codes += fmt::format(" {} {};", numbers, meaning);
  codes.back() = '.';
  return out + wrapped(codes, 0, kWidth) + '\n';
}

std::string_view input_kinds(const Command& command) {
  const auto reads_format = [&](const OptionRow& row) { return row.name == "format" && takes(command, row); };
  if (std::ranges::none_of(option_table(), reads_format)) return {};
  return "INPUT is a file, a folder, a quoted glob, the URI of a database, or - for standard input. It may hold\n"
         "JSON Lines, JSON, text, HTML, WARC, Parquet, CSV, MongoDB, PostgreSQL, MySQL, SQLite; files also compressed (docs/sources.md).";
}

std::string command_help(const Command& command, HelpPage page) {
  std::string out =
      fmt::format("neardup {}: {}\n\nusage: neardup {} {}\n\nExamples\n", command.name, command.sentence, command.name, command.usage);
  write_indented(command.examples, out);
  for (const std::string_view paragraph : {input_kinds(command), command.details}) {
    if (!paragraph.empty()) out += fmt::format("\n{}\n", paragraph);
  }
  for (const Section& section : sections_of(command, page)) {
    out += fmt::format("\n{}\n", section.group);
    write_entries(section.entries, out);
  }
  if (page == HelpPage::kEssential) out += "\n--help-all shows all options\n";
  return out;
}

std::string options_markdown() {
  std::string out =
      "`--max-record-bytes` on the command line is `max_record_bytes` in the C++ interface and in JSON. Parentheses hold the bounds of a "
      "value, brackets its default.\n"
      "\n"
      "## Of the engine\n";
  write_engine_options(out);
  out += "\n## Of the command line\n";
  const std::vector<LocalOption> shared = shared_options();
  for (const Command* command : commands()) {
    if (!command->options.empty()) write_command_options(*command, shared.size(), out);
  }
  out += "\n### Shared\n";
  write_option_rows(shared, out);
  return out;
}

}  // namespace neardup::cli
