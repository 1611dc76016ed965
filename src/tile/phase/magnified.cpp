// Below the smallest normal number by the digits of a number, what a sum lost is no rounding of what it is.
#include "magnified.h"

#include <algorithm>
#include <limits>

namespace polymend {
namespace {

/// A factor that brings to light what was lost in a state near underflow.
constexpr double smallFactor = 256;

/// Is it larger than `small`?
Expr magnified(const Expr &factor, double small) {
  return Expr::make(Op::Lt, {Expr::real(small, factor.type()), Expr::make(Op::Abs, factor.type(), {factor})});
}

} // namespace

Expr nearUnderflow(const Expr &state) {
  const bool wide = state.type() == Type::Float64;
  const double least = wide ? std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon()
                            : std::numeric_limits<float>::min() / std::numeric_limits<float>::epsilon();
  return Expr::make(Op::Lt, {Expr::make(Op::Abs, state.type(), {state}), Expr::real(least, state.type())});
}

Expr magnifiesLost(const Expr &state, const Expr &product, const Expr &factor, double small) {
  constexpr double leastFactor = 2; // the source's own errors may be doubled
  const Expr lost = Expr::make(Op::Ne, {state, Expr::real(0, state.type())});
  const Expr seen = Expr::make(Op::And, {lost, magnified(factor, leastFactor)});
  return Expr::make(Op::And, {Expr::make(Op::Or, {magnified(factor, small), seen}), nearUnderflow(product)});
}

Expr magnifiesLost(const Expr &state, const Expr &factor) {
  return Expr::make(Op::And, {magnified(factor, smallFactor), nearUnderflow(state)});
}

std::optional<double> countsAfterDivision(const Candidate &candidate) {
  constexpr double largeFactor = 0x1p20;
  const auto waits = [&](const std::set<std::string> &names) {
    return std::any_of(candidate.symbols.begin(), candidate.symbols.end(), [&](const AlgebraSymbol &symbol) {
      return symbol.role == AlgebraSymbol::Role::Producer && names.contains(symbol.name);
    });
  };
  const auto divides = [&](const Expr &e) {
    bool found = false;
    visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Div && waits(symbols(node.arg(1)))); });
    return found;
  };
  std::optional<double> result;
  visit(candidate.element, [&](const Expr &node) {
    if (node.op() != Op::Mul && node.op() != Op::Pow) return;
    const std::set<std::string> left = symbols(node.arg(0)), right = symbols(node.arg(1));
    const auto twice = [&](const std::string &name) { return right.contains(name); };
    const bool itself = node.op() == Op::Pow || std::any_of(left.begin(), left.end(), twice);
    if (itself && waits(symbols(node))) result = smallFactor;
    if (!result && (divides(node.arg(0)) || divides(node.arg(1)))) result = largeFactor;
  });
  return result;
}

} // namespace polymend
