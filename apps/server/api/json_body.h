// JsonBody: the members of a JSON object that a client sent, each read once and checked. What is wrong is an ApiError that names the
// member, the bound and the value.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::server {

class JsonBody {
 public:
  /// Parses one object. Strings live as long as `memory`, or as this if it is not given. Throws ApiError{400} when it is not JSON or not an
  /// object.
  explicit JsonBody(std::string_view text, const boost::json::storage_ptr& memory = {});

  /// All throw ApiError{400} for a member of another type or out of bounds; the first also when it is missing.
  std::string_view text(std::string_view name);
  std::optional<std::string_view> optional_text(std::string_view name);
  /// An id: a string, or an integer, whose digits it then is. Lives as long as this. Throws ApiError{400} also when it is empty or too
  /// long.
  std::optional<std::string_view> optional_id(std::string_view name);
  bool flag(std::string_view name, bool otherwise);
  std::optional<uint64_t> integer(std::string_view name, uint64_t least, uint64_t most);
  std::optional<double> number(std::string_view name, double least, double most);
  /// A list of strings. Throws ApiError{400} as the others, and when it has more than `most` members.
  std::vector<std::string_view> texts(std::string_view name, size_t most);
  /// Throws ApiError{400} for a member that was not asked for.
  void finish() const;

 private:
  const boost::json::value* find(std::string_view name);

  boost::json::object object_;
  std::forward_list<std::string> digits_;  // of ids that are integers: views of them are given out
  std::vector<std::string_view> known_;
};

/// An id as the store takes it. Throws ApiError{400}.
std::string_view checked_id(std::string_view id, std::string_view member);

}  // namespace neardup::server
