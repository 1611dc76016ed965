#include "device/fused_product.h"

namespace polymend::device_room {

bool fusesProduct(const TileAssign &assign, Type element, bool strict) {
  const bool isWide = element == Type::Float32 || element == Type::Float64;
  if (strict || !isWide || assign.update != Update::Sum || assign.value.op() != Op::Mul) return false;
  return assign.value.arg(0).type() == element && assign.value.arg(1).type() == element;
}

} // namespace polymend::device_room
