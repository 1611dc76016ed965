// The divisions are those of 1 + 2^x: nothing is below 1, and from 2^31 on a sum with the quotient is the sum with zero
// to the rounding of floats near 1, so that products of four such numbers are finite.
#include "device/shared_division.h"

#include <algorithm>

namespace polymend::device_room {
namespace {

constexpr double largestExponent = 31; // 4 * 31 < 128

bool calls(const Expr &e, std::string_view primitive) {
  return e.op() == Op::Call && (e->name == primitive || e->name.ends_with("::" + std::string(primitive)));
}

/// x of 1 / (1 + 2^x); absent: the expression is none such.
Expr exponentOf(const Expr &e) {
  if (!calls(e, "reciprocal") || e.arg(0).op() != Op::Add) return {};
  const Expr &power = e.arg(0).arg(0), &one = e.arg(0).arg(1);
  return calls(power, "exp2Fast") && one.op() == Op::Real && one->real == 1 ? power.arg(0) : Expr();
}

bool isQuotient(const Expr &e, const std::string &quotient) { return e.op() == Op::Symbol && e->name == quotient; }

/// The number that every use of the quotient multiplies it with; 1 where there is none.
double factorOfUses(const Expr &value, const std::string &quotient) {
  std::set<double> factors;
  int uses = 0, multiplied = 0;
  visit(value, [&](const Expr &e) {
    uses += isQuotient(e, quotient) ? 1 : 0;
    if (!calls(e, "fma") || !isQuotient(e.arg(0), quotient) || e.arg(1).op() != Op::Real) return;
    ++multiplied;
    factors.insert(e.arg(1)->real);
  });
  return factors.size() == 1 && uses == multiplied ? *factors.begin() : 1;
}

} // namespace

DividedValue shareDivisions(const Expr &arranged, const ElementScope &scope, const std::function<std::string()> &name) {
  DividedValue result{arranged, {}};
  std::vector<std::pair<Expr, Expr>> found; // reciprocals, and their quotients
  const auto quotientOf = [&](const Expr &e) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto &f) { return equal(f.first, e); });
    if (same != found.end()) return same->second;
    const Expr bounded = callPrimitive("atMost", {exponentOf(e), Expr::real(largestExponent)}, e.type());
    const Expr power = callPrimitive("exp2Fast", {bounded}, e.type());
    result.divisions.push_back({power + Expr::real(1), 1, name()});
    found.emplace_back(e, Expr::symbol(result.divisions.back().quotient, e.type()));
    return found.back().second;
  };
  // A division within another's denominator stays there.
  const std::function<Expr(const Expr &)> replaced = [&](const Expr &e) {
    if (exponentOf(e) && movesInRow(e, scope)) return quotientOf(e);
    ExprNode node = *e;
    for (Expr &arg : node.args) arg = replaced(arg);
    return Expr{node};
  };
  result.value = replaced(arranged);
  for (SharedDivision &division : result.divisions) {
    division.numerator = factorOfUses(result.value, division.quotient);
    if (division.numerator == 1) continue;
    result.value = rewrite(result.value, [&](const Expr &e) {
      return calls(e, "fma") && isQuotient(e.arg(0), division.quotient) ? e.arg(0) + e.arg(2) : e;
    });
  }
  return result;
}

} // namespace polymend::device_room
