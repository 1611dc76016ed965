#include "device/depends.h"

#include <algorithm>

namespace polymend::device_room {

bool dependsOn(const Expr &e, const std::string &variable) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Symbol && node->name == variable); });
  return found;
}

bool usesAny(const Expr &e, const std::vector<PointDim> &dims) {
  return std::any_of(dims.begin(), dims.end(), [&](const PointDim &d) { return dependsOn(e, d.variable); });
}

} // namespace polymend::device_room
