// A value that the source stores in a narrower type is rounded there. Algebra drops the cast and may move factors past
// it (a division by a sum goes to the end), so the cast is put back around what is left of its operand: the factors
// over the symbols that occur under the cast and nowhere else.
#include "relax/rounding.h"

#include "polymend/factors.h"

#include <algorithm>

namespace polymend {
namespace {

struct Narrowing {
  Type type;
  std::set<std::string> under;
};

/// The digits of a floating type, in order: the two narrow types hold different numbers.
int rankOf(Type type) { return type == Type::Float64 ? 2 : type == Type::Float32 ? 1 : 0; }

/// The narrowing casts of a computed value that what is carried of it has not as they stand.
std::vector<Narrowing> narrowingsLost(const Expr &element, const Expr &state) {
  std::vector<Narrowing> result;
  visit(element, [&](const Expr &node) {
    if (isNarrowing(node) && !holds(state, node)) result.push_back({node.type(), symbols(node.arg(0))});
  });
  return result;
}

bool isWithin(const Expr &factor, const Narrowing &narrowing) {
  const std::set<std::string> used = symbols(factor);
  return !used.empty() && std::includes(narrowing.under.begin(), narrowing.under.end(), used.begin(), used.end());
}

} // namespace

bool holds(const Expr &e, const Expr &part) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || equal(node, part); });
  return found;
}

bool isNarrowing(const Expr &e) {
  if (e.op() != Op::Cast || !isFloating(e.type()) || !isFloating(e.arg(0).type())) return false;
  const Type from = e.arg(0).type();
  return from != e.type() && rankOf(from) >= rankOf(e.type());
}

Expr roundedPart(const Expr &narrowing, const Expr &state) {
  const Narrowing wanted{narrowing.type(), symbols(narrowing.arg(0))};
  std::vector<Expr> inside;
  for (const Expr &factor : factorsOf(state))
    if (isWithin(factor, wanted)) inside.push_back(factor);
  return inside.empty() ? Expr() : productOf(inside);
}

Expr withRounding(const Expr &element, const Expr &state) {
  Expr result = state;
  for (const Narrowing &narrowing : narrowingsLost(element, state)) {
    std::vector<Expr> inside, outside;
    for (const Expr &factor : factorsOf(result)) (isWithin(factor, narrowing) ? inside : outside).push_back(factor);
    if (inside.empty()) continue;
    const Expr product = productOf(inside);
    if (product.type() == narrowing.type || rankOf(product.type()) < rankOf(narrowing.type)) continue;
    outside.push_back(Expr::cast(product.type(), Expr::cast(narrowing.type, product)));
    result = productOf(outside);
  }
  return result;
}

} // namespace polymend
