// Recipe::resolve: what the files that a recipe names contain, as ids.
#include <fmt/format.h>

#include "base/hash.h"
#include "base/open_file.h"
#include "features/document_frequency.h"
#include "neardup/error.h"
#include "neardup/recipe.h"
#include "sketch/recipe_bounds.h"
#include "text/jieba/jieba_dictionary.h"
#include "text/jieba/jieba_sources.h"
#include "text/normalize/han_fold.h"
#include "text/tokens/stemmer.h"
#include "text/tokens/stop_words.h"

namespace neardup {

bool is_stop_word_list(std::string_view name) {
  for (const std::string_view known : StopWords::built_in_names()) {
    if (known == name) return true;
  }
  return false;
}

std::string stop_word_list_of(uint64_t id) {
  for (const std::string_view name : StopWords::built_in_names()) {
    if (StopWords::load(std::string(name)).id() == id) return std::string(name);
  }
  return {};
}

void Recipe::resolve() {
  ids = {};
  if (!stemmer.empty()) static_cast<void>(Stemmer(stemmer));  // throws for a language that is unknown
  if (uses_jieba()) ids.dictionary = JiebaDictionary::open(dictionary.empty() ? find_jieba_dictionary() : dictionary).id();
  if (!user_words.empty()) ids.user_words = hash64(read_file(user_words, Allow::kRegular, "read the user words", jieba::kMaxSourceBytes));
  if (!stop_words.empty()) ids.stop_words = StopWords::load(stop_words).id();
  if (fold_han) ids.han_fold = HanFold::traditional_to_simplified().id();
  if (!idf.empty() && !needs_fitting()) {
    const DocumentFrequencyTable table = DocumentFrequencyTable::open(idf);
    const std::string tokens = frequency_description(canonical_json());
    if (table.description() != tokens) {
      throw Error(ErrorCode::kUsage, fmt::format("recipe '{}': the table '{}' was fitted on other tokens: {}, not {}", name, idf,
                                                 table.description(), tokens));
    }
    ids.idf = table.id();
  }
}

}  // namespace neardup
