// A part that is open becomes a choice, by a condition of its own that nothing knows, between the least and the largest
// number of its type; what is known of it is put around that as a minimum and a maximum. The arithmetic of intervals
// then bounds the whole, where clamps hold every such choice from both sides.
#include "clamped.h"

#include "polymend/element_types.h"

#include <algorithm>

namespace polymend {
namespace {

constexpr const char *anything = "anything ";

/// From which sides is a value bounded?
struct Sides {
  bool below = true, above = true;
  [[nodiscard]] Sides both(const Sides &other) const { return {below && other.below, above && other.above}; }
  [[nodiscard]] bool all() const { return below && above; }
};

bool isAnything(const Expr &e) { return e.op() == Op::Select && e.arg(0)->name.starts_with(anything); }

Sides sidesOf(const Expr &e) {
  if (isAnything(e)) return {false, false};
  std::vector<Sides> args;
  for (const Expr &arg : e->args) args.push_back(sidesOf(arg));
  Sides all;
  for (const Sides &one : args) all = all.both(one);
  switch (e.op()) {
  case Op::Min: return {all.below, std::ranges::any_of(args, [](const Sides &one) { return one.above; })};
  case Op::Max: return {std::ranges::any_of(args, [](const Sides &one) { return one.below; }), all.above};
  case Op::Add:
  case Op::Cast:
  case Op::Select: return all;
  case Op::Sub: return {args[0].below && args[1].above, args[0].above && args[1].below};
  case Op::Neg: return {args[0].above, args[0].below};
  case Op::FloorMod:
  case Op::Mod: return args[1];
  default: return {all.all(), all.all()};
  }
}

/// e = part + number; absent: it is nothing of that kind.
std::optional<std::int64_t> beyond(const Expr &e, const Expr &part) {
  if (equal(e, part)) return 0;
  if (e.op() == Op::Cast && isInteger(e.arg(0).type()) && holds(limitsOf(e.type()), limitsOf(e.arg(0).type())))
    return beyond(e.arg(0), part);
  const bool moves = (e.op() == Op::Add || e.op() == Op::Sub) && e.arg(1).op() == Op::Integer;
  if (!moves) return std::nullopt;
  const auto inner = beyond(e.arg(0), part);
  const std::int64_t number = e.arg(1)->integer;
  if (!inner || std::abs(number) > (1 << 30)) return std::nullopt;
  return *inner + (e.op() == Op::Add ? number : -number);
}

class Clamper {
public:
  Clamper(const Expr &v, int r, const std::function<bool(const Expr &)> &open) : value(v), read(r), isOpen(open) {}
  std::optional<std::vector<Expr>> run(const std::vector<Expr> &subscripts);

private:
  bool reach(const Expr &e);
  void know(const Expr &condition, bool holds);
  [[nodiscard]] bool hasOpen(const Expr &e) const;
  [[nodiscard]] Expr closed(const Expr &e);
  [[nodiscard]] Expr within(const Expr &part);

  const Expr &value;
  const int read;
  const std::function<bool(const Expr &)> &isOpen;
  std::vector<std::pair<Expr, bool>> facts; // conditions, and whether they hold
  std::vector<Expr> parts;                  // that are open
};

bool Clamper::hasOpen(const Expr &e) const {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || isOpen(node); });
  return found;
}

void Clamper::know(const Expr &condition, bool holds) {
  if (condition.op() == Op::Not) return know(condition.arg(0), !holds);
  if (condition.op() == (holds ? Op::And : Op::Or)) {
    for (const Expr &arg : condition->args) know(arg, holds);
    return;
  }
  facts.emplace_back(condition, holds);
}

/// Finds the read, with what holds where it is evaluated.
bool Clamper::reach(const Expr &e) {
  if (e.op() == Op::Read && e->access == read) return true;
  const std::size_t known = facts.size();
  for (std::size_t k = 0; k < e->args.size(); ++k) {
    if (e.op() == Op::Select && k > 0) know(e.arg(0), k == 1);
    if ((e.op() == Op::And || e.op() == Op::Or) && k > 0) know(e.arg(k - 1), e.op() == Op::And);
    if (reach(e.arg(k))) return true;
    if (e.op() == Op::Select || k + 1 == e->args.size()) facts.resize(known);
  }
  return false;
}

/// Any number of the part's type, within what comparisons say.
Expr Clamper::within(const Expr &part) {
  const auto at = std::ranges::find_if(parts, [&](const Expr &one) { return equal(one, part); });
  const auto number = static_cast<std::size_t>(at - parts.begin());
  if (at == parts.end()) parts.push_back(part);
  const Interval limits = limitsOf(part.type());
  Expr any = Expr::make(Op::Select, part.type(),
                        {Expr::symbol(anything + std::to_string(number), Type::Bool), Expr::integer(*limits.low()),
                         Expr::integer(*limits.high())});
  for (const auto &[fact, holds] : facts) {
    if (fact.op() != Op::Lt && fact.op() != Op::Le && !(fact.op() == Op::Eq && holds)) continue;
    if (!isInteger(fact.arg(0).type()) || !isInteger(fact.arg(1).type())) continue;
    const auto left = beyond(fact.arg(0), part), right = beyond(fact.arg(1), part);
    const Expr &other = left ? fact.arg(1) : fact.arg(0);
    if (static_cast<bool>(left) == static_cast<bool>(right) || hasOpen(other)) continue;
    const Expr bound = other - Expr::integer(left ? *left : *right);
    // part + c < other; or, where that does not hold, part + c >= other
    const bool isStrict = (fact.op() == Op::Lt) == holds;
    const bool isUpper = static_cast<bool>(left) == holds;
    const Expr end = !isStrict || fact.op() == Op::Eq ? bound : bound + Expr::integer(isUpper ? -1 : 1);
    if (isUpper || fact.op() == Op::Eq) any = Expr::make(Op::Min, Type::Int64, {any, end});
    if (!isUpper || fact.op() == Op::Eq) any = Expr::make(Op::Max, Type::Int64, {any, end});
  }
  return any;
}

Expr Clamper::closed(const Expr &e) {
  if (isOpen(e)) return within(e);
  if (!hasOpen(e)) return e;
  ExprNode node = *e;
  for (Expr &arg : node.args) arg = closed(arg);
  return Expr(node);
}

std::optional<std::vector<Expr>> Clamper::run(const std::vector<Expr> &subscripts) {
  if (std::ranges::none_of(subscripts, [&](const Expr &e) { return hasOpen(e); }) || !reach(value)) return std::nullopt;
  int times = 0;
  visit(value, [&](const Expr &e) { times += e.op() == Op::Read && e->access == read ? 1 : 0; });
  if (times > 1) facts.clear(); // what holds at one place need not at another
  std::vector<Expr> result;
  for (const Expr &subscript : subscripts) {
    result.push_back(closed(subscript));
    if (!sidesOf(result.back()).all()) return std::nullopt;
  }
  return result;
}

} // namespace

std::optional<std::vector<Expr>> clamped(const std::vector<Expr> &subscripts, const Expr &value, int read,
                                         const std::function<bool(const Expr &)> &isOpen) {
  return Clamper(value, read, isOpen).run(subscripts);
}

} // namespace polymend
