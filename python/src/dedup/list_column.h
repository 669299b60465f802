// ListColumn: Python objects as a column. The UTF-8 of a str is the one that Python keeps with it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "dedup/column.h"

namespace neardup::python {

/// Holds the objects, so that the caller may change a list meanwhile. Created with the lock of the interpreter, which the destructor takes.
class ListColumn final : public Column {
 public:
  /// Of any iterable. None, NaN and their like are null; objects other than str, bool, int and float are Cell::Kind::kOther. Looks for
  /// signals now and then. Throws what the iterable raises.
  explicit ListColumn(nanobind::handle iterable);
  ~ListColumn() override;
  ListColumn(const ListColumn&) = delete;
  ListColumn& operator=(const ListColumn&) = delete;

  [[nodiscard]] uint64_t size() const noexcept override { return items_.size(); }
  Cell cell(uint64_t row, std::string& storage) const override;

 private:
  struct Item {
    const char* data = "";
    size_t bytes = 0;
    Cell::Kind kind = Cell::Kind::kNull;
    bool repaired = false;
  };
  Item read(nanobind::handle object);
  Item read_string(nanobind::handle object);
  Item read_number(nanobind::handle object);
  Item keep(nanobind::handle string, Cell::Kind kind, bool repaired);

  nanobind::object objects_;  // a tuple of its own
  std::vector<Item> items_;
  std::deque<std::string> kept_;  // what is not the UTF-8 of an object
};

}  // namespace neardup::python
