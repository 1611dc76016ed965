#include "device/depends.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

bool uses(const TileAssign &a, const std::string &array) {
  return a.target.array == array || reads(a.value, array) || (a.where && reads(a.where, array));
}

} // namespace

bool isChoice(const Expr &e) {
  return e && isInteger(e.type()) && (e.op() == Op::Min || e.op() == Op::Max) && !reads(e);
}

bool isSameBound(const Expr &a, const Expr &b) {
  if (equal(a, b)) return true;
  return isChoice(a) && isChoice(b) && a.op() == b.op() && equal(a.arg(0), b.arg(1)) && equal(a.arg(1), b.arg(0));
}

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
