#include "jieba/bind_jieba.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jieba/cut_many.h"
#include "jieba/word_strings.h"
#include "neardup/error.h"
#include "neardup/jieba.h"
#include "python_text.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using Mode = Jieba::CutMode;

// Shorter texts take less time than what it costs to give up the lock of the interpreter.
constexpr size_t kLockedBytes = 4096;

nb::object new_list(size_t size) {
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(size)));
  if (!list.is_valid()) throw nb::python_error();
  return list;
}

void set_item(nb::handle list, size_t i, nb::object item) {
  if (PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), item.release().ptr()) != 0) throw nb::python_error();
}

// Calls cut(take), where take(...) makes objects of what was found: without the lock if it takes long, but for take().
template <typename Cut, typename Take>
void cut_unlocked(const Jieba& jieba, const PythonText& text, const Cut& cut, const Take& take) {
  if (jieba.ready() && text.view().size() <= kLockedBytes) return cut(take);
  const Unlocked unlocked;
  cut([&](auto&&... found) {
    const nb::gil_scoped_acquire locked;
    take(found...);
  });
}

nb::object cut(const Jieba& jieba, nb::handle sentence, Mode mode, bool hmm) {
  const PythonText text(sentence, PythonText::Bytes::kDecoded, "sentence");
  const std::string_view view = text.view();
  nb::object list;
  cut_unlocked(
      jieba, text,
      [&](const auto& take) {
        jieba.cut_each({&view, 1}, mode, hmm, take);
      },
      [&](size_t, std::span<const std::string_view> words) { list = WordStrings::shared().list_of(text, words); });
  return list;
}

// A list of (word, begin, end).
nb::object tokenize(const Jieba& jieba, nb::handle sentence, bool search, bool hmm) {
  const PythonText text(sentence, PythonText::Bytes::kDecoded, "sentence");
  const auto mode = search ? Jieba::TokenizeMode::kSearch : Jieba::TokenizeMode::kDefault;
  nb::object list;
  cut_unlocked(
      jieba, text, [&](const auto& take) { jieba.tokenize_views(text.view(), mode, hmm, take); },
      [&](std::span<const Jieba::TokenView> tokens) {
        list = new_list(tokens.size());
        for (size_t i = 0; i < tokens.size(); ++i) {
          set_item(list, i, nb::make_tuple(WordStrings::shared().string_of(text, tokens[i].word), tokens[i].begin, tokens[i].end));
        }
      });
  return list;
}

// A list of words and a list of their tags.
nb::object posseg(const Jieba& jieba, nb::handle sentence, bool hmm) {
  const PythonText text(sentence, PythonText::Bytes::kDecoded, "sentence");
  nb::object words;
  nb::object tags;
  cut_unlocked(
      jieba, text, [&](const auto& take) { jieba.posseg_views(text.view(), hmm, take); },
      [&](std::span<const Jieba::TaggedView> found) {
        words = new_list(found.size());
        tags = new_list(found.size());
        for (size_t i = 0; i < found.size(); ++i) {
          set_item(words, i, WordStrings::shared().string_of(text, found[i].word));
          set_item(tags, i, WordStrings::shared().string_of(text, found[i].tag));
        }
      });
  return nb::make_tuple(words, tags);
}

// A list of (word, weight).
nb::object extract_tags(const JiebaKeywords& keywords, const Jieba& jieba, nb::handle sentence, size_t top,
                        const std::vector<std::string>& allow_pos) {
  const PythonText text(sentence, PythonText::Bytes::kDecoded, "sentence");
  std::vector<Jieba::Keyword> found;
  {
    const Unlocked unlocked;
    found = keywords.extract_tags(jieba, text.view(), top, allow_pos);
  }
  nb::object list = new_list(found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    set_item(list, i, nb::make_tuple(WordStrings::shared().string_of(text, found[i].word), found[i].weight));
  }
  return list;
}

// Adds a word and returns its frequency.
uint64_t add_word(Jieba& jieba, std::string_view word, std::optional<uint64_t> frequency, std::string_view tag) {
  jieba.add_word(word, frequency, tag);
  return frequency ? *frequency : jieba.frequency(word).value_or(0);
}

void bind_segmenter(nb::module_& module) {
  nb::enum_<Mode>(module, "CutMode").value("DEFAULT", Mode::kDefault).value("ALL", Mode::kAll).value("SEARCH", Mode::kSearch);
  nb::class_<Jieba>(module, "Segmenter")
      .def(nb::init<const std::string&>(), nb::arg("dictionary"), nb::call_guard<Unlocked>())
      .def_static("with_words", &Jieba::with_words, nb::arg("words"), nb::arg("dictionary"), nb::call_guard<Unlocked>())
      .def("cut", &cut, nb::arg("sentence").none(), nb::arg("mode"), nb::arg("hmm"))
      .def("cut_many", &cut_many, nb::arg("texts").none(), nb::arg("mode"), nb::arg("hmm"), nb::arg("threads"))
      .def("tokenize", &tokenize, nb::arg("sentence").none(), nb::arg("search"), nb::arg("hmm"))
      .def("posseg", &posseg, nb::arg("sentence").none(), nb::arg("hmm"))
      .def("add_word", &add_word, nb::arg("word"), nb::arg("frequency").none(), nb::arg("tag"))
      .def(
          "suggest_word", [](Jieba& jieba, std::string_view word) { return jieba.suggest_freq(word); }, nb::arg("word"))
      .def(
          "suggest_pieces",
          [](Jieba& jieba, const std::vector<std::string>& pieces) {
            return jieba.suggest_freq(std::vector<std::string_view>(pieces.begin(), pieces.end()));
          },
          nb::arg("pieces"))
      .def("frequency", &Jieba::frequency, nb::arg("word"))
      .def("total", &Jieba::total)
      .def("stop_words", &Jieba::stop_words);
}

}  // namespace

void bind_jieba(nb::module_& module) {
  bind_segmenter(module);
  nb::class_<JiebaKeywords>(module, "Keywords")
      .def(nb::init<>())
      .def("set_idf_path", &JiebaKeywords::set_idf_path, nb::arg("path"), nb::call_guard<Unlocked>())
      .def(
          "set_stop_words", [](JiebaKeywords& keywords, const std::vector<std::string>& words) { keywords.set_stop_words(words); },
          nb::arg("words"))
      .def(
          "idf",
          [](const JiebaKeywords& keywords, const Jieba& jieba, const std::vector<std::string>& words) {
            std::vector<double> found;
            for (const std::string& word : words) found.push_back(keywords.idf(jieba, word));
            return found;
          },
          nb::arg("segmenter"), nb::arg("words"))
      .def("extract_tags", &extract_tags, nb::arg("segmenter"), nb::arg("sentence").none(), nb::arg("top"), nb::arg("allow_pos"));
}

}  // namespace neardup::python
