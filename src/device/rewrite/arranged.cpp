// Sums are collected as linear forms over what moves along a row; coefficients and the constant part are computed once
// a row by the caller. Distribution and splitting reorder floating arithmetic, which kernels of this route allow.
#include "device/arranged.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace polymend::device_room {
namespace {

constexpr double log2e = 1.4426950408889634;

struct Term {
  Expr atom, factor;
};

/// sum of atom * factor, plus rest; factors and rest do not move along the row.
struct Linear {
  std::vector<Term> terms;
  Expr rest; // absent: 0
};

bool isFloat(const Expr &e) { return e.type() == Type::Float32; }

std::optional<double> constantOf(const Expr &e) {
  if (e.op() == Op::Real) return e->real;
  if (e.op() == Op::Neg) {
    const auto value = constantOf(e.arg(0));
    return value ? std::optional(-*value) : std::nullopt;
  }
  return std::nullopt;
}

Expr times(const Expr &a, const Expr &b) {
  const auto x = constantOf(a), y = constantOf(b);
  if (x && y) return Expr::real(static_cast<float>(*x * *y), Type::Float32);
  if (x && *x == 1) return b;
  if (y && *y == 1) return a;
  return a * b;
}

Expr plus(const Expr &a, const Expr &b) {
  if (!a || !b) return a ? a : b;
  const auto x = constantOf(a), y = constantOf(b);
  return x && y ? Expr::real(static_cast<float>(*x + *y), Type::Float32) : a + b;
}

/// 1 / e, as a number where it is a normal one.
Expr inverse(const Expr &e) {
  const auto value = constantOf(e);
  const auto number = value ? static_cast<float>(1 / *value) : 0.0F;
  return std::isnormal(number) ? Expr::real(number, Type::Float32) : Expr::make(Op::Div, {Expr::real(1), e});
}

/// k and rest with e = k * place + rest, for integers; the place is cx, or a quotient or remainder of it.
struct IntegerLine {
  std::int64_t k = 0;
  Expr rest;
  Expr place; // absent where k is 0
};

std::optional<IntegerLine> integerLine(const Expr &e, const ElementScope &scope) {
  if (!movesInRow(e, scope)) return IntegerLine{0, e, {}};
  const auto both = [&](std::int64_t sign) -> std::optional<IntegerLine> {
    const auto a = integerLine(e.arg(0), scope), b = integerLine(e.arg(1), scope);
    if (!a || !b || (a->place && b->place && !equal(a->place, b->place))) return std::nullopt;
    return IntegerLine{a->k + sign * b->k, sign > 0 ? a->rest + b->rest : a->rest - b->rest,
                       a->place ? a->place : b->place};
  };
  switch (e.op()) {
  case Op::Symbol: return IntegerLine{1, Expr::integer(0), Expr::symbol(scope.column, Type::Int64)};
  case Op::Add: return both(1);
  case Op::Sub: return both(-1);
  case Op::Neg: {
    const auto a = integerLine(e.arg(0), scope);
    return a ? std::optional(IntegerLine{-a->k, Expr::integer(0) - a->rest, a->place}) : std::nullopt;
  }
  case Op::Cast: return isInteger(e.type()) && isInteger(e.arg(0).type()) ? integerLine(e.arg(0), scope) : std::nullopt;
  case Op::Mul: {
    const bool left = e.arg(0).op() == Op::Integer;
    if (!left && e.arg(1).op() != Op::Integer) return std::nullopt;
    const std::int64_t factor = left ? e.arg(0)->integer : e.arg(1)->integer;
    const auto a = integerLine(left ? e.arg(1) : e.arg(0), scope);
    return a ? std::optional(IntegerLine{a->k * factor, a->rest * Expr::integer(factor), a->place}) : std::nullopt;
  }
  case Op::FloorDiv:
  case Op::FloorMod: {
    const bool isOfColumn = symbols(e) == std::set<std::string>{scope.column} && !reads(e);
    const bool isSmall = e.arg(1).op() == Op::Integer && e.arg(1)->integer > 0;
    return isOfColumn && isSmall ? std::optional(IntegerLine{1, Expr::integer(0), e}) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

class Arranger {
public:
  Arranger(const ElementScope &elements, bool approximate) : scope(elements), approximates(approximate) {}
  Expr arrange(const Expr &e);

private:
  Linear linear(const Expr &e);
  Expr withArranged(const Expr &e);
  [[nodiscard]] bool isShared(const Expr &e) const;
  static void scale(Linear &form, const Expr &factor);
  [[nodiscard]] static Expr emit(const Linear &form);

  const ElementScope &scope;
  bool approximates;
};

/// Does it read what other kernels read, too?
bool Arranger::isShared(const Expr &e) const {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Read && scope.memory.contains(node->name)); });
  return found;
}

void Arranger::scale(Linear &form, const Expr &factor) {
  for (Term &term : form.terms) term.factor = times(term.factor, factor);
  if (form.rest) form.rest = times(form.rest, factor);
}

Linear Arranger::linear(const Expr &e) {
  if (!movesInRow(e, scope)) return {{}, e};
  if (isFloat(e)) {
    if (e.op() == Op::Add || e.op() == Op::Sub) {
      Linear a = linear(e.arg(0)), b = linear(e.arg(1));
      if (e.op() == Op::Sub) scale(b, Expr::real(-1));
      for (const Term &term : b.terms) {
        const auto same =
            std::find_if(a.terms.begin(), a.terms.end(), [&](const Term &t) { return equal(t.atom, term.atom); });
        if (same == a.terms.end())
          a.terms.push_back(term);
        else
          same->factor = same->factor + term.factor;
      }
      a.rest = plus(a.rest, b.rest);
      return a;
    }
    if (e.op() == Op::Neg) {
      Linear a = linear(e.arg(0));
      scale(a, Expr::real(-1));
      return a;
    }
    if (e.op() == Op::Mul && (!movesInRow(e.arg(0), scope) || !movesInRow(e.arg(1), scope))) {
      const bool left = movesInRow(e.arg(0), scope);
      Linear a = linear(left ? e.arg(0) : e.arg(1));
      scale(a, left ? e.arg(1) : e.arg(0));
      return a;
    }
    if (e.op() == Op::Div && !movesInRow(e.arg(1), scope)) {
      Linear a = linear(e.arg(0));
      scale(a, inverse(e.arg(1)));
      return a;
    }
    if (e.op() == Op::Tanh && !approximates) {
      // tanh x = 1 - 2 / (2^(2 x log2 e) + 1), within 2^-20
      Linear argument = linear(e.arg(0));
      scale(argument, Expr::real(2 * log2e));
      const Expr power = callPrimitive("exp2Fast", {emit(argument)}, Type::Float32);
      const Expr inverse = callPrimitive("reciprocal", {power + Expr::real(1)}, Type::Float32);
      return {{{inverse, Expr::real(-2)}}, Expr::real(1)};
    }
    if (e.op() == Op::Cast && isInteger(e.arg(0).type())) {
      if (const auto line = integerLine(e.arg(0), scope); line && line->place.op() == Op::Symbol) {
        const Expr column = Expr::cast(Type::Float32, Expr::symbol(scope.column, Type::Int64));
        return {{{column, Expr::real(static_cast<double>(line->k))}}, Expr::cast(Type::Float32, simplify(line->rest))};
      }
    }
  }
  if (isFloat(e) && (e.op() == Op::Mul || e.op() == Op::Cast)) return {{{withArranged(e), Expr::real(1)}}, {}};
  return {{{arrange(e), Expr::real(1)}}, {}};
}

/// The node over its arranged arguments.
Expr Arranger::withArranged(const Expr &e) {
  ExprNode node = *e;
  for (Expr &arg : node.args)
    if (isFloating(arg.type()) || arg.type() == Type::Bool) arg = arrange(arg);
  return Expr{node};
}

Expr Arranger::emit(const Linear &form) {
  Expr sum = form.rest;
  for (const Term &term : form.terms) {
    const auto factor = constantOf(term.factor);
    if (!sum)
      sum = factor && *factor == 1 ? term.atom : term.atom * term.factor;
    else if (factor && *factor == 1)
      sum = term.atom + sum;
    else
      sum = Expr::call("fma", {term.atom, term.factor, sum}, Type::Float32);
  }
  return sum;
}

Expr Arranger::arrange(const Expr &e) {
  if (e->args.empty() || e.op() == Op::Read) return e;
  if (isFloat(e) && movesInRow(e, scope)) {
    if (e.op() == Op::Exp || e.op() == Op::Exp2) {
      Linear form = linear(e.arg(0));
      const double base = e.op() == Op::Exp ? log2e : 1;
      // What others subtract, too, is subtracted as they do: a difference of large numbers is as they have it.
      if (form.rest && isShared(form.rest))
        return callPrimitive("exp2Fast", {times(withArranged(e.arg(0)), Expr::real(base))}, Type::Float32);
      scale(form, Expr::real(base));
      return callPrimitive("exp2Fast", {emit(form)}, Type::Float32);
    }
    if (e.op() == Op::Tanh && approximates) return callPrimitive("tanhApprox", {emit(linear(e.arg(0)))}, Type::Float32);
    const bool sum = e.op() == Op::Add || e.op() == Op::Sub || e.op() == Op::Neg || e.op() == Op::Mul ||
                     e.op() == Op::Tanh || (e.op() == Op::Cast && isInteger(e.arg(0).type()));
    if (sum) return emit(linear(e));
  }
  if (isFloat(e) && e.op() == Op::Div && movesInRow(e.arg(0), scope) && !movesInRow(e.arg(1), scope))
    return arrange(e.arg(0) * Expr::make(Op::Div, {Expr::real(1), e.arg(1)}));
  if (isFloat(e) && e.op() == Op::Div && movesInRow(e, scope))
    return callPrimitive("divideFull", {arrange(e.arg(0)), arrange(e.arg(1))}, Type::Float32);
  const bool integers = e.type() == Type::Bool && isInteger(e.arg(0).type());
  if (integers) return arrangeCondition(e, scope);
  Expr arranged = withArranged(e);
  if (e.op() == Op::Exp && isFloat(e))
    return callPrimitive("exp2Fast", {times(arranged.arg(0), Expr::real(log2e))}, Type::Float32);
  return arranged;
}

/// value rounded down to an int that compares like it with columns.
Expr bound(const Expr &value) {
  constexpr std::int64_t far = 1 << 30;
  return simplify(
      Expr::make(Op::Min, Type::Int64,
                 {Expr::make(Op::Max, Type::Int64, {simplify(value), Expr::integer(-far)}), Expr::integer(far)}));
}

} // namespace

bool movesInRow(const Expr &e, const ElementScope &scope) {
  bool moves = false;
  visit(e, [&](const Expr &node) { moves = moves || (node.op() == Op::Symbol && scope.moving.count(node->name)); });
  return moves;
}

Expr arrange(const Expr &value, const ElementScope &scope, bool approximates) {
  return Arranger(scope, approximates).arrange(value);
}

Expr arrangeCondition(const Expr &condition, const ElementScope &scope) {
  if (condition.op() == Op::And || condition.op() == Op::Or || condition.op() == Op::Not) {
    ExprNode node = *condition;
    for (Expr &arg : node.args) arg = arrangeCondition(arg, scope);
    return Expr{node};
  }
  const bool order = condition.op() == Op::Le || condition.op() == Op::Lt;
  if (!order || !isInteger(condition.arg(0).type()) || !movesInRow(condition, scope)) return condition;
  Expr high = condition.arg(1);
  if (condition.op() == Op::Lt) high = high - Expr::integer(1);
  const auto line = integerLine(high - condition.arg(0), scope);
  if (!line || line->k == 0) return condition;
  const Expr &column = line->place;
  const auto floored = [](const Expr &a, std::int64_t b) {
    return b == 1 ? a : Expr::make(Op::FloorDiv, Type::Int64, {a, Expr::integer(b)});
  };
  if (line->k < 0) return Expr::make(Op::Le, {column, bound(floored(line->rest, -line->k))});
  const Expr least = Expr::integer(0) - floored(line->rest, line->k); // ceil(-rest / k)
  return Expr::make(Op::Le, {bound(least), column});
}

Expr beforeRounding(const Expr &e) {
  if (e.op() == Op::Cast && isNarrow(e.type())) {
    // Rounding what is already rounded to this type changes nothing.
    const Expr &wide = e.arg(0);
    const bool twice = wide.op() == Op::Cast && wide.arg(0).type() == e.type();
    return twice ? beforeRounding(wide.arg(0)) : wide;
  }
  if (e.op() == Op::Real) return Expr::real(e->real, Type::Float32);
  if (e.op() == Op::Select) {
    const Expr a = beforeRounding(e.arg(1)), b = beforeRounding(e.arg(2));
    return Expr::make(Op::Select, Type::Float32, {e.arg(0), a, b});
  }
  return isNarrow(e.type()) ? Expr::cast(Type::Float32, e) : e;
}

Monotone peelIncreasing(const Expr &value, const ElementScope &scope, const std::string &hole) {
  const auto positive = [](const Expr &e) {
    const auto constant = constantOf(e);
    return constant && *constant > 0 && std::isfinite(*constant);
  };
  Monotone result{value, Expr::symbol(hole, value.type())};
  if (value.op() == Op::Mul && isFloating(value.type())) {
    const bool left = positive(value.arg(0));
    if (left || positive(value.arg(1))) {
      const Monotone inner = peelIncreasing(left ? value.arg(1) : value.arg(0), scope, hole);
      return {inner.inner, left ? value.arg(0) * inner.outer : inner.outer * value.arg(1)};
    }
  }
  return result;
}

} // namespace polymend::device_room
