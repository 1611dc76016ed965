// shapes: the dimensions that the strides of linear subscripts suggest, which nobody has proved yet.
#pragma once

#include "polymend/polynomial.h"

#include <vector>

namespace polymend {

struct FlatShape {
  std::vector<Polynomial> strides; // innermost first, beginning with 1
  std::vector<Polynomial> extents; // extents[k] = strides[k + 1] / strides[k]
};

/// The shapes with more than one dimension whose strides, each a multiple of the one before, are the coefficients of
/// the sums' variables: whole, without their integer factors, and as single monomials.
std::vector<FlatShape> candidates(const std::vector<Linear> &sums);

} // namespace polymend
