// The requests that clients send as JSON: of one body, and LineRequests of a body of lines. Nothing here knows of stores.
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/online_store.h"
#include "server/api/json_body.h"

namespace neardup::server {

/// The id as the client gave it.
using GivenId = std::optional<std::string_view>;

/// The request that the members of a Check (`insert`) or a Query say: views of `body`. Sets `id` before anything else is checked, so that a
/// refusal can name the document. Throws ApiError{400}.
OnlineRequest request_of(JsonBody& body, bool insert, GivenId& id);

/// Appends the answer, with "id": null if the client gave none.
void append_answer(const GivenId& id, const OnlineAnswer& answer, bool has_sequence, std::string& out);

/// The lines of a body but for empty ones: requests of those that can be used, problems of the others.
class LineRequests {
 public:
  /// Throws ApiError{413} for more than 100,000 lines.
  LineRequests(std::string_view body, bool insert, uint64_t max_line_bytes);
  LineRequests(const LineRequests&) = delete;
  LineRequests& operator=(const LineRequests&) = delete;

  /// Of the lines that can be used; views of this.
  [[nodiscard]] std::span<const OnlineRequest> requests() const noexcept { return requests_; }
  [[nodiscard]] uint64_t refused() const noexcept { return lines_.size() - requests_.size(); }

  /// One line for each, in their order. `answers`: one for each of requests().
  [[nodiscard]] std::string answers_text(std::span<const OnlineAnswer> answers) const;

 private:
  struct Line {
    GivenId id;
    std::string problem;
  };

  void add(std::string_view line, uint64_t number, uint64_t max_line_bytes);

  const bool insert_;
  boost::json::monotonic_resource memory_;
  std::deque<JsonBody> bodies_;
  std::vector<OnlineRequest> requests_;
  std::vector<Line> lines_;
};

}  // namespace neardup::server
