#include "device/depends.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

bool uses(const TileAssign &a, const std::string &array) {
  return a.target.array == array || reads(a.value, array) || (a.where && reads(a.where, array));
}

} // namespace

bool dependsOn(const Expr &e, const std::string &variable) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Symbol && node->name == variable); });
  return found;
}

bool usesAny(const Expr &e, const std::vector<PointDim> &dims) {
  return std::any_of(dims.begin(), dims.end(), [&](const PointDim &d) { return dependsOn(e, d.variable); });
}

bool areIndependent(const std::vector<TileAssign> &body) {
  for (std::size_t i = 0; i < body.size(); ++i)
    for (std::size_t j = 0; j < body.size(); ++j)
      if (i != j && uses(body[i], body[j].target.array)) return false;
  return true;
}

} // namespace polymend::device_room
