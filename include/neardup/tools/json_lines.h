// JsonLines: the records of lines of JSON that someone else has read, as `neardup dedup` reads them from files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"

namespace neardup {

/// For one thread at a time.
class JsonLines {
 public:
  /// `text`: at least one field, joined by newlines. `id`: the field of the id; empty: none.
  JsonLines(std::vector<std::string> text, std::string id);
  ~JsonLines();
  JsonLines(const JsonLines&) = delete;
  JsonLines& operator=(const JsonLines&) = delete;

  /// Reads a line, which is without '\n', into everything of `record` but its place; its views live until the next call. A mark of UTF-8
  /// may come first if it `begins_file`. False for a blank line, which is not a record.
  bool read(std::string_view line, bool begins_file, Record& record);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace neardup
