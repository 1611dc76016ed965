// Reads become symbols, conversions between floating types nothing; a choice is looked at side by side.
#include "rescaling_proof.h"

#include "polymend/algebra.h"

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

bool isBefore(const Expr &e) { return e.op() == Op::Read && e->name.ends_with(beforeTurn("")); }
bool isAfter(const Expr &e) { return e.op() == Op::Read && e->name.ends_with(afterTurn("")); }

bool seesExtreme(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || isBefore(node) || isAfter(node); });
  return found;
}

Expr atBefore(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (!isAfter(node)) return node;
    const std::string array = node->name.substr(0, node->name.size() - afterTurn("").size());
    return Expr::read(beforeTurn(array), node->args, node.type());
  });
}

Expr atAfter(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (!isBefore(node)) return node;
    const std::string array = node->name.substr(0, node->name.size() - beforeTurn("").size());
    return Expr::read(afterTurn(array), node->args, node.type());
  });
}

/// The sign of an infinite literal; 0: it is none.
int infinity(const Expr &e) {
  if (e.op() == Op::Cast) return infinity(e.arg(0));
  if (e.op() == Op::Neg) return -infinity(e.arg(0));
  return e.op() != Op::Real || !std::isinf(e->real) ? 0 : e->real < 0 ? -1 : 1;
}

/// What a condition on whether an extreme is infinite says where it is not; absent: it asks something else.
std::optional<bool> whereFinite(const Expr &condition) {
  if (condition.op() == Op::Not) {
    const auto inner = whereFinite(condition.arg(0));
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (condition.op() == Op::Call && condition->args.size() == 1 && seesExtreme(condition.arg(0))) {
    if (condition->name == "isinf" || condition->name == "isnan") return false;
    if (condition->name == "isfinite") return true;
    return std::nullopt;
  }
  if (condition->args.size() != 2) return std::nullopt;
  const bool isFirst = infinity(condition.arg(0)) != 0;
  const Expr &side = condition.arg(isFirst ? 1 : 0), &extreme = side.op() == Op::Abs ? side.arg(0) : side;
  const int end = infinity(condition.arg(isFirst ? 0 : 1));
  if (end == 0 || (!isBefore(extreme) && !isAfter(extreme))) return std::nullopt;
  switch (condition.op()) {
  case Op::Eq: return false;
  case Op::Ne: return true;
  case Op::Lt:
  case Op::Le: return isFirst == (end < 0);
  default: return std::nullopt;
  }
}

/// The expression with choices by such conditions decided as where extremes are finite; absent: what stands for the
/// other case of something that is added is no zero.
Expr decided(const Expr &e, bool isAdded) {
  bool fails = false;
  const Expr result = rewrite(e, [&](const Expr &node) {
    const auto is = node.op() == Op::Select ? whereFinite(node.arg(0)) : std::nullopt;
    if (!is) return node;
    fails = fails || (isAdded && !addsNothing(node.arg(*is ? 2 : 1)));
    return node.arg(*is ? 1 : 2);
  });
  return fails ? Expr() : result;
}

/// A choice in it, which no other is around; absent: there is none.
Expr outermostChoice(const Expr &e) {
  if (e.op() == Op::Select) return e;
  for (const Expr &arg : e->args)
    if (const Expr inner = outermostChoice(arg)) return inner;
  return {};
}

Expr onSide(const Expr &e, const Expr &condition, bool holds) {
  return rewrite(e, [&](const Expr &node) {
    return node.op() == Op::Select && equal(node.arg(0), condition) ? node.arg(holds ? 1 : 2) : node;
  });
}

/// Over symbols, one for each element that is read, as real numbers.
class Reals {
public:
  Expr of(const Expr &e) {
    return rewrite(e, [&](const Expr &node) {
      if (node.op() == Op::Cast && isFloating(node.type()) && isFloating(node.arg(0).type())) return node.arg(0);
      if (node.op() == Op::Cast) return symbolOf(node);
      if (node.op() == Op::Read || node.op() == Op::Symbol) return symbolOf(node);
      if (isFloating(node.type()) && node.type() != Type::Float64 && !node->args.empty()) {
        ExprNode wide = *node;
        wide.type = Type::Float64;
        return Expr(wide);
      }
      return node;
    });
  }

  std::vector<AlgebraSymbol> symbols;

private:
  std::vector<Expr> known;

  Expr symbolOf(const Expr &node) {
    auto at = std::ranges::find_if(known, [&](const Expr &other) { return equal(other, node); });
    const auto number = at - known.begin();
    const std::string name = "v" + std::to_string(number);
    if (at == known.end()) {
      known.push_back(node);
      AlgebraSymbol symbol;
      symbol.name = name;
      symbols.push_back(symbol);
    }
    return Expr::symbol(name, Type::Float64);
  }
};

bool areOne(const Expr &a, const Expr &b) {
  Reals reals;
  const Expr one = reals.of(a), other = reals.of(b);
  return identical(one, other, reals.symbols);
}

/// What has been added, at the state before, scaled.
Expr scaled(const Expr &scale, const Expr &added) {
  return Expr::make(Op::Mul, added.type(), {atBefore(added), scale});
}

/// Is the read one of the element that takes in an extreme's elements?
bool isStateOf(const Expr &read, const ExtremeUpdate &extreme) {
  const std::vector<Expr> &own = extreme.plain.subscripts;
  return (read->name == beforeTurn(extreme.plain.target) || read->name == afterTurn(extreme.plain.target)) &&
         std::equal(own.begin(), own.end(), read->args.begin(), read->args.end(), equal);
}

/// Does the expression see no other extreme?
bool seesOnly(const ExtremeUpdate &extreme, const Expr &e) {
  bool only = true;
  visit(e, [&](const Expr &node) { only = only && ((!isBefore(node) && !isAfter(node)) || isStateOf(node, extreme)); });
  return only;
}

/// Which state of the extreme is the next one where an element is compared to the state before?
std::optional<bool> takesElement(const Expr &condition, const ExtremeUpdate &extreme) {
  if (condition.op() != Op::Lt && condition.op() != Op::Le) return std::nullopt;
  const bool isMax = extreme.monoid == Monoid::Max;
  for (const bool flipped : {false, true}) {
    const Expr &state = condition.arg(flipped ? 1 : 0), &element = condition.arg(flipped ? 0 : 1);
    if (extreme.isWhole && isBefore(state) && isStateOf(state, extreme) && equal(element, extreme.element))
      return flipped != isMax;
  }
  return std::nullopt;
}

Expr withAfter(const Expr &e, const Expr &element) {
  return rewrite(e, [&](const Expr &node) {
    if (!isAfter(node)) return node;
    return element ? element : atBefore(node);
  });
}

/// Moves what one turn has added through a later one. Of the later turn's elements nothing is known but that the same
/// text makes them.
class Mover {
public:
  Mover(const RescaledTurn &aTurn, const RescaledSum &sum) : turn(aTurn), changing(aTurn.changing) {
    for (const Expr &subscript : sum.subscripts) // of one element of the sum
      if (subscript.op() == Op::Symbol && subscript->name != turn.variable) changing.erase(subscript->name);
  }

  /// Where turns take in nothing, what is there stays as it is.
  [[nodiscard]] bool isMovedBy(const Expr &scale, const Expr &added) const {
    Expr a = later(scale), b = added;
    for (const ExtremeUpdate &one : turn.extremes) {
      if (!one.unless) continue;
      if (turn.extremes.size() > 1) return false; // of which others may move there
      const Expr unless = later(one.unless);
      const Expr stays = onSide(a, unless, true), none = onSide(b, one.unless, true);
      if (stays.op() != Op::Real || stays->real != 1 || !addsNothing(none)) return false;
      a = onSide(a, unless, false);
      b = onSide(b, one.unless, false);
    }
    constexpr int choices = 6;
    return isMoved(a, b, choices);
  }

private:
  const RescaledTurn &turn;
  std::set<std::string> changing;

  /// The expression of another turn: what changes has another name.
  [[nodiscard]] Expr later(const Expr &e) const {
    return rewrite(e, [&](const Expr &node) {
      const bool isNamed = node.op() == Op::Symbol || node.op() == Op::Read;
      if (!isNamed || !changing.contains(node->name)) return node;
      ExprNode other = *node;
      other.name += "'";
      return Expr(other);
    });
  }

  [[nodiscard]] bool isMoved(const Expr &scale, const Expr &added, int depth) const {
    const Expr ofScale = outermostChoice(scale), choice = ofScale ? ofScale : outermostChoice(added);
    if (!choice) return areOne(scaled(scale, added), added);
    if (depth == 0) return false;
    const Expr &condition = choice.arg(0);
    if (!seesExtreme(condition))
      return isMoved(onSide(scale, condition, true), onSide(added, condition, true), depth - 1) &&
             isMoved(onSide(scale, condition, false), onSide(added, condition, false), depth - 1);
    if (turn.extremes.size() != 1 || !ofScale) return false;
    ExtremeUpdate extreme = turn.extremes.front();
    extreme.element = later(extreme.element);
    const auto takes = takesElement(condition, extreme);
    if (!takes || !seesOnly(extreme, scale) || !seesOnly(extreme, added)) return false;
    for (const bool holds : {true, false}) { // the element becomes the extreme, or it stays
      const Expr element = holds == *takes ? extreme.element : Expr();
      const Expr a = withAfter(onSide(scale, condition, holds), element);
      if (outermostChoice(a) || outermostChoice(added)) return false;
      if (!areOne(scaled(a, added), withAfter(added, element))) return false;
    }
    return true;
  }
};

/// What is added over the next state of the extreme, where the text asks whether the element becomes it: as it is where
/// it does not, if that gives the same where it does.
Expr overAfter(const Expr &added, const std::vector<ExtremeUpdate> &extremes) {
  const Expr choice = added ? outermostChoice(added) : Expr();
  const auto takes = choice && extremes.size() == 1 ? takesElement(choice.arg(0), extremes.front()) : std::nullopt;
  if (!takes) return added;
  if (!seesOnly(extremes.front(), added)) return {};
  const Expr taken = onSide(added, choice.arg(0), *takes), kept = onSide(added, choice.arg(0), !*takes);
  const Expr general = atAfter(kept);
  const Expr &element = extremes.front().element;
  return areOne(withAfter(general, element), withAfter(taken, element)) ? general : Expr();
}

} // namespace

bool addsNothing(const Expr &e) {
  return e.op() == Op::Cast ? addsNothing(e.arg(0)) : e.op() == Op::Real && e->real == 0;
}

Expr movedBy(const Expr &scale, const RescaledSum &sum, const RescaledTurn &turn) {
  const Expr a = decided(scale, false), finite = decided(sum.added, true);
  const Expr b = overAfter(finite, turn.extremes);
  if (!a || !b) return {};
  bool seesBefore = false;
  visit(b, [&](const Expr &node) { seesBefore = seesBefore || isBefore(node); });
  return !seesBefore && Mover(turn, sum).isMovedBy(a, b) ? overAfter(sum.added, turn.extremes) : Expr();
}

} // namespace polymend
