#include "terms.h"

#include <algorithm>
#include <functional>

namespace polymend::device_room {

namespace {

/// Visits what `e` computes in any case.
void visitUnconditional(const Expr &e, const std::function<void(const Expr &)> &f) {
  f(e);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  for (std::size_t i = 0; i < (chooses ? 1 : e->args.size()); ++i) visitUnconditional(e.arg(i), f);
}

/// Whether each subscript of `e` is one that `other` has for the same extent: then it is within bounds where the other
/// is.
bool isWithin(const Expr &e, const Expr &other, const Scope &scope) {
  const auto extents = [&](const Expr &read) -> const std::vector<Expr> & { return scope.find(read->name)->extents; };
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    bool found = false;
    for (std::size_t k = 0; k < other->args.size(); ++k)
      found = found || (equal(simplify(e.arg(i)), simplify(other.arg(k))) && extents(e)[i] && extents(other)[k] &&
                        equal(simplify(extents(e)[i]), simplify(extents(other)[k])));
    if (!found) return false;
  }
  return !e->args.empty();
}

/// Does `e` read an element of global memory?
bool isGlobal(const Expr &e, const Memory &m, const Scope &scope) {
  if (e.op() != Op::Read || m.tiles.contains(e->name) || m.owned.contains(e->name)) return false;
  const TileArray *const array = scope.find(e->name);
  return array && !array->extents.empty();
}

} // namespace

std::vector<Expr> readsInAnyCase(const Expr &e, const Memory &m, const Scope &scope) {
  std::vector<Expr> sure, result;
  visitUnconditional(e, [&](const Expr &node) {
    if (isGlobal(node, m, scope)) sure.push_back(node);
  });
  visit(e, [&](const Expr &node) {
    if (!isGlobal(node, m, scope)) return;
    const bool known = std::any_of(result.begin(), result.end(), [&](const Expr &r) { return equal(r, node); });
    const bool safe = std::any_of(sure.begin(), sure.end(), [&](const Expr &other) {
      return equal(other, node) || isWithin(node, other, scope);
    });
    if (!known && safe) result.push_back(node);
  });
  return result;
}

void noteEarly(DeviceDeal &deal, const Memory &m, const Scope &scope) {
  const Expr &value = deal.points.body.front().value;
  deal.early = readsInAnyCase(value, m, scope);
  deal.eager = true;
  visit(value, [&](const Expr &node) {
    const auto isNode = [&](const Expr &read) { return equal(read, node); };
    deal.eager = deal.eager && (!isGlobal(node, m, scope) || std::any_of(deal.early.begin(), deal.early.end(), isNode));
  });
}

} // namespace polymend::device_room
