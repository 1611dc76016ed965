// Simplifies integer expressions as integers of Z: sums become linear forms over atoms (anything that is no sum),
// constants are folded, neutral terms go. Arithmetic that would overflow 64 bits stays as it was written.
// Floating-point nodes are never touched, only their integer subtrees.
#include "polymend/expr.h"

#include <algorithm>
#include <optional>

namespace polymend {

namespace {

struct Linear {
  std::vector<std::pair<Expr, std::int64_t>> terms;
  std::int64_t constant = 0;
  bool exact = true;
};

void addTo(std::int64_t &sum, std::int64_t value, bool &exact) {
  std::int64_t result = 0;
  exact = exact && !__builtin_add_overflow(sum, value, &result);
  sum = result;
}

std::int64_t times(std::int64_t a, std::int64_t b, bool &exact) {
  std::int64_t result = 0;
  exact = exact && !__builtin_mul_overflow(a, b, &result);
  return result;
}

void addAtom(Linear &sum, const Expr &atom, std::int64_t factor) {
  for (auto &[term, coefficient] : sum.terms)
    if (equal(term, atom)) return addTo(coefficient, factor, sum.exact);
  sum.terms.emplace_back(atom, factor);
}

/// Adds factor * e to sum; e's own arguments are simplified already.
void collect(Linear &sum, const Expr &e, std::int64_t factor) {
  if (e.op() == Op::Integer) return addTo(sum.constant, times(e->integer, factor, sum.exact), sum.exact);
  if (isInteger(e.type()) && e.op() == Op::Neg) return collect(sum, e.arg(0), times(factor, -1, sum.exact));
  if (isInteger(e.type()) && (e.op() == Op::Add || e.op() == Op::Sub)) {
    collect(sum, e.arg(0), factor);
    return collect(sum, e.arg(1), e.op() == Op::Add ? factor : times(factor, -1, sum.exact));
  }
  if (isInteger(e.type()) && e.op() == Op::Mul) {
    for (const std::size_t i : {0U, 1U})
      if (e.arg(i).op() == Op::Integer) return collect(sum, e.arg(1 - i), times(factor, e.arg(i)->integer, sum.exact));
  }
  addAtom(sum, e, factor);
}

Expr scaled(const Expr &atom, std::int64_t factor, Type type) {
  return factor == 1 ? atom : Expr::make(Op::Mul, type, {Expr::integer(factor, type), atom});
}

/// The sum as an expression, a positive term first where there is one, the constant last.
Expr rebuild(Linear sum, Type type) {
  std::erase_if(sum.terms, [](const auto &term) { return term.second == 0; });
  const auto positive =
      std::find_if(sum.terms.begin(), sum.terms.end(), [](const auto &term) { return term.second > 0; });
  if (positive != sum.terms.end()) std::rotate(sum.terms.begin(), positive, positive + 1);
  Expr result;
  for (const auto &[atom, factor] : sum.terms) {
    if (!result)
      result = factor == -1 ? Expr::make(Op::Neg, type, {atom}) : scaled(atom, factor, type);
    else if (factor > 0)
      result = Expr::make(Op::Add, type, {result, scaled(atom, factor, type)});
    else
      result = Expr::make(Op::Sub, type, {result, scaled(atom, -factor, type)});
  }
  if (!result) return Expr::integer(sum.constant, type);
  if (sum.constant == 0) return result;
  const bool negative = sum.constant < 0;
  return Expr::make(negative ? Op::Sub : Op::Add, type,
                    {result, Expr::integer(negative ? -sum.constant : sum.constant, type)});
}

Expr simplifySum(const Expr &e) {
  Linear sum;
  collect(sum, e, 1);
  for (const auto &term : sum.terms) sum.exact = sum.exact && term.second != INT64_MIN;
  if (!sum.exact || sum.constant == INT64_MIN) return e;
  return rebuild(std::move(sum), e.type());
}

std::optional<std::int64_t> valueOf(const Expr &e) {
  return e.op() == Op::Integer ? std::optional(e->integer) : std::nullopt;
}

std::int64_t floorOf(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

std::optional<std::int64_t> divide(Op op, std::int64_t a, std::int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  switch (op) {
  case Op::Div: return a / b;
  case Op::Mod: return a % b;
  case Op::FloorDiv: return floorOf(a, b);
  default: return a - floorOf(a, b) * b;
  }
}

std::optional<std::int64_t> fold(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
  case Op::Div:
  case Op::Mod:
  case Op::FloorDiv:
  case Op::FloorMod: return divide(op, a, b);
  case Op::BitAnd: return a & b;
  case Op::BitOr: return a | b;
  case Op::BitXor: return a ^ b;
  case Op::Min: return std::min(a, b);
  case Op::Max: return std::max(a, b);
  case Op::Lt: return a < b ? 1 : 0;
  case Op::Le: return a <= b ? 1 : 0;
  case Op::Eq: return a == b ? 1 : 0;
  case Op::Ne: return a != b ? 1 : 0;
  case Op::And: return a != 0 && b != 0 ? 1 : 0;
  case Op::Or: return a != 0 || b != 0 ? 1 : 0;
  default: return std::nullopt;
  }
}

/// a / b where b > 1 divides every term of the sum a; absent: it does not.
std::optional<Expr> exactQuotient(const Expr &a, std::int64_t b, Type type) {
  Linear sum;
  collect(sum, a, 1);
  if (!sum.exact || b <= 1 || sum.constant % b != 0) return std::nullopt;
  sum.constant /= b;
  for (auto &term : sum.terms) {
    if (term.second % b != 0) return std::nullopt;
    term.second /= b;
  }
  return rebuild(std::move(sum), type);
}

void operandsOf(Op op, const Expr &e, std::vector<Expr> &operands) {
  if (e.op() == op)
    for (const Expr &arg : e->args) operandsOf(op, arg, operands);
  else
    operands.push_back(e);
}

/// A minimum of minima, or maximum of maxima, of each operand and one number.
Expr withoutRepeats(const Expr &e) {
  std::vector<Expr> all, different;
  operandsOf(e.op(), e, all);
  for (const Expr &operand : all) {
    const auto value = valueOf(operand);
    const auto same = std::find_if(different.begin(), different.end(), [&](const Expr &other) {
      return value ? valueOf(other).has_value() : equal(operand, other);
    });
    if (same == different.end())
      different.push_back(operand);
    else if (value)
      *same = Expr::integer(*fold(e.op(), *valueOf(*same), *value), e.type());
  }
  if (different.size() == all.size()) return e;
  Expr result = different.front();
  for (std::size_t i = 1; i < different.size(); ++i) result = Expr::make(e.op(), e.type(), {result, different[i]});
  return result;
}

bool isShift(Op op) { return op == Op::ShiftLeft || op == Op::ShiftRight; }

Expr simplifyBinary(const Expr &e) {
  const auto a = valueOf(e.arg(0));
  const auto b = valueOf(e.arg(1));
  if (a && b) {
    const auto value = fold(e.op(), *a, *b);
    return value ? Expr::integer(*value, e.type()) : e;
  }
  if (e.op() == Op::Min || e.op() == Op::Max) return withoutRepeats(e);
  if ((e.op() == Op::Div || e.op() == Op::FloorDiv) && b == 1) return e.arg(0);
  if ((e.op() == Op::Mod || e.op() == Op::FloorMod) && b == 1) return Expr::integer(0, e.type());
  const bool divides = e.op() == Op::Div || e.op() == Op::FloorDiv || e.op() == Op::Mod || e.op() == Op::FloorMod;
  if (divides && b)
    if (const auto quotient = exactQuotient(e.arg(0), *b, e.type()))
      return e.op() == Op::Div || e.op() == Op::FloorDiv ? *quotient : Expr::integer(0, e.type());
  if ((e.op() == Op::BitOr || e.op() == Op::BitXor || isShift(e.op())) && b == 0) return e.arg(0);
  if (e.op() == Op::BitAnd && b == -1) return e.arg(0);
  if (e.op() == Op::BitAnd && b == 0) return Expr::integer(0, e.type());
  if (e.op() == Op::And && a) return *a != 0 ? e.arg(1) : e.arg(0);
  if (e.op() == Op::And && b) return *b != 0 ? e.arg(0) : e.arg(1);
  if (e.op() == Op::Or && a) return *a != 0 ? e.arg(0) : e.arg(1);
  if (e.op() == Op::Or && b) return *b != 0 ? e.arg(1) : e.arg(0);
  return e;
}

Expr simplifyCast(const Expr &e) {
  const Expr &value = e.arg(0);
  if (value.type() == e.type()) return value;
  const bool fits = e.type() == Type::Int64 || (value->integer >= INT32_MIN && value->integer <= INT32_MAX);
  return value.op() == Op::Integer && fits ? Expr::integer(value->integer, e.type()) : e;
}

bool overIntegers(const Expr &e) {
  return std::none_of(e->args.begin(), e->args.end(), [](const Expr &arg) { return isFloating(arg.type()); });
}

Expr simplifyNode(const Expr &e) {
  if ((!isInteger(e.type()) && e.type() != Type::Bool) || !overIntegers(e)) return e;
  switch (e.op()) {
  case Op::Neg:
  case Op::Add:
  case Op::Sub:
  case Op::Mul: return simplifySum(e);
  case Op::Cast: return isInteger(e.type()) ? simplifyCast(e) : e;
  case Op::Not: return e.arg(0).op() == Op::Integer ? Expr::integer(e.arg(0)->integer == 0 ? 1 : 0, Type::Bool) : e;
  case Op::Select:
    if (e.arg(0).op() == Op::Integer) return e.arg(e.arg(0)->integer != 0 ? 1 : 2);
    return equal(e.arg(1), e.arg(2)) ? e.arg(1) : e;
  default: return e->args.size() == 2 && e.op() != Op::Read && e.op() != Op::Call ? simplifyBinary(e) : e;
  }
}

} // namespace

Expr simplify(const Expr &e) { return rewrite(e, simplifyNode); }

} // namespace polymend
