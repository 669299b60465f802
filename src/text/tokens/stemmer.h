// Stemmer: words to their stems ("running", "runs" -> "run") by the Snowball algorithms of libstemmer.
//
// A word should be normalized: the algorithms know lower-case, composed letters. A word that is not valid UTF-8 or longer than
// kMaxWordBytes is its own stem, and so is every word whose stem would be empty: a token does not vanish by stemming.
//
// A Stemmer is immutable and shared; libstemmer's objects are not, so every thread has a Scratch, which also remembers stems: most words of
// a text are frequent ones, and a lookup takes a sixth of the time of the algorithm.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace neardup {

class Stemmer {
 public:
  /// A language by the English name that Snowball gives its algorithm, "english". Throws Error{kUsage} naming the known ones.
  explicit Stemmer(std::string_view language);
  [[nodiscard]] const std::string& language() const noexcept { return language_; }
  /// In ascending order.
  static std::vector<std::string> languages();

  static constexpr size_t kMaxWordBytes = 255;

  /// Of one thread, for one Stemmer.
  class Scratch {
   public:
    explicit Scratch(const Stemmer& stemmer);

   private:
    friend class Stemmer;
    static constexpr size_t kSlots = 32768;  // 2 MB; with an eighth of them, novels take three times as long
    static constexpr size_t kBytes = 31;     // longer words are stemmed each time
    struct Slot {
      uint8_t word_length;
      uint8_t stem_length;
      char word[kBytes];
      char stem[kBytes];
    };
    struct Delete {
      void operator()(sb_stemmer* stemmer) const noexcept;
    };
    std::unique_ptr<sb_stemmer, Delete> stemmer_;
    std::vector<Slot> slots_;  // by the hash of the word; a word replaces another in its slot
  };

  /// Valid until the next call with this scratch, or as long as the word.
  std::string_view stem(std::string_view word, Scratch& scratch) const;
  /// The same without remembered stems: the slow twin.
  std::string_view stem_uncached(std::string_view word, Scratch& scratch) const;

 private:
  std::string language_;
};

}  // namespace neardup
