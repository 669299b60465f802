// Cleaner: reduces a text to the part that is compared. Runs before the normalizer. docs/cleaning.md defines every cleaner to the byte.
//
// A cleaner is immutable and shared by threads; every thread brings a Scratch. clean() is total: any bytes in, defined bytes out, nothing
// thrown but std::bad_alloc. Bytes that a cleaner does not touch are unchanged, malformed UTF-8 too; only html_v1 repairs.
//
// A cleaner is described by JSON, and make_cleaner() of describe() is the same cleaner:
//   "tags_v1"                        "html_v1"                   {"lines_v1":"ID OF A LINE LIST, 16 HEXADECIMAL DIGITS"}
//   {"cut_before":"LITERAL"}         {"cut_after":"LITERAL"}     {"remove":"LITERAL"}
//   {"cut_before":{"pattern":"RE2"}}                             (so with the other two; {"literal":"..."} is "..." in long)
// describe() is the canonical form: no white space, the short form of a literal.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

class HtmlTokenizer;
class LineList;

class Cleaner {
 public:
  /// Buffers that a thread reuses from text to text.
  class Scratch {
   public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

    std::string turns[2];  ///< of a CleanChain
    std::string repaired;  ///< of html_v1
    std::unique_ptr<HtmlTokenizer> html;
  };

  virtual ~Cleaner() = default;
  /// Replaces `out`. `text` must not point into it or into the scratch, except that CleanChain alone may use Scratch::turns.
  virtual void clean(std::string_view text, std::string& out, Scratch& scratch) const = 0;
  /// Canonical JSON.
  [[nodiscard]] virtual std::string describe() const = 0;
};

/// Files that a description refers to.
struct CleanerFiles {
  std::vector<std::string> line_lists;  ///< paths; {"lines_v1":ID} takes the one with this id
};

/// `json` is one description. Throws Error{kUsage} that names the cleaner and the fault (of a pattern: RE2's message and the byte), and
/// Error{kInput} for a line list that cannot be read.
std::unique_ptr<const Cleaner> make_cleaner(std::string_view json, const CleanerFiles& files = {});
/// The same from a list in memory.
std::unique_ptr<const Cleaner> make_line_cleaner(LineList lines);

/// Several cleaners, one after the other. Immutable, shared by threads.
class CleanChain {
 public:
  CleanChain() = default;
  explicit CleanChain(std::vector<std::unique_ptr<const Cleaner>> cleaners) : cleaners_(std::move(cleaners)) {}
  /// `json` is an array of descriptions; [] is the empty chain. Throws as make_cleaner(), naming the place in the array.
  static CleanChain parse(std::string_view json, const CleanerFiles& files = {});

  [[nodiscard]] bool empty() const noexcept { return cleaners_.empty(); }
  [[nodiscard]] size_t size() const noexcept { return cleaners_.size(); }
  /// The cleaned text: `text` itself if the chain is empty, else valid until the next call with this scratch.
  std::string_view clean(std::string_view text, Cleaner::Scratch& scratch) const;
  /// Canonical JSON, an array.
  [[nodiscard]] std::string describe() const;

 private:
  std::vector<std::unique_ptr<const Cleaner>> cleaners_;
};

}  // namespace neardup
