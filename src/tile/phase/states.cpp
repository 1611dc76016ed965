// A correction speaks of its state, its pivots and the values they move to by name; here they are reads of tiles.
#include "states.h"

#include "start.h"
#include "values.h"

#include "polymend/affine.h"

#include <isl/set.h>

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

/// The condition on a member's keys, and on sizes, that elements come to it, where it has a value elsewhere too;
/// absent: they always do. Where a sum is empty, so may be the array of its factors.
Expr whereElementsCome(const Seated &seated) {
  const Equation &e = seated.equation;
  isl_set *reached = isl_set_project_out(e.domain.copy(), isl_dim_set, e.keys, e.reduced());
  isl_set *keys = isl_set_reset_tuple_id(e.keyDomain.copy());
  reached = isl_set_gist(isl_set_reset_tuple_id(reached), keys);
  const isl::set asked = isl::manage(isl_set_coalesce(reached));
  if (isl_set_plain_is_universe(asked.get()) == isl_bool_true) return {};
  DimNames names;
  for (unsigned d = 0; d < e.keys; ++d) names.push_back(seated.axes[d].global());
  return simplify(toCondition(asked, names));
}

/// What a correction reads of an array beside its element; 1 where no element comes: there the source reads nothing.
Expr guardedRead(const Seated &seated, const Expr &read, const Expr &value) {
  const Operand &operand = seated.equation.operands[static_cast<std::size_t>(read->access)];
  const Expr come = operand.equation < 0 ? whereElementsCome(seated) : Expr();
  if (!come) return value;
  const Expr one = isFloating(value.type()) ? Expr::real(1, value.type()) : Expr::integer(1, value.type());
  return Expr::make(Op::Select, value.type(), {come, value, one});
}

using Names = const std::vector<std::string> *;

/// `guarded`: whether what is read may lie where no element comes.
std::map<std::string, Expr> bindingsFor(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                                        Names pivots, Names nexts, bool guarded) {
  const Mended &mended = mendedOf(context, seated);
  std::map<std::string, Expr> all;
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
    const auto realized = [&] {
      const Expr value = realize(context, read, seated);
      return guarded ? guardedRead(seated, read, value) : value;
    };
    if (isNarrow(read.type())) {
      all[symbol] = Expr::cast(Type::Float32, realized());
      continue;
    }
    const bool wider = nexts && read.type() == Type::Float32 && seated.equation.type == Type::Float64;
    const auto inStateType = [&](const Expr &value) { return wider ? Expr::cast(Type::Float64, value) : value; };
    all[symbol] = inStateType(
        pivot && pivots ? Expr::read((*pivots)[static_cast<std::size_t>(at)], rowSubscripts(context), read.type())
                        : realized());
    if (pivot && nexts)
      all[symbol + "'"] =
          inStateType(Expr::read((*nexts)[static_cast<std::size_t>(at)], rowSubscripts(context), read.type()));
  }
  const auto &tiles = states.tiles.at(seated.member.equation);
  for (std::size_t k = 0; k < tiles.size(); ++k)
    all["#" + std::to_string(k)] = ofType(seated.equation.type, Expr::read(tiles[k], resultSubscripts(context, seated),
                                                                           componentType(context, seated, k)));
  return all;
}

} // namespace

std::map<std::string, Expr> bindings(const PhaseContext &context, const MendedStates &states, const Seated &seated,
                                     Names pivots, Names nexts) {
  return bindingsFor(context, states, seated, pivots, nexts, true);
}

std::map<std::string, Expr> bindingsOfElements(const PhaseContext &context, const MendedStates &states,
                                               const Seated &seated, Names pivots) {
  return bindingsFor(context, states, seated, pivots, nullptr, false);
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
