// MinHash: updates with tokens, comparison, and many at once.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <new>
#include <vector>

#include "datasketch/bind_datasketch.h"
#include "datasketch/minhash_state.h"
#include "datasketch/tokens.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {

const char* name_of(Scheme scheme) noexcept {
  constexpr const char* kNames[] = {"legacy", "affine32", "affine64"};
  return kNames[static_cast<size_t>(scheme)];
}

Words& MinHashState::writable() {
  if (values.use_count() > 1) values = std::make_shared<Words>(*values);
  return *values;
}

namespace {

template <typename Word>
using Row = nb::ndarray<nb::numpy, const Word, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename Word>
using Rows = nb::ndarray<nb::numpy, const Word, nb::shape<2, -1>, nb::c_contig, nb::device::cpu>;

// From here on it pays to let other threads of Python run.
constexpr size_t kManyTokens = 4096;
constexpr size_t kManyBytes = size_t{1} << 20;
// So many tokens or sets are read with the lock before all cores work on them without it.
constexpr size_t kBulkTokens = size_t{1} << 16;
constexpr size_t kBulkSets = 4096;

Scheme scheme_of(int code) {
  if (code < 0 || code > 2) throw nb::value_error("no such scheme");
  return static_cast<Scheme>(code);
}

// The words of an array, whose type must be that of the scheme.
Words words_of(Scheme scheme, nb::handle array) {
  if (scheme == Scheme::kAffine32) {
    const auto row = nb::cast<Row<uint32_t>>(array);
    return std::vector<uint32_t>(row.data(), row.data() + row.size());
  }
  const auto row = nb::cast<Row<uint64_t>>(array);
  return std::vector<uint64_t>(row.data(), row.data() + row.size());
}

template <typename Word>
Permutations permutations_of(Scheme scheme, nb::handle array) {
  const auto rows = nb::cast<Rows<Word>>(array);
  const Word* const data = rows.data();
  const size_t lanes = rows.shape(1);
  return {scheme, std::vector<Word>(data, data + lanes), std::vector<Word>(data + lanes, data + 2 * lanes)};
}

const Permutations& permutations_of(const MinHashState& state) {
  if (state.shared == nullptr) throw nb::type_error("this MinHash cannot be updated: it has no permutations");
  const Permutations& permutations = state.shared->permutations;
  if (size_of(permutations.a) != state.size()) throw nb::value_error("the numbers of hash values and permutations differ");
  return permutations;
}

template <typename Word>
void lower(std::vector<Word>& values, const Word* others) {
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::min(values[i], others[i]);
}

// Requires the same width and size.
void lower(Words& values, const Words& others) {
  std::visit([&](auto& all) { lower(all, std::get<std::remove_reference_t<decltype(all)>>(others).data()); }, values);
}

// What a hash function of the caller's returned. The scheme says which numbers it may be.
uint64_t number_of(Scheme scheme, const nb::object& hash) {
  const nb::object index = nb::steal(PyNumber_Index(hash.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  const unsigned long long number = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred() != nullptr) {
    // An OverflowError, which legacy passes on, as the original does.
    if (scheme == Scheme::kLegacy) throw nb::python_error();
    PyErr_Clear();
  } else if (scheme != Scheme::kAffine32 || number <= UINT32_MAX) {
    return number;
  }
  throw nb::value_error(scheme == Scheme::kAffine32
                            ? "hashfunc returned a number that is not in [0, 2^32): use scheme='affine64' for hash values of 64 bits"
                            : "hashfunc returned a number that is not in [0, 2^64)");
}

uint64_t call_hash(const MinHashState& state, nb::handle token) {
  const nb::object function = state.hashfunc;
  const nb::object hash = nb::steal(PyObject_CallFunctionObjArgs(function.ptr(), token.ptr(), nullptr));
  if (!hash.is_valid()) throw nb::python_error();
  return number_of(state.scheme, hash);
}

void update(MinHashState& self, nb::handle token) {
  if (self.hash != TokenHash::kPython && PyBytes_CheckExact(token.ptr()) != 0) {
    // The usual case; many programs add tokens one by one.
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    PyBytes_AsStringAndSize(token.ptr(), &bytes, &size);
    const std::string_view view(bytes, static_cast<size_t>(size));
    permutations_of(self).apply(self.hash, std::span(&view, 1), self.writable());
    return;
  }
  if (self.hash != TokenHash::kPython) {
    Tokens tokens;
    tokens.add(token);
    permutations_of(self).apply(self.hash, tokens.views(), self.writable());
    return;
  }
  permutations_of(self);
  const uint64_t hash = call_hash(self, token);
  // Looked up again: the function may have changed this MinHash.
  permutations_of(self).apply(std::span(&hash, 1), self.writable());
}

void update_with_function(MinHashState& self, nb::handle tokens) {
  std::vector<uint64_t> hashes;
  for (const nb::handle token : nb::iter(tokens)) hashes.push_back(call_hash(self, token));
  if (!hashes.empty()) permutations_of(self).apply(hashes, self.writable());
}

void update_batch(MinHashState& self, nb::handle iterable) {
  permutations_of(self);
  if (self.hash == TokenHash::kPython) {
    update_with_function(self, iterable);
    return;
  }
  Tokens tokens;
  tokens.add_all(iterable);
  const std::vector<std::string_view>& views = tokens.views();
  size_t bytes = 0;
  for (const std::string_view token : views) bytes += token.size();
  if (views.size() < kManyTokens && bytes < kManyBytes) {
    permutations_of(self).apply(self.hash, views, self.writable());
    return;
  }
  tokens.hold();
  const nb::object held = self.permutations;
  const Permutations& permutations = permutations_of(self);
  const TokenHash hash = self.hash;
  Words values = empty_signature(permutations.scheme, size_of(permutations.a));
  {
    const Unlocked unlocked;
    permutations.apply(hash, views, values);
  }
  if (size_of(values) != self.size()) throw nb::value_error("the MinHash changed while it was updated");
  lower(self.writable(), values);
}

// The MinHash of `other` when both can be compared or merged; a ValueError otherwise, also for what is no MinHash, as in the original.
const MinHashState& partner_of(const MinHashState& self, nb::handle other, const char* what) {
  const auto refuse = [&](const char* difference) -> const MinHashState& {
    throw nb::value_error((std::string("cannot ") + what + " MinHash with different " + difference).c_str());
  };
  if (!nb::isinstance<MinHashState>(other)) return refuse("permutation schemes");
  const auto& that = nb::cast<const MinHashState&>(other);
  if (that.scheme != self.scheme) return refuse("permutation schemes");
  if (that.seed.ptr() != self.seed.ptr()) {
    const nb::object mine = self.seed;
    const nb::object theirs = that.seed;
    const int differ = PyObject_RichCompareBool(theirs.ptr(), mine.ptr(), Py_NE);
    if (differ < 0) throw nb::python_error();
    if (differ != 0) return refuse("seeds");
  }
  if (that.size() != self.size()) return refuse("numbers of permutations");
  return that;
}

double jaccard(const MinHashState& self, nb::handle other) {
  const MinHashState& that = partner_of(self, other, "compare");
  return std::visit(
      [&](const auto& mine) {
        const auto& theirs = std::get<std::remove_cvref_t<decltype(mine)>>(*that.values);
        size_t equal = 0;
        for (size_t i = 0; i < mine.size(); ++i) equal += mine[i] == theirs[i] ? 1 : 0;
        return static_cast<double>(equal) / static_cast<double>(mine.size());
      },
      *self.values);
}

void merge(MinHashState& self, nb::handle other) {
  const MinHashState& that = partner_of(self, other, "merge");
  lower(self.writable(), *that.values);
}

bool is_empty(const MinHashState& self) {
  return bytes_of(*self.values) == bytes_of(empty_signature(self.scheme, self.size()));
}

template <typename Word>
nb::object array_over(const std::shared_ptr<Words>& values) {
  std::vector<Word>& words = std::get<std::vector<Word>>(*values);
  const nb::capsule owner(new std::shared_ptr<Words>(values),
                          [](void* held) noexcept { delete static_cast<std::shared_ptr<Words>*>(held); });
  const size_t shape[] = {words.size()};
  return nb::cast(nb::ndarray<nb::numpy, Word>(words.data(), 1, shape, owner));
}

nb::object hash_values(const MinHashState& self) {
  return self.scheme == Scheme::kAffine32 ? array_over<uint32_t>(self.values) : array_over<uint64_t>(self.values);
}

// An object of the same class as `like`, without its attributes in Python, with these values.
nb::object sibling(nb::handle like, const MinHashState& state, Words&& values) {
  MinHashState copy = state;
  copy.values = std::make_shared<Words>(std::move(values));
  nb::object made = nb::inst_alloc(like.type());
  new (nb::inst_ptr<MinHashState>(made)) MinHashState(std::move(copy));
  nb::inst_mark_ready(made);
  return made;
}

// Appends a sibling for each set, whose signatures follow one another in `signatures`.
void append_siblings(nb::handle like, const MinHashState& state, const Words& signatures, size_t count, nb::list& out) {
  const size_t lanes = state.size();
  for (size_t i = 0; i < count; ++i) {
    Words values = *state.values;
    std::visit([&](auto& all) { lower(all, std::get<std::remove_reference_t<decltype(all)>>(signatures).data() + i * lanes); }, values);
    out.append(sibling(like, state, std::move(values)));
  }
}

// A copy of this MinHash for each set of tokens, updated with them.
nb::list bulk(nb::handle self, nb::handle sets) {
  // A copy of the state: code of the caller's runs while sets are read.
  const MinHashState state = nb::cast<const MinHashState&>(self);
  const Permutations& permutations = permutations_of(state);
  const Words start = *state.values;
  nb::list out;
  Tokens tokens;
  std::vector<size_t> ends;
  const auto flush = [&] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    Words signatures;
    {
      const Unlocked unlocked;
      signatures = permutations.apply(DatasketchSets{tokens.views(), ends});
    }
    append_siblings(self, state, signatures, ends.size(), out);
    tokens.clear();
    ends.clear();
  };
  for (const nb::handle set : nb::iter(sets)) {
    tokens.hold();
    tokens.add_all(set);
    ends.push_back(tokens.views().size());
    if (tokens.views().size() >= kBulkTokens || ends.size() >= kBulkSets) flush();
  }
  if (!ends.empty()) flush();
  return out;
}

int traverse_minhash(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const auto* const state = nb::inst_ptr<MinHashState>(self);
  Py_VISIT(state->permutations.ptr());
  Py_VISIT(state->seed.ptr());
  Py_VISIT(state->hashfunc.ptr());
  Py_VISIT(state->gpu_mode.ptr());
  return 0;
}

int clear_minhash(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  auto* const state = nb::inst_ptr<MinHashState>(self);
  // None, not null: code that runs while a cycle is broken can still call this object.
  state->seed = nb::none();
  state->hashfunc = nb::none();
  state->gpu_mode = nb::none();
  return 0;
}

const PyType_Slot kMinHashSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_minhash)}, {Py_tp_clear, reinterpret_cast<void*>(clear_minhash)}, {0, nullptr}};

void initialize(MinHashState* self, int code, nb::handle values, size_t size, const nb::object& permutations, const nb::object& seed,
                const nb::object& hashfunc, int hash, const nb::object& gpu_mode) {
  const Scheme scheme = scheme_of(code);
  if (hash < 0 || hash > 2) throw nb::value_error("no such hash function");
  const SharedPermutations* const shared = permutations.is_none() ? nullptr : &nb::cast<const SharedPermutations&>(permutations);
  if (shared != nullptr && shared->permutations.scheme != scheme) throw nb::value_error("permutations of another scheme");
  const auto kind = static_cast<TokenHash>(hash);
  if (scheme == Scheme::kAffine32 && kind == TokenHash::kSha1Of64Bits) throw nb::value_error("a hash of 64 bits for a scheme of 32");
  Words words = values.is_none() ? empty_signature(scheme, size) : words_of(scheme, values);
  new (self) MinHashState{std::make_shared<Words>(std::move(words)), permutations, shared, seed, hashfunc, gpu_mode, scheme, kind};
}

template <typename Hash>
Hash hash_of(nb::handle data) {
  Tokens tokens;
  tokens.add(data);
  Hash hash = 0;
  datasketch_hashes(tokens.views(), std::span(&hash, 1));
  return hash;
}

}  // namespace

void bind_datasketch_minhash(nb::module_& module) {
  module.def("sha1_hash32", hash_of<uint32_t>, nb::arg("data"), "The first 4 bytes of the SHA-1 digest, lowest byte first.");
  module.def("sha1_hash64", hash_of<uint64_t>, nb::arg("data"), "The first 8 bytes of the SHA-1 digest, lowest byte first.");

  nb::class_<SharedPermutations>(module, "Permutations", "The parameters of permutations, shared by MinHash objects.")
      .def(
          "__init__",
          [](SharedPermutations* self, int code, const nb::object& array) {
            const Scheme scheme = scheme_of(code);
            new (self) SharedPermutations{
                scheme == Scheme::kAffine32 ? permutations_of<uint32_t>(scheme, array) : permutations_of<uint64_t>(scheme, array), array};
          },
          nb::arg("scheme"), nb::arg("array"))
      .def_prop_ro("array", [](const SharedPermutations& self) { return self.array; });

  nb::class_<MinHashState>(module, "MinHash", nb::type_slots(kMinHashSlots), "The native half of MinHash.")
      .def("__init__", initialize, nb::arg("scheme"), nb::arg("values").none(), nb::arg("size"), nb::arg("permutations").none(),
           nb::arg("seed").none(), nb::arg("hashfunc").none(), nb::arg("hash"), nb::arg("gpu_mode").none())
      .def("update", update, nb::arg("b").none(), "Adds a token: bytes, or what the hash function takes.")
      .def("update_batch", update_batch, nb::arg("b").none(), "Adds all tokens of an iterable.")
      .def("jaccard", jaccard, nb::arg("other").none(), "The share of equal hash values, an estimate of the Jaccard similarity.")
      .def("merge", merge, nb::arg("other").none(), "Makes this MinHash that of the union of both sets.")
      .def("is_empty", is_empty, "Whether no token has been added.")
      .def(
          "clear", [](MinHashState& self) { self.values = std::make_shared<Words>(empty_signature(self.scheme, self.size())); },
          "Removes all tokens.")
      .def("__len__", &MinHashState::size)
      .def("_values", hash_values)
      .def("_set_values", [](MinHashState& self, nb::handle array) { self.values = std::make_shared<Words>(words_of(self.scheme, array)); })
      .def("_copy",
           [](nb::handle self) {
             const auto& state = nb::cast<const MinHashState&>(self);
             return sibling(self, state, Words(*state.values));
           })
      .def("_bulk", bulk, nb::arg("sets").none())
      .def_prop_ro("scheme", [](const MinHashState& self) { return name_of(self.scheme); })
      .def_prop_rw(
          "seed", [](const MinHashState& self) { return self.seed; }, [](MinHashState& self, const nb::object& seed) { self.seed = seed; },
          nb::arg("seed").none())
      .def_prop_rw(
          "_gpu_mode", [](const MinHashState& self) { return self.gpu_mode; },
          [](MinHashState& self, const nb::object& mode) { self.gpu_mode = mode; }, nb::arg("mode").none())
      .def("_hashfunc", [](const MinHashState& self) { return self.hashfunc; })
      .def("_hash_kind", [](const MinHashState& self) { return static_cast<int>(self.hash); })
      .def("_set_hashfunc",
           [](MinHashState& self, const nb::object& function, int hash) {
             if (hash < 0 || hash > 2 || (self.scheme == Scheme::kAffine32 && hash == 2)) throw nb::value_error("no such hash function");
             self.hashfunc = function;
             self.hash = static_cast<TokenHash>(hash);
           })
      .def("_permutations", [](const MinHashState& self) { return self.permutations; })
      .def("_set_permutations", [](MinHashState& self, const nb::object& permutations) {
        const auto& shared = nb::cast<const SharedPermutations&>(permutations);
        if (shared.permutations.scheme != self.scheme) throw nb::value_error("permutations of another scheme");
        self.shared = &shared;
        self.permutations = permutations;
      });
}

void bind_datasketch(nb::module_& module) {
  nb::module_ part = module.def_submodule("datasketch", "The native half of neardup.compat.datasketch.");
  bind_datasketch_minhash(part);
  bind_datasketch_lsh(part);
}

}  // namespace neardup::python
