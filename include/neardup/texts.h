// Texts in memory: the two jobs over a span of strings, for programs with their texts in memory.
//
//   const std::vector<std::string> texts = {...};
//   for (const neardup::TextVerdict& verdict : neardup::dedup_texts(texts, {})) { ... }
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"
#include "neardup/options.h"
#include "neardup/source.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct TextVerdict {
  Decision decision = Decision::kKeep;
  Reason reason = Reason::kUnique;
  size_t keeper = 0;      ///< index of the kept text that a removed one matches
  double similarity = 0;  ///< of a removed one to its keeper
};

struct TextPair {
  size_t a = 0;  ///< a < b
  size_t b = 0;
  double similarity = 0;
};

/// A source of the given texts: source 0, rows from 1, no ids. Neither owns nor copies them. Text i of the span is row i + 1.
std::unique_ptr<DocumentSource> make_text_source(std::span<const std::string_view> texts);

/// One verdict per text, in the order of the texts. Throws Error for invalid options.
std::vector<TextVerdict> dedup_texts(std::span<const std::string_view> texts, const Options& options, Summary* summary = nullptr);
template <std::same_as<std::string> Text>  // a template, so that {} is the empty span
std::vector<TextVerdict> dedup_texts(const std::vector<Text>& texts, const Options& options, Summary* summary = nullptr) {
  return dedup_texts(std::vector<std::string_view>(texts.begin(), texts.end()), options, summary);
}

/// All pairs at or above the threshold, sorted by a, then b.
std::vector<TextPair> pair_texts(std::span<const std::string_view> texts, const Options& options, Summary* summary = nullptr);
template <std::same_as<std::string> Text>  // a template, so that {} is the empty span
std::vector<TextPair> pair_texts(const std::vector<Text>& texts, const Options& options, Summary* summary = nullptr) {
  return pair_texts(std::vector<std::string_view>(texts.begin(), texts.end()), options, summary);
}

}  // namespace neardup
