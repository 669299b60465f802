#include "sketch/excerpt_pieces.h"

#include <string_view>

#include "str_of.h"

namespace nb = nanobind;

namespace neardup::python {

nb::list pieces_of(const std::vector<ExcerptPiece>& excerpt) {
  constexpr std::string_view kNames[] = {"same", "a", "b", "left_out", "more"};
  nb::list pieces;
  for (const ExcerptPiece& piece : excerpt) {
    pieces.append(nb::make_tuple(str_of(kNames[piece.kind]), str_of(piece.text), piece.characters));
  }
  return pieces;
}

}  // namespace neardup::python
