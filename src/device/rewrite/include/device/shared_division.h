// One division for several elements: 1 / a and 1 / b are b / (a b) and a / (a b). Montgomery's way to invert many
// numbers (Mathematics of Computation 48, 1987, section 10.3.1), for units that divide seldom but multiply often.
#pragma once

#include "device/arranged.h"

#include <functional>
#include <vector>

namespace polymend::device_room {

/// Elements that share a division.
constexpr std::int64_t sharingElements = 4;

/// At an element, `numerator` divided by `denominator`, which is a number of [1, 2^31 + 1], or NaN.
struct SharedDivision {
  Expr denominator;
  double numerator = 1;
  std::string quotient; // the symbol that stands for it
};

/// A value over the quotients of divisions that elements can share; an element that is NaN makes those that share with
/// it NaN.
struct DividedValue {
  Expr value;
  std::vector<SharedDivision> divisions; // empty: there are none
};

/// Of an arranged value. `name` gives the symbol of the next quotient.
DividedValue shareDivisions(const Expr &arranged, const ElementScope &scope, const std::function<std::string()> &name);

} // namespace polymend::device_room
