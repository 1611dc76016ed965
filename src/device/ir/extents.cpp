#include "device/extents.h"

namespace polymend::device_room {

Expr elementsOf(const TileArray &array) {
  if (array.flat && array.extents.empty()) return {};
  Expr count = Expr::integer(1);
  if (!array.used.empty()) {
    Expr last = Expr::integer(0), some = Expr::integer(1, Type::Bool);
    for (std::size_t d = 0; d < array.used.size(); ++d) {
      last = last * array.extents[d] + (array.used[d] - Expr::integer(1));
      some = Expr::make(Op::And, {some, Expr::make(Op::Lt, {Expr::integer(0), array.used[d]})});
    }
    return Expr::make(Op::Select, Type::Int64, {some, last + Expr::integer(1), Expr::integer(0)});
  }
  for (const Expr &extent : array.extents) {
    if (!extent) return {};
    count = count.op() == Op::Integer && count->integer == 1 ? extent : count * extent;
  }
  return count;
}

const TouchedElements *touchedOf(const std::vector<TouchedElements> &touched, const std::string &array) {
  for (const TouchedElements &elements : touched)
    if (elements.array == array && !elements.plain) return &elements;
  return nullptr;
}

} // namespace polymend::device_room
