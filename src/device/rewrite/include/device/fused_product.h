// Rewrite: a product that is added to an element is not rounded before.
// Condition: floating arithmetic need not be the source's bit by bit; the element, the product and both factors are of
// one type of 32 or 64 bits; the product is added to it, and used nowhere else. What is subtracted elsewhere may be
// that very product, rounded.
// Bound: one rounding less, so at most the error that the source's two operations have.
#pragma once

#include "device/scope.h"

namespace polymend::device_room {

[[nodiscard]] bool fusesProduct(const TileAssign &assign, Type element, bool strict);

} // namespace polymend::device_room
