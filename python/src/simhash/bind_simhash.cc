#include "simhash/bind_simhash.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/tools/python_simhash.h"
#include "python_text.h"
#include "text_line.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

// Less takes less time than what it costs to give up the lock of the interpreter.
constexpr size_t kLockedBytes = 4096;
constexpr size_t kLockedFeatures = 256;

// (upper half, lower half) of the 128 bits.
nb::object pair_of(Fingerprint128 fingerprint) {
  return nb::make_tuple(fingerprint.high, fingerprint.low);
}

template <typename Function>
Fingerprint128 computed(bool unlocked, const Function& function) {
  if (!unlocked) return function();
  const Unlocked release;
  return function();
}

nb::object simhash_text(nb::handle text) {
  const PythonText read(text, PythonText::Bytes::kRefused, "value");
  return pair_of(computed(read.view().size() > kLockedBytes, [&] { return python_simhash_text(read.view()); }));
}

// A bytearray of pairs of 64-bit numbers, lower half first.
nb::object simhash_texts(nb::handle texts, uint32_t threads) {
  using Line = TextLine<std::vector<Fingerprint128>>;
  std::vector<uint64_t> halves;
  Line::run(
      texts, PythonText::Bytes::kRefused, threads,
      [](Line::Chunk& chunk) {
        for (const std::string_view text : chunk.views) chunk.result.push_back(python_simhash_text(text));
      },
      [&](const Line::Chunk& chunk) {
        for (const Fingerprint128& made : chunk.result) halves.insert(halves.end(), {made.low, made.high});
      });
  PyObject* const bytes = PyByteArray_FromStringAndSize(reinterpret_cast<const char*>(halves.data()),
                                                        static_cast<Py_ssize_t>(halves.size() * sizeof(uint64_t)));
  if (bytes == nullptr) throw nb::python_error();
  return nb::steal(bytes);
}

// The UTF-8 of a str that the caller's list keeps.
std::string_view view_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

// An int or a float as the package weighs it; nothing for other objects, and for ints that make the sum of all too large for doubles.
std::optional<std::variant<int64_t, double>> weight_of(nb::handle weight, uint64_t& magnitudes) {
  if (PyFloat_Check(weight.ptr()) != 0) return PyFloat_AsDouble(weight.ptr());
  if (PyLong_Check(weight.ptr()) == 0) return std::nullopt;
  constexpr int64_t kLargest = int64_t{1} << 53;
  int overflow = 0;
  const int64_t number = PyLong_AsLongLongAndOverflow(weight.ptr(), &overflow);
  if (overflow != 0 || number <= -kLargest || number >= kLargest) return std::nullopt;
  magnitudes += static_cast<uint64_t>(std::llabs(number));
  if (magnitudes >= static_cast<uint64_t>(kLargest)) return std::nullopt;
  return number;
}

// The fingerprint of a list of str, or of pairs (str, weight); None for lists of anything else, and of both.
nb::object simhash_features(const nb::list& features) {
  std::vector<std::string_view> tokens;
  std::vector<PythonToken> weighted;
  std::vector<nb::object> kept;  // what the views are in: another thread may change the list
  uint64_t magnitudes = 0;
  for (nb::handle feature : features) {
    if (PyUnicode_Check(feature.ptr()) != 0) {
      kept.push_back(nb::borrow(feature));
      tokens.push_back(view_of(feature));
      continue;
    }
    if (PyTuple_CheckExact(feature.ptr()) == 0 || PyTuple_Size(feature.ptr()) != 2) return nb::none();
    const nb::handle token = PyTuple_GetItem(feature.ptr(), 0);
    const auto weight = weight_of(PyTuple_GetItem(feature.ptr(), 1), magnitudes);
    if (PyUnicode_Check(token.ptr()) == 0 || !weight) return nb::none();
    kept.push_back(nb::borrow(token));
    weighted.push_back({view_of(token), *weight});
  }
  if (!tokens.empty() && !weighted.empty()) return nb::none();
  return pair_of(computed(kept.size() > kLockedFeatures, [&] {
    return weighted.empty() ? python_simhash_tokens(std::span<const std::string_view>(tokens)) : python_simhash_weighted(weighted);
  }));
}

}  // namespace

void bind_simhash(nb::module_& module) {
  module.def("simhash_text", &simhash_text, nb::arg("text").none());
  module.def("simhash_texts", &simhash_texts, nb::arg("texts").none(), nb::arg("threads"));
  module.def("simhash_features", &simhash_features, nb::arg("features"));
}

}  // namespace neardup::python
