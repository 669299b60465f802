#include "server/api/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>

#include "neardup/tools/printable.h"
#include "server/http/hex_digit.h"

namespace neardup::server {
namespace {

// Calls visit(name, value) for the parameters of a query string, as they are written.
template <typename Visit>
void for_each_parameter(std::string_view target, const Visit& visit) {
  const size_t mark = target.find('?');
  if (mark == std::string_view::npos) return;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view parameter = rest.substr(0, end);
    const size_t equals = std::min(parameter.find('='), parameter.size());
    if (!parameter.empty()) visit(parameter.substr(0, equals), parameter.substr(std::min(equals + 1, parameter.size())));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

std::optional<uint64_t> Call::query_number(std::string_view name, uint64_t least, uint64_t most) const {
  std::optional<uint64_t> found;
  for_each_parameter(request.target, [&](std::string_view given, std::string_view value) {
    if (given != name) return;
    if (found) throw ApiError(400, fmt::format("the parameter '{}' is given twice", name));
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least || number > most) {
      throw ApiError(400, fmt::format("the parameter '{}': expected an integer from {} to {}, not '{}'", name, least, most,
                                      printable(value.substr(0, 60))));
    }
    found = number;
  });
  return found;
}

void Call::check_query(std::initializer_list<std::string_view> names) const {
  for_each_parameter(request.target, [&](std::string_view given, std::string_view) {
    if (std::ranges::find(names, given) == names.end())
      throw ApiError(400, fmt::format("this call takes no parameter '{}'", printable(given.substr(0, 60))));
  });
}

ServedStore& store_of(const ApiContext& context, const Call& call) {
  ServedStore* const store = context.folders.store(call.parameters.front());
  if (store == nullptr) throw ApiError(404, fmt::format("there is no store '{}'", printable(call.parameters.front().substr(0, 100))));
  return *store;
}

const ClueIndex& clue_index_of(const ApiContext& context, const Call& call) {
  const ClueIndex* const index = context.folders.clue_index(call.parameters.front());
  if (index == nullptr) throw ApiError(404, fmt::format("there is no clue index '{}'", printable(call.parameters.front().substr(0, 100))));
  return *index;
}

HttpResponse json_response(std::string body, uint16_t status) {
  body += '\n';
  return {.status = status, .content_type = "application/json", .body = std::move(body)};
}

void answer_guarded(Call& call, const std::function<void()>& work) noexcept {
  const auto answer = [&](HttpResponse response) {
    if (call.reply) call.reply.send(std::move(response));
  };
  try {
    try {
      work();
    } catch (const ApiError& error) {
      answer(problem_response(error.status(), error.detail()));
    } catch (const Error& error) {
      answer(problem_response(error));
    } catch (const std::bad_alloc&) {
      answer(problem_response(503, "out of memory"));
    } catch (const std::exception& error) {
      answer(problem_response(500, error.what()));
    }
  } catch (const std::exception&) {  // no memory for the answer: the reply says 500 when it is destroyed
  }
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return {};
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return {};
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace neardup::server
