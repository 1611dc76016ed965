// A correction speaks of its state, its pivots and the values they move to by name; here they are reads of tiles.
#include "states.h"

#include "start.h"
#include "values.h"

#include <algorithm>

namespace polymend {

const PivotGroup &pivotsOf(const MendedStates &states, const Seated &seated) {
  return states.groups[states.grouped.at(seated.member.equation)];
}

bool shares(const MendedStates &states, const Seated &seated, const PivotGroup &group) {
  return states.grouped.contains(seated.member.equation) && &pivotsOf(states, seated) == &group;
}

Type componentType(const PhaseContext &context, const Seated &seated, std::size_t k) {
  const Correction &correction = correctionOf(context, seated);
  return k > 0 && symbols(correction.state[k]).empty() ? Type::Float64 : seated.equation.type;
}

namespace {

Expr ofType(Type type, const Expr &value) { return value.type() == type ? value : Expr::cast(type, value); }

/// A start and what was reduced, as the source combines them.
Expr combine(const Equation &e, const Expr &a, const Expr &b) {
  switch (*e.monoid) {
  case Monoid::Sum: return a + b;
  case Monoid::Product: return a * b;
  case Monoid::Max: return Expr::make(e.comparison ? Op::Max : Op::FMax, {a, b});
  case Monoid::Min: return Expr::make(e.comparison ? Op::Min : Op::FMin, {a, b});
  }
  return a;
}

} // namespace

std::map<std::string, Expr> bindings(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                                     const std::vector<std::string> *pivots, const std::vector<std::string> *nexts) {
  const Mended &mended = mendedOf(context, seated);
  std::map<std::string, Expr> bound;
  for (const auto &[symbol, operand] : mended.names) {
    if (constantPivotOfProducer(context.frame.relaxed,
                                seated.equation.operands[static_cast<std::size_t>(operand)].equation))
      continue;
    Expr read;
    visit(seated.equation.value, [&](const Expr &node) {
      if (node.op() == Op::Read && node->access == operand) read = node;
    });
    const auto at = std::find(mended.correction.pivots.begin(), mended.correction.pivots.end(), symbol) -
                    mended.correction.pivots.begin();
    const bool pivot = at < static_cast<std::ptrdiff_t>(mended.correction.pivots.size());
    if (isNarrow(read.type())) {
      bound[symbol] = Expr::cast(Type::Float32, realize(context, read, seated));
      continue;
    }
    const bool wider = nexts && read.type() == Type::Float32 && seated.equation.type == Type::Float64;
    const auto inStateType = [&](const Expr &value) { return wider ? Expr::cast(Type::Float64, value) : value; };
    bound[symbol] = inStateType(
        pivot && pivots ? Expr::read((*pivots)[static_cast<std::size_t>(at)], rowSubscripts(context), read.type())
                        : realize(context, read, seated));
    if (pivot && nexts)
      bound[symbol + "'"] =
          inStateType(Expr::read((*nexts)[static_cast<std::size_t>(at)], rowSubscripts(context), read.type()));
  }
  const auto &tiles = states.tiles.at(seated.member.equation);
  for (std::size_t k = 0; k < tiles.size(); ++k)
    bound["#" + std::to_string(k)] =
        ofType(seated.equation.type,
               Expr::read(tiles[k], resultSubscripts(context, seated), componentType(context, seated, k)));
  return bound;
}

Expr finalValue(const PhaseContext &context, const Seated &seated, const std::map<std::string, Expr> &bound) {
  const Mended &mended = mendedOf(context, seated);
  Expr value = realize(context, mended.correction.final, seated, bound);
  const Expr initial = beginning(context, seated);
  const Expr none = neutral(*seated.equation.monoid, seated.equation.type);
  const bool nothing = equal(initial, none) || (isZero(initial) && isZero(none));
  if (nothing && mended.correction.keepsZero) return value;
  return combine(seated.equation, initial, value);
}

} // namespace polymend
