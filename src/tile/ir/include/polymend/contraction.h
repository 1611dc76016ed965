// Which regions are sums of products of two matrices, as matrix units compute them.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// The sum of products that a region is, where both factors are tiles of two dimensions, of one 16-bit type or of the
/// sum's own: target[m, n] += a[m, k] * b[n, k], with the subscripts of each tile in any order.
struct Contraction {
  Ref target, a, b;
  std::string m, n, k; // the region's variables
};
std::optional<Contraction> contractionOf(const TilePoints &points, const std::vector<TileArray> &tiles);

} // namespace polymend
