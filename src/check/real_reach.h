// What floating-point expressions can be, as far as it says where elements lie.
#pragma once

#include "polymend/interval.h"

#include <functional>
#include <limits>

namespace polymend {

/// least <= value <= most; NaN aside.
struct RealRange {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

/// What a floating-point expression can be, rounded as it is; `integers` tells it of the integers that it is made of.
RealRange rangeOf(const Expr &e, const std::function<Interval(const Expr &)> &integers);

/// The integers that these become.
Interval integersIn(const RealRange &range);

} // namespace polymend
