// Finds the regions that a register-blocked product computes: C[i, j] += a(i, d) * b(d, j).
#pragma once

#include "print/stride.h"

namespace polymend::print_room {

struct Product {
  std::size_t row = 0, column = 0, sum = 0; // indices of the region's dimensions
  std::vector<std::size_t> outer;           // the others, outermost first
  Expr rowFactor, columnFactor;             // columnFactor is free of the row's variable, rowFactor of the column's
  Motion columnMotion = Motion::Other;      // how a columnFactor that is a bare read moves along the column
  Motion sumMotion = Motion::Other;         // ... and along the sum
};

/// The region as a product, or nothing where it is none or is better printed as plain loops.
std::optional<Product> matchProduct(const TilePoints &points, const Context &context);

} // namespace polymend::print_room
