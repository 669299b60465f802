#include "jieba/cut_many.h"

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jieba/word_strings.h"
#include "text_line.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

struct Words {
  std::vector<std::string_view> words;
  std::vector<size_t> ends;         // of each text in `words`
  std::deque<std::string> outside;  // words that are not a part of their text
};
using Line = TextLine<Words>;

void cut_chunk(const Jieba& jieba, Jieba::CutMode mode, bool hmm, Line::Chunk& chunk) {
  Words& to = chunk.result;
  size_t bytes = 0;
  for (const std::string_view text : chunk.views) bytes += text.size();
  to.words.reserve(bytes / 4);
  jieba.cut_each(chunk.views, mode, hmm, [&](size_t i, std::span<const std::string_view> words) {
    const std::string_view text = chunk.views[i];
    const size_t begin = to.words.size();
    to.words.insert(to.words.end(), words.begin(), words.end());
    if (mode == Jieba::CutMode::kAll) {  // only there
      for (std::string_view& word : std::span(to.words).subspan(begin)) {
        const bool inside = word.data() >= text.data() && word.data() + word.size() <= text.data() + text.size();
        if (!inside) word = to.outside.emplace_back(word);
      }
    }
    to.ends.push_back(to.words.size());
  });
}

// The garbage collector would go through all lists again and again while they become more, which takes longer than to cut the texts. So it
// does not see them before all are there; nobody else has them by then.
class UnseenLists {
 public:
  explicit UnseenLists(nb::handle lists) : lists_(lists) { PyObject_GC_UnTrack(lists.ptr()); }
  UnseenLists(const UnseenLists&) = delete;
  UnseenLists& operator=(const UnseenLists&) = delete;
  ~UnseenLists() {
    for (Py_ssize_t i = 0; i < PyList_Size(lists_.ptr()); ++i) PyObject_GC_Track(PyList_GetItem(lists_.ptr(), i));
    PyObject_GC_Track(lists_.ptr());
  }
  void append(const nb::object& list) {
    PyObject_GC_UnTrack(list.ptr());
    if (PyList_Append(lists_.ptr(), list.ptr()) == 0) return;
    PyObject_GC_Track(list.ptr());
    throw nb::python_error();
  }

 private:
  nb::handle lists_;
};

void append_lists(const Line::Chunk& chunk, UnseenLists& lists) {
  const std::span<const std::string_view> words = chunk.result.words;
  size_t begin = 0;
  for (size_t i = 0; i < chunk.texts.size(); ++i) {
    const size_t end = chunk.result.ends[i];
    lists.append(WordStrings::shared().list_of(chunk.texts[i], words.subspan(begin, end - begin)));
    begin = end;
  }
}

}  // namespace

nb::object cut_many(const Jieba& jieba, nb::handle texts, Jieba::CutMode mode, bool hmm, uint32_t threads) {
  nb::object all = nb::steal(PyList_New(0));
  if (!all.is_valid()) throw nb::python_error();
  UnseenLists lists(all);
  Line::run(
      texts, PythonText::Bytes::kDecoded, threads, [&](Line::Chunk& chunk) { cut_chunk(jieba, mode, hmm, chunk); },
      [&](const Line::Chunk& chunk) { append_lists(chunk, lists); });
  return all;
}

}  // namespace neardup::python
