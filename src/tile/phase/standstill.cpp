// A proof over cases: each condition holds or not, and what both sides compute has one class of values. A case in which
// the extreme's element cannot be at or behind its value moves it and is no standstill; a NaN moves no extreme. In
// every other case the classes of the elements that are taken in must hold nothing that counts: for a sum neither what
// is below nor what is above zero, unless another component is no number and shows that the row is to be computed
// again. What is not common to both sides may be anything. Classes follow IEEE 754, so that what overflows or
// underflows on either side is seen.
#include "standstill.h"

#include <algorithm>
#include <limits>

namespace polymend {
namespace {

using namespace classes;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t mostConditions = 6, mostCommon = 4;

bool isConnective(Op op) { return op == Op::And || op == Op::Or || op == Op::Not; }

void addOnce(std::vector<Expr> &all, const Expr &e) {
  if (std::none_of(all.begin(), all.end(), [&](const Expr &other) { return equal(other, e); })) all.push_back(e);
}

/// The conditions of an expression, without what connects them.
void collectConditions(const Expr &e, std::vector<Expr> &found) {
  if (e.type() == Type::Bool && !isConnective(e.op()) && e.op() != Op::Integer) return addOnce(found, e);
  for (const Expr &arg : e->args) collectConditions(arg, found);
}

/// Conditions that hold or do not, by the bits of a number.
struct Case {
  const std::vector<Expr> &conditions;
  unsigned holding;

  [[nodiscard]] bool holds(const Expr &e) const {
    switch (e.op()) {
    case Op::Integer: return e->integer != 0;
    case Op::Not: return !holds(e.arg(0));
    case Op::And: return holds(e.arg(0)) && holds(e.arg(1));
    case Op::Or: return holds(e.arg(0)) || holds(e.arg(1));
    default: break;
    }
    const auto at = std::find_if(conditions.begin(), conditions.end(), [&](const Expr &c) { return equal(c, e); });
    return (holding >> (at - conditions.begin()) & 1U) != 0;
  }

  /// The expression without choices.
  [[nodiscard]] Expr decided(const Expr &e) const {
    if (e.type() == Type::Bool) return Expr::integer(holds(e) ? 1 : 0, Type::Bool);
    if (e.op() == Op::Select) return decided(e.arg(holds(e.arg(0)) ? 1 : 2));
    if (e.op() == Op::Read) return e;
    ExprNode node = *e;
    for (Expr &arg : node.args) arg = decided(arg);
    return Expr(node);
  }
};

/// The largest parts of `e` that are computed in `other` too, and are no numbers.
void collectCommon(const Expr &e, const Expr &other, std::vector<Expr> &found) {
  bool isPart = false, varies = e.op() == Op::Read || !symbols(e).empty() || reads(e);
  visit(other, [&](const Expr &part) { isPart = isPart || equal(part, e); });
  if (isFloating(e.type()) && isPart && varies) return addOnce(found, e);
  if (e.op() == Op::Read) return;
  for (const Expr &arg : e->args) collectCommon(arg, other, found);
}

/// The classes of a running extreme's element that does not move it from `value`.
Classes notBeyond(const StandingExtreme &standing) {
  const double value = standing.extreme == Monoid::Max ? standing.value : -standing.value;
  Classes below = MinusInfinity;
  if (value > -infinity) below |= Negative;
  if (value >= 0) below |= Zero;
  if (value > 0) below |= Positive;
  if (value == infinity) below |= PlusInfinity;
  if (standing.extreme == Monoid::Max) return below | NaN;
  Classes above = NaN | (below & Zero);
  if (below & MinusInfinity) above |= PlusInfinity;
  if (below & Negative) above |= Positive;
  if (below & Positive) above |= Negative;
  if (below & PlusInfinity) above |= MinusInfinity;
  return above;
}

class Cases {
public:
  Cases(const StandingExtreme &extreme, const Taken &state) : standing(extreme), taken(state) {}

  bool hold() {
    std::vector<Expr> conditions;
    collectConditions(standing.element, conditions);
    for (const Expr &element : taken.elements) collectConditions(element, conditions);
    if (conditions.size() > mostConditions) return false;
    for (unsigned holding = 0; holding >> conditions.size() == 0; ++holding)
      if (!holdsIn({conditions, holding})) return false;
    return true;
  }

private:
  const StandingExtreme &standing;
  const Taken &taken;
  std::vector<Expr> common;
  std::vector<Classes> chosen; // one class of each

  bool holdsIn(const Case &one) {
    const Expr made = one.decided(standing.element);
    std::vector<Expr> elements;
    common.clear();
    for (const Expr &element : taken.elements) elements.push_back(one.decided(element));
    for (const Expr &element : elements) collectCommon(element, made, common);
    if (common.size() > mostCommon) return false;
    chosen.assign(common.size(), NaN);
    do {
      if (!isPossible() || (classesIn(made) & notBeyond(standing)) == 0) continue;
      if (mayCount(elements)) return false;
    } while (advance());
    return true;
  }

  /// The classes of an expression in the chosen case; `apart`: a common part that is looked at itself.
  [[nodiscard]] Classes classesIn(const Expr &e, const Expr &apart = {}) const {
    return classesOf(e, [&](const Expr &node) -> std::optional<Classes> {
      for (const Expr &pivot : taken.pivots)
        if (equal(node, pivot)) return taken.standIn;
      if (apart && equal(node, apart)) return std::nullopt;
      for (std::size_t k = 0; k < common.size(); ++k)
        if (equal(node, common[k])) return chosen[k];
      return std::nullopt;
    });
  }

  /// Can each common part have its class, as what it is computed from has theirs?
  [[nodiscard]] bool isPossible() const {
    for (std::size_t k = 0; k < common.size(); ++k)
      if ((classesIn(common[k], common[k]) & chosen[k]) == 0) return false;
    return true;
  }

  bool advance() {
    for (Classes &one : chosen) {
      one = one == PlusInfinity ? NaN : one << 1;
      if (one != NaN) return true;
    }
    return false;
  }

  [[nodiscard]] bool mayCount(const std::vector<Expr> &elements) const {
    const Classes counting = taken.carry == Monoid::Sum ? Negative | Positive : Finite;
    bool some = false, isShown = false;
    for (const Expr &element : elements) {
      const Classes found = classesIn(element);
      some = some || (found & counting) != 0;
      isShown = isShown || (found & Finite) == 0;
    }
    return some && !isShown;
  }
};

} // namespace

bool standsStill(const StandingExtreme &standing, const Taken &taken) { return Cases(standing, taken).hold(); }

} // namespace polymend
