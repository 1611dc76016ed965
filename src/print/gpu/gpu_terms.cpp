#include "gpu_terms.h"

#include <algorithm>
#include <functional>

namespace polymend::print_room {

namespace {

/// Visits what `e` computes in any case.
void visitUnconditional(const Expr &e, const std::function<void(const Expr &)> &f) {
  f(e);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  for (std::size_t i = 0; i < (chooses ? 1 : e->args.size()); ++i) visitUnconditional(e.arg(i), f);
}

/// Whether each subscript of `e` is one that `other` has for the same extent: then it is within bounds where the other
/// is.
bool isWithin(const Expr &e, const Expr &other, const Context &context) {
  const auto extents = [&](const Expr &read) -> const std::vector<Expr> & {
    return context.places.at(read->name).array->extents;
  };
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    bool found = false;
    for (std::size_t k = 0; k < other->args.size(); ++k)
      found = found || (equal(simplify(e.arg(i)), simplify(other.arg(k))) && extents(e)[i] && extents(other)[k] &&
                        equal(simplify(extents(e)[i]), simplify(extents(other)[k])));
    if (!found) return false;
  }
  return !e->args.empty();
}

bool isMemory(const Expr &e, const Context &context) {
  if (e.op() != Op::Read) return false;
  const auto at = context.places.find(e->name);
  return at != context.places.end() && at->second.shape == Shape::Linear;
}

} // namespace

bool readsMemory(const Expr &e, const Context &context) {
  bool reads = false;
  visit(e, [&](const Expr &node) { reads = reads || isMemory(node, context); });
  return reads;
}

std::vector<Expr> readsInAnyCase(const Expr &e, const Context &context) {
  std::vector<Expr> sure, result;
  visitUnconditional(e, [&](const Expr &node) {
    if (isMemory(node, context)) sure.push_back(node);
  });
  visit(e, [&](const Expr &node) {
    if (!isMemory(node, context)) return;
    const bool known = std::any_of(result.begin(), result.end(), [&](const Expr &r) { return equal(r, node); });
    const bool safe = std::any_of(sure.begin(), sure.end(), [&](const Expr &other) {
      return equal(other, node) || isWithin(node, other, context);
    });
    if (!known && safe) result.push_back(node);
  });
  return result;
}

} // namespace polymend::print_room
