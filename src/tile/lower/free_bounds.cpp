#include "free_bounds.h"

#include <algorithm>

namespace polymend {

namespace {

enum class End { Least, Most };

End other(End end) { return end == End::Least ? End::Most : End::Least; }

std::optional<Expr> endOf(const std::set<std::string> &variables, const Expr &e, End end) {
  if (std::ranges::none_of(symbols(e), [&](const std::string &name) { return variables.contains(name); })) return e;
  const auto both = [&](End second) -> std::optional<Expr> {
    const auto a = endOf(variables, e.arg(0), end), b = endOf(variables, e.arg(1), second);
    return a && b ? std::optional(Expr::make(e.op(), e.type(), {*a, *b})) : std::nullopt;
  };
  switch (e.op()) {
  case Op::Add:
  case Op::Min:
  case Op::Max: return both(end);
  case Op::Sub: return both(other(end));
  case Op::Neg: {
    const auto a = endOf(variables, e.arg(0), other(end));
    return a ? std::optional(Expr::make(Op::Neg, e.type(), {*a})) : std::nullopt;
  }
  case Op::Mul:
    for (const std::size_t factor : {std::size_t{0}, std::size_t{1}}) {
      if (e.arg(factor).op() != Op::Integer) continue;
      const auto a = endOf(variables, e.arg(1 - factor), e.arg(factor)->integer < 0 ? other(end) : end);
      return a ? std::optional(Expr::make(Op::Mul, e.type(), {e.arg(factor), *a})) : std::nullopt;
    }
    return std::nullopt;
  case Op::FloorDiv: {
    if (e.arg(1).op() != Op::Integer || e.arg(1)->integer < 1) return std::nullopt;
    const auto a = endOf(variables, e.arg(0), end);
    return a ? std::optional(Expr::make(Op::FloorDiv, e.type(), {*a, e.arg(1)})) : std::nullopt;
  }
  case Op::FloorMod:
    if (e.arg(1).op() != Op::Integer || e.arg(1)->integer < 1) return std::nullopt;
    return Expr::integer(end == End::Least ? 0 : e.arg(1)->integer - 1, e.type());
  default: return std::nullopt;
  }
}

} // namespace

std::optional<Expr> leastOver(const std::set<std::string> &variables, const Expr &e) {
  const auto end = endOf(variables, e, End::Least);
  return end ? std::optional(simplify(*end)) : std::nullopt;
}

std::optional<Expr> mostOver(const std::set<std::string> &variables, const Expr &e) {
  const auto end = endOf(variables, e, End::Most);
  return end ? std::optional(simplify(*end)) : std::nullopt;
}

} // namespace polymend
