// Answers of a clue index as text: a table, JSON Lines, or a page for people.
//
//   table  query id begin end edits similarity certainty more passage: a line a hit; under --count: query count certainty more
//   JSON   a line a question, with its hits and how certain the answer is
//   page   hits with the passage marked in its surroundings, then what the answer is worth, in words
// Pure functions but for the texts that a page reads from the index.
#pragma once

#include <string>
#include <string_view>

#include "neardup/clue_index.h"

namespace neardup::cli {

enum class AnswerForm { kTable, kJson, kPage };

/// Of an answer that is kLikely: what it is expected to find, why not all, and what finds all.
std::string likely_words(const ClueAnswer& answer, const ClueSearch& search);

/// The first line of a table.
std::string_view table_header(bool counts) noexcept;

/// Appends lines without the name of the query: what follows it in a line of a table, and what follows its member in JSON.
void append_table(const ClueAnswer& answer, const ClueSearch& search, std::string& out);
void append_json(const ClueAnswer& answer, const ClueSearch& search, std::string& out);
/// The same for a clue that cannot be asked.
void append_problem_json(std::string_view problem, std::string& out);

/// `colored`: the passage is bold; else it is between brackets. Nothing in it can control a terminal.
void append_page(const ClueAnswer& answer, const ClueSearch& search, const ClueIndex& index, bool colored, std::string& out);

}  // namespace neardup::cli
