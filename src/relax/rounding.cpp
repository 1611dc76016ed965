// A value that the source stores in 16 bits is rounded there. Algebra drops the cast and may move factors past it (a
// division by a sum goes to the end), so the cast is put back around what is left of its operand: the factors over the
// symbols that occur under the cast and nowhere else.
#include "relax/rounding.h"

#include "polymend/factors.h"

#include <algorithm>

namespace polymend {
namespace {

struct Narrowing {
  Type type;
  std::set<std::string> under;
};

/// The narrowing casts of a computed value (a cast of a plain symbol changes nothing that is not narrow already).
std::vector<Narrowing> narrowings(const Expr &element) {
  std::vector<Narrowing> result;
  visit(element, [&](const Expr &node) {
    if (node.op() != Op::Cast || !isNarrow(node.type()) || isNarrow(node.arg(0).type())) return;
    result.push_back({node.type(), symbols(node.arg(0))});
  });
  return result;
}

bool isWithin(const Expr &factor, const Narrowing &narrowing) {
  const std::set<std::string> used = symbols(factor);
  return !used.empty() && std::includes(narrowing.under.begin(), narrowing.under.end(), used.begin(), used.end());
}

} // namespace

Expr withRounding(const Expr &element, const Expr &state) {
  Expr result = state;
  for (const Narrowing &narrowing : narrowings(element)) {
    std::vector<Expr> inside, outside;
    for (const Expr &factor : factorsOf(result)) (isWithin(factor, narrowing) ? inside : outside).push_back(factor);
    if (inside.empty()) continue;
    const Expr product = productOf(inside);
    outside.push_back(Expr::cast(product.type(), Expr::cast(narrowing.type, product)));
    result = productOf(outside);
  }
  return result;
}

} // namespace polymend
