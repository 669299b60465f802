// LshIndex: the keys and buckets of a MinHashLSH.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasketch/bind_datasketch.h"
#include "datasketch/minhash_state.h"
#include "neardup/tools/band_index.h"
#include "neardup/tools/band_parameters.h"
#include "run_job.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

using Entry = BandIndex::Entry;

nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object bytes_object(std::string_view bytes) {
  return checked(PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())));
}

// Appends words with their bytes reversed, as numpy.ndarray.byteswap() has them.
void append_swapped(const Words& words, size_t count, std::string& out) {
  std::visit(
      [&](const auto& all) {
        using Word = typename std::remove_cvref_t<decltype(all)>::value_type;
        // All of its lines at once: signatures are rarely in the cache.
        for (size_t i = 0; i < count; i += 64 / sizeof(Word)) __builtin_prefetch(all.data() + i);
        const size_t begin = out.size();
        out.resize(begin + count * sizeof(Word));
        for (size_t i = 0; i < count; ++i) {
          Word word = all[i];
          if constexpr (sizeof(Word) == 4)
            word = __builtin_bswap32(word);
          else
            word = __builtin_bswap64(word);
          std::memcpy(out.data() + begin + i * sizeof(Word), &word, sizeof word);
        }
      },
      words);
}

// Faster than nb::cast. Requires an instance.
const MinHashState& state_of(nb::handle minhash) {
  if (!nb::inst_ready(minhash)) throw nb::type_error("minhash is not initialized");
  return *nb::inst_ptr<MinHashState>(minhash);
}

// Everything happens under the lock of the interpreter. Looking up a key can run code of the caller's, so no iterator or reference into the
// members is held across it.
class LshIndex {
 public:
  LshIndex(uint32_t bands, uint32_t rows, size_t length) : rows_(rows), length_(length), index_(bands) {}
  ~LshIndex() { release_keys(); }
  LshIndex(const LshIndex&) = delete;
  LshIndex& operator=(const LshIndex&) = delete;

  /// False: not a MinHash of ours; use insert_keys().
  bool insert(nb::handle key, nb::handle minhash, bool check) {
    if (!nb::isinstance<MinHashState>(minhash)) return false;
    const MinHashState& state = state_of(minhash);
    check_length(state);
    check_scheme(state);
    // Taken out, because looking up the key can run code that calls this object again.
    std::string keys = std::exchange(scratch_, {});
    keys.clear();
    append_swapped(*state.values, size_t{index_.bands()} * rows_, keys);
    const Scheme scheme = state.scheme;
    insert_keys(key, keys, check);
    if (!scheme_) scheme_ = scheme;
    scratch_ = std::move(keys);
    return true;
  }

  void insert_keys(nb::handle key, std::string_view keys, bool check) {
    if (keys.size() % index_.bands() != 0) throw nb::value_error("the bytes of the bands differ in size");
    const nb::object before = find(key);
    if (before.is_valid() && check) throw nb::value_error("the key is already in the index");
    if (keys_.size() == index_.entry_limit()) keys_.push_back(nullptr);  // first: it can fail
    const Entry entry = index_.add(keys);
    PyObject* const name = key.ptr();
    plain_ = plain_ && (PyLong_CheckExact(name) != 0 || PyUnicode_CheckExact(name) != 0 || PyBytes_CheckExact(name) != 0);
    keys_[entry] = name;
    Py_INCREF(name);
    try {
      const nb::int_ number(entry);
      if (!before.is_valid()) {
        set(key, number);
        return;
      }
      // A key that was inserted more than once has a list of entries.
      repeated_ = true;
      if (PyList_CheckExact(before.ptr()) != 0) {
        if (PyList_Append(before.ptr(), number.ptr()) != 0) throw nb::python_error();
        return;
      }
      nb::list entries;
      entries.append(before);
      entries.append(number);
      set(key, entries);
    } catch (...) {
      remove_entry(entry);
      throw;
    }
  }

  void remove(nb::handle key) {
    // pop() looks up and removes in one step, so that nobody else can remove the same entries.
    const nb::object missing = nb::none();
    const nb::object value = by_key_.attr("pop")(key, missing);
    if (value.is_none()) throw nb::value_error("the key is not in the index");
    for (const Entry entry : entries_of(value)) remove_entry(entry);
  }

  /// None: not a MinHash of ours; use query_keys().
  nb::object query(nb::handle minhash, uint32_t bands) {
    if (!nb::isinstance<MinHashState>(minhash)) return nb::none();
    const MinHashState& state = state_of(minhash);
    check_length(state);
    check_scheme(state);
    scratch_.clear();
    append_swapped(*state.values, size_t{index_.bands()} * rows_, scratch_);
    return query_keys(scratch_, bands);
  }

  nb::object query_keys(std::string_view keys, uint32_t bands) {
    if (bands > index_.bands()) throw nb::value_error("b must not exceed the number of bands");
    index_.query(keys, bands, found_);
    return list_of(references_to(found_));
  }

  nb::list keys() const { return nb::list(by_key_); }
  size_t size() const { return by_key_.size(); }
  bool has(nb::handle key) const { return find(key).is_valid(); }

  /// The keys of the bands that a key was inserted with.
  nb::list bands_of(nb::handle key) const {
    nb::list out;
    const nb::object value = find(key);
    if (!value.is_valid()) return out;
    for (const Entry entry : entries_of(value)) {
      for (uint32_t band = 0; band < index_.bands(); ++band) out.append(bytes_object(index_.key(entry, band)));
    }
    return out;
  }

  size_t table_size(uint32_t band) const { return index_.bucket_count(checked_band(band)); }

  nb::list table_keys(uint32_t band) const {
    nb::list out;
    for (const Entry head : index_.buckets(checked_band(band))) out.append(bytes_object(index_.key(head, band)));
    return out;
  }

  nb::object table_get(uint32_t band, nb::handle wanted) const {
    checked_band(band);
    std::vector<Entry> members;
    if (PyBytes_Check(wanted.ptr()) != 0) {
      const std::string_view key(PyBytes_AsString(wanted.ptr()), static_cast<size_t>(PyBytes_Size(wanted.ptr())));
      for (Entry entry = index_.first(band, key); entry != BandIndex::kNone; entry = index_.next(entry, band)) members.push_back(entry);
    }
    const nb::object all = list_of(references_to(members));
    return checked(PySet_New(all.ptr()));
  }

  nb::dict table_counts(uint32_t band) const {
    // Read as a whole first: making objects can run code of the caller's, which may change this index.
    struct Bucket {
      std::string key;
      std::vector<nb::object> members;
    };
    std::vector<Bucket> buckets;
    for (const Entry head : index_.buckets(checked_band(band))) {
      std::vector<Entry> members;
      for (Entry entry = head; entry != BandIndex::kNone; entry = index_.next(entry, band)) members.push_back(entry);
      buckets.push_back({std::string(index_.key(head, band)), references_to(members)});
    }
    nb::dict out;
    for (Bucket& bucket : buckets) {
      // Keys that were inserted more than once may be in a bucket twice.
      const size_t count = repeated_ ? nb::len(list_of(std::move(bucket.members))) : bucket.members.size();
      out[bytes_object(bucket.key)] = nb::int_(count);
    }
    return out;
  }

  void merge(const LshIndex& other, bool check_overlap) {
    const nb::list theirs = other.keys();
    if (other.scheme_ && scheme_ && *scheme_ != *other.scheme_) {
      throw nb::value_error((std::string("cannot merge an index of MinHash with scheme '") + name_of(*other.scheme_) + "' into one with '" +
                             name_of(*scheme_) + "'")
                                .c_str());
    }
    if (check_overlap) {
      for (const nb::handle key : theirs) {
        if (has(key)) throw nb::value_error("the indexes share a key");
      }
    }
    if (!scheme_) scheme_ = other.scheme_;
    for (const nb::handle key : theirs) {
      const nb::object value = other.find(key);
      if (!value.is_valid()) continue;
      for (const Entry entry : other.entries_of(value)) {
        if (other.is_live(entry)) insert_keys(key, std::string(other.index_.keys(entry)), false);
      }
    }
  }

  nb::object scheme() const { return scheme_ ? nb::object(nb::str(name_of(*scheme_))) : nb::object(nb::none()); }

  /// A ValueError if this is not the scheme of the signatures so far; remembers it when `learn`. For objects that are not ours.
  void meet_scheme(const std::string& name, bool learn) {
    for (const Scheme scheme : {Scheme::kLegacy, Scheme::kAffine32, Scheme::kAffine64}) {
      if (name != name_of(scheme)) continue;
      check_scheme(scheme);
      if (learn && !scheme_) scheme_ = scheme;
      return;
    }
    throw nb::value_error(("unknown scheme '" + name + "'").c_str());
  }

  /// Shape, scheme, and for each entry its key and its bytes; entries of one key keep their order.
  nb::tuple state() const {
    nb::list names;
    nb::list values;
    for (const nb::handle key : keys()) {
      const nb::object value = find(key);
      if (!value.is_valid()) continue;
      for (const Entry entry : entries_of(value)) {
        names.append(key);
        values.append(bytes_object(index_.keys(entry)));
      }
    }
    return nb::make_tuple(index_.bands(), rows_, length_, scheme(), names, values);
  }

  void restore(const nb::tuple& state) {
    const auto names = nb::cast<nb::list>(state[4]);
    const auto values = nb::cast<nb::list>(state[5]);
    if (names.size() != values.size()) throw nb::value_error("the pickled index is damaged");
    if (!nb::handle(state[3]).is_none()) meet_scheme(nb::cast<std::string>(state[3]), true);
    for (size_t i = 0; i < names.size() && i < values.size(); ++i) {
      const auto bytes = nb::cast<nb::bytes>(values[i]);
      insert_keys(names[i], {bytes.c_str(), bytes.size()}, false);
    }
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(by_key_.ptr());
    // Visiting millions of numbers, which are in no cycle, would make every collection slow.
    if (plain_) return 0;
    for (PyObject* const key : keys_) Py_VISIT(key);
    return 0;
  }

  /// Drops all keys, and with them the entries.
  void release_keys() {
    by_key_.clear();
    index_ = BandIndex(index_.bands());
    std::vector<PyObject*> keys;
    keys.swap(keys_);
    for (PyObject* const key : keys) Py_XDECREF(key);
  }

 private:
  void check_length(const MinHashState& state) const {
    if (state.size() == length_) return;
    throw nb::value_error(
        ("expected a MinHash of length " + std::to_string(length_) + ", got one of length " + std::to_string(state.size())).c_str());
  }
  void check_scheme(const MinHashState& state) const { check_scheme(state.scheme); }
  void check_scheme(Scheme scheme) const {
    if (!scheme_ || *scheme_ == scheme) return;
    throw nb::value_error((std::string("a MinHash with scheme '") + name_of(scheme) + "' does not match the '" + name_of(*scheme_) +
                           "' of those in this index")
                              .c_str());
  }

  uint32_t checked_band(uint32_t band) const {
    if (band >= index_.bands()) throw nb::index_error("no such band");
    return band;
  }

  nb::object find(nb::handle key) const {
    PyObject* const value = PyDict_GetItemWithError(by_key_.ptr(), key.ptr());
    if (value == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
    return nb::borrow(value);
  }

  void set(nb::handle key, nb::handle value) {
    if (PyDict_SetItem(by_key_.ptr(), key.ptr(), value.ptr()) != 0) throw nb::python_error();
  }

  [[nodiscard]] bool is_live(Entry entry) const noexcept { return entry < keys_.size() && keys_[entry] != nullptr; }

  // Of a value of by_key_. A key whose __eq__ or __hash__ changes this index can leave entries there that are gone.
  [[nodiscard]] std::vector<Entry> entries_of(const nb::object& value) const {
    auto entries = PyLong_CheckExact(value.ptr()) != 0 ? std::vector<Entry>{nb::cast<Entry>(value)} : nb::cast<std::vector<Entry>>(value);
    std::erase_if(entries, [&](Entry entry) { return !is_live(entry); });
    return entries;
  }

  // Nothing happens if it is gone already.
  void remove_entry(Entry entry) {
    if (!is_live(entry)) return;
    index_.remove(entry);
    PyObject* const key = keys_[entry];
    keys_[entry] = nullptr;
    Py_XDECREF(key);  // last: it can run code of the caller's
  }

  // The keys of entries, of which the caller's code that runs from now on may remove some.
  std::vector<nb::object> references_to(const std::vector<Entry>& entries) const {
    for (const Entry entry : entries) __builtin_prefetch(keys_[entry], 1);
    std::vector<nb::object> keys;
    keys.reserve(entries.size());
    for (const Entry entry : entries) keys.push_back(nb::borrow(keys_[entry]));
    return keys;
  }

  // A list with each key once. Making a list can collect garbage, and so run code of the caller's.
  nb::object list_of(std::vector<nb::object> keys) const {
    nb::object out = checked(PyList_New(static_cast<Py_ssize_t>(keys.size())));
    for (size_t i = 0; i < keys.size(); ++i) PyList_SetItem(out.ptr(), static_cast<Py_ssize_t>(i), keys[i].release().ptr());
    if (!repeated_) return out;
    return nb::list(nb::handle(reinterpret_cast<PyObject*>(&PyDict_Type)).attr("fromkeys")(out));
  }

  uint32_t rows_;
  size_t length_;
  BandIndex index_;
  std::optional<Scheme> scheme_;  // of the MinHash objects so far; none before the first
  bool repeated_ = false;         // whether a key has several entries
  bool plain_ = true;             // whether all keys are numbers, strings or bytes
  nb::dict by_key_;               // the entry, or the list of entries, of each key
  std::vector<PyObject*> keys_;   // the key of each entry, a reference; null for a removed one
  std::string scratch_;
  std::vector<Entry> found_;
};

int traverse_lsh(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<LshIndex>(self)->traverse(visit, arg) : 0;
}

int clear_lsh(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<LshIndex>(self)->release_keys();
  return 0;
}

const PyType_Slot kLshSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_lsh)}, {Py_tp_clear, reinterpret_cast<void*>(clear_lsh)}, {0, nullptr}};

void check_shape(uint32_t bands, uint32_t rows, size_t length) {
  if (bands == 0 || uint64_t{bands} * rows > length) throw nb::value_error("bands x rows must be at least 1 and at most the length");
}

// Searches for parameters without the lock, and so that Ctrl-C ends it: many permutations take long.
nb::tuple parameters(const BandQuestion& question, uint32_t max_rows, std::optional<double> size_ratio) {
  BandParameters best;
  const auto search = [&](const StopFunction& stop) {
    best = size_ratio ? datasketch_ensemble_parameters(question, max_rows, *size_ratio, stop) : datasketch_lsh_parameters(question, stop);
  };
  constexpr uint32_t kFewLanes = 1024;
  if (question.lanes <= kFewLanes)
    search({});
  else
    run_job(search);
  return nb::make_tuple(best.bands, best.rows);
}

}  // namespace

void bind_datasketch_lsh(nb::module_& module) {
  nb::class_<LshIndex>(module, "LshIndex", nb::type_slots(kLshSlots), "The keys and buckets of a MinHashLSH.")
      .def(
          "__init__",
          [](LshIndex* self, uint32_t bands, uint32_t rows, size_t length) {
            check_shape(bands, rows, length);
            new (self) LshIndex(bands, rows, length);
          },
          nb::arg("bands"), nb::arg("rows"), nb::arg("length"))
      .def("insert", &LshIndex::insert, nb::arg("key").none(), nb::arg("minhash").none(), nb::arg("check"))
      .def(
          "insert_keys",
          [](LshIndex& self, nb::handle key, const nb::bytes& keys, bool check) {
            self.insert_keys(key, {keys.c_str(), keys.size()}, check);
          },
          nb::arg("key").none(), nb::arg("keys"), nb::arg("check"))
      .def("remove", &LshIndex::remove, nb::arg("key").none())
      .def("query", &LshIndex::query, nb::arg("minhash").none(), nb::arg("bands"))
      .def("query_keys",
           [](LshIndex& self, const nb::bytes& keys, uint32_t bands) {
             return self.query_keys({keys.c_str(), keys.size()}, bands);
           })
      .def("keys", &LshIndex::keys)
      .def("size", &LshIndex::size)
      .def("has", &LshIndex::has, nb::arg("key").none())
      .def("bands_of", &LshIndex::bands_of, nb::arg("key").none())
      .def("table_size", &LshIndex::table_size)
      .def("table_keys", &LshIndex::table_keys)
      .def("table_get", &LshIndex::table_get, nb::arg("band"), nb::arg("key").none())
      .def("table_counts", &LshIndex::table_counts)
      .def("merge", &LshIndex::merge)
      .def("scheme", &LshIndex::scheme)
      .def("meet_scheme", &LshIndex::meet_scheme)
      .def("__getstate__", &LshIndex::state)
      .def("__setstate__", [](LshIndex* self, const nb::tuple& state) {
        if (nb::len(state) != 6) throw nb::value_error("the pickled index is damaged");
        const auto bands = nb::cast<uint32_t>(state[0]);
        const auto rows = nb::cast<uint32_t>(state[1]);
        const auto length = nb::cast<size_t>(state[2]);
        check_shape(bands, rows, length);
        new (self) LshIndex(bands, rows, length);
        try {
          self->restore(state);
        } catch (...) {
          self->~LshIndex();
          throw;
        }
      });

  module.def(
      "lsh_parameters",
      [](double threshold, uint32_t num_perm, double false_positive, double false_negative) {
        return parameters({threshold, num_perm, false_positive, false_negative}, num_perm, std::nullopt);
      },
      nb::arg("threshold"), nb::arg("num_perm"), nb::arg("false_positive_weight"), nb::arg("false_negative_weight"),
      "(b, r) with the smallest weighted error of a MinHashLSH.");
  module.def(
      "ensemble_parameters",
      [](double threshold, uint32_t num_perm, uint32_t max_r, double xq, double false_positive, double false_negative) {
        return parameters({threshold, num_perm, false_positive, false_negative}, max_r, xq);
      },
      nb::arg("threshold"), nb::arg("num_perm"), nb::arg("max_r"), nb::arg("xq"), nb::arg("false_positive_weight"),
      nb::arg("false_negative_weight"), "(b, r) with the smallest weighted error for sets of xq times the size of the query.");
}

}  // namespace neardup::python
