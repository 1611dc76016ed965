// Conditions on sizes arrive, sizes for which they hold leave. What a result rests on (rows that do not overlap, say)
// and what decides between its kernels are such conditions; sizes are raised until they hold.
#include "run.h"

#include <algorithm>

namespace polymend {

namespace {

/// The value of an integer expression at these sizes, when it is a number.
std::optional<std::int64_t> valueOf(const Expr &e, const Sizes &sizes) {
  const Expr value = simplify(substitute(e, [&](const std::string &name) {
    const auto at = sizes.find(name);
    return at == sizes.end() ? Expr() : Expr::integer(at->second);
  }));
  return value.op() == Op::Integer ? std::optional(value->integer) : std::nullopt;
}

std::optional<bool> compared(const Expr &e, const Sizes &sizes) {
  const auto a = valueOf(e.arg(0), sizes), b = valueOf(e.arg(1), sizes);
  if (!a || !b) return std::nullopt;
  return e.op() == Op::Lt ? *a < *b : e.op() == Op::Le ? *a <= *b : e.op() == Op::Eq ? *a == *b : *a != *b;
}

/// The first part of a conjunction that does not hold.
Expr violated(const Expr &condition, const Sizes &sizes) {
  if (condition.op() != Op::And) return holds(condition, sizes).value_or(true) ? Expr() : condition;
  const Expr first = violated(condition.arg(0), sizes);
  return first ? first : violated(condition.arg(1), sizes);
}

/// How far `part` is from holding: at least 1 where it does not.
std::int64_t missing(const Expr &part, const Sizes &sizes) {
  if (part.op() != Op::Lt && part.op() != Op::Le) return 1;
  const auto a = valueOf(part.arg(0), sizes), b = valueOf(part.arg(1), sizes);
  return a && b ? std::max<std::int64_t>(1, *a - *b + (part.op() == Op::Lt ? 1 : 0)) : 1;
}

/// The sizes with one of them raised so far that the part holds: by what is missing, then ever further. The least sum
/// of all sizes is taken. A size that is said to equal something becomes that.
std::optional<Sizes> raised(const Expr &part, const Sizes &sizes) {
  constexpr std::int64_t far = 1 << 14;
  if (part.op() == Op::Eq && part.arg(0).op() == Op::Symbol && sizes.contains(part.arg(0)->name)) {
    const auto value = valueOf(part.arg(1), sizes);
    if (!value) return std::nullopt;
    Sizes defined = sizes;
    defined[part.arg(0)->name] = *value;
    return defined;
  }
  std::optional<Sizes> best;
  const auto total = [](const Sizes &all) {
    std::int64_t sum = 0;
    for (const auto &[name, value] : all) sum += value;
    return sum;
  };
  for (const std::string &name : symbols(part)) {
    if (!sizes.contains(name)) continue;
    for (std::int64_t more = missing(part, sizes); more <= far; more *= 2) {
      Sizes changed = sizes;
      changed[name] += more;
      if (!holds(part, changed).value_or(false)) continue;
      if (!best || total(changed) < total(*best)) best = changed;
      break;
    }
  }
  return best;
}

} // namespace

std::optional<bool> holds(const Expr &condition, const Sizes &sizes) {
  if (!condition) return true;
  switch (condition.op()) {
  case Op::And:
  case Op::Or: {
    const auto a = holds(condition.arg(0), sizes), b = holds(condition.arg(1), sizes);
    if (!a || !b) return std::nullopt;
    return condition.op() == Op::And ? *a && *b : *a || *b;
  }
  case Op::Not: {
    const auto a = holds(condition.arg(0), sizes);
    return a ? std::optional(!*a) : std::nullopt;
  }
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne: return compared(condition, sizes);
  default: {
    const auto value = valueOf(condition, sizes);
    return value ? std::optional(*value != 0) : std::nullopt;
  }
  }
}

std::optional<Sizes> repaired(const Expr &condition, const Sizes &sizes) {
  constexpr int most = 32;
  Sizes now = sizes;
  for (int k = 0; condition && k < most; ++k) {
    const Expr part = violated(condition, now);
    if (!part) return now;
    const auto next = raised(part, now);
    if (!next) return std::nullopt;
    now = *next;
  }
  return condition ? std::nullopt : std::optional(now);
}

Sizes withDerived(const CheckedFunction &checked, Sizes sizes) {
  for (const auto &[name, meaning] : checked.function.derived) {
    sizes.try_emplace(name, 0);
    sizes = repaired(Expr::make(Op::Eq, {Expr::symbol(name, Type::Int64), meaning}), sizes).value_or(sizes);
  }
  return sizes;
}

} // namespace polymend
