// Finds the regions that a register-blocked product computes: C[i, j] += a(i, d) * b(d, j).
#pragma once

#include "device/scope.h"
#include "device/stride.h"

namespace polymend::device_room {

struct Product {
  std::size_t row = 0, column = 0, sum = 0; // indices of the region's dimensions
  std::vector<std::size_t> outer;           // the others, outermost first
  Expr rowFactor, columnFactor;             // columnFactor is free of the row's variable, rowFactor of the column's
  Motion columnMotion = Motion::Other;      // how a columnFactor that is a bare read moves along the column
  Motion sumMotion = Motion::Other;         // ... and along the sum
};

/// What the sum's own bounds may name.
enum class SumEnds {
  Apart, // none of the three dimensions
  Ragged // the row's variable, or the column's: a triangle
};

/// The region as a product, or nothing where it is none or is better carried out as plain loops. Where results must be
/// the source's to the bit it is none.
std::optional<Product> matchProduct(const TilePoints &points, const TypeOf &typeOf, SumEnds ends = SumEnds::Apart);

} // namespace polymend::device_room
