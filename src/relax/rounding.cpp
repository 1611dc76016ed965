// A value that the source stores in 16 bits is rounded there. Algebra drops the cast and may move factors past it (a
// division by a sum goes to the end), so the cast is put back around what is left of its operand: the factors over the
// symbols that occur under the cast and nowhere else.
#include "relax/rounding.h"

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

void factorsOf(const Expr &e, std::vector<Expr> &factors) {
  if (e.op() != Op::Mul) {
    factors.push_back(e);
    return;
  }
  factorsOf(e.arg(0), factors);
  factorsOf(e.arg(1), factors);
}

Expr product(const std::vector<Expr> &factors) {
  Expr all;
  for (const Expr &factor : factors) all = all ? all * factor : factor;
  return all;
}

bool isWithin(const Expr &factor, const Narrowing &narrowing) {
  const std::set<std::string> used = symbols(factor);
  return !used.empty() && std::includes(narrowing.under.begin(), narrowing.under.end(), used.begin(), used.end());
}

} // namespace

Expr withRounding(const Expr &element, const Expr &state) {
  Expr result = state;
  for (const Narrowing &narrowing : narrowings(element)) {
    std::vector<Expr> factors, inside, outside;
    factorsOf(result, factors);
    for (const Expr &factor : factors) (isWithin(factor, narrowing) ? inside : outside).push_back(factor);
    if (inside.empty()) continue;
    const Expr rounded = Expr::cast(product(inside).type(), Expr::cast(narrowing.type, product(inside)));
    outside.push_back(rounded);
    result = product(outside);
  }
  return result;
}

} // namespace polymend
