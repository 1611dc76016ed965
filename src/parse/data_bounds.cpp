// Bounds that read arrays, or are not affine in loop variables. What they read becomes a data size: a parameter of the
// model, whose value is known where the loops around stand. A first value that is read moves the loop: its variable
// counts from there, so that [r[i], r[i + 1]) is [0, r[i + 1] - r[i]) with r[i] + variable in the place of the source's
// variable. What is affine stays beside what is read: min(n, length[b]) and length[b] - i are min(n, L) and L - i.
#include "ranges.h"
#include "reader.h"

#include <algorithm>

namespace polymend {

namespace {

/// Whether e is made of integers, symbols, operations on them and elements of integer arrays; where it has
/// such elements, of choices as well.
bool isOverData(const Expr &e) {
  bool allowed = true;
  visit(e, [&](const Expr &node) {
    const bool arithmetic = node.op() >= Op::Neg && node.op() <= Op::Max;
    const bool leaf = node.op() == Op::Integer || node.op() == Op::Symbol || node.op() == Op::Read;
    const bool chosen = node.op() == Op::Cast || (node.op() == Op::Select && reads(e));
    const bool condition = node.type() == Type::Bool && node.op() >= Op::Lt && node.op() <= Op::Not;
    const bool isElement = node.op() == Op::Read && isShort(node.type());
    allowed = allowed && (condition || isElement || (isInteger(node.type()) && (arithmetic || leaf || chosen)));
  });
  return allowed;
}

bool isSum(const Expr &e) { return e.op() == Op::Add || e.op() == Op::Sub || e.op() == Op::Neg; }

/// Does it read arrays, or is it not affine in loop variables? Then its value is known where the loops around stand.
bool isOpaque(const Expr &e, const Knowledge &knowledge) { return reads(e) || !isAffine(e, knowledge); }

/// The opaque terms of a sum, added to `opaque`, and the others, added to `rest`; either may stay absent.
void split(const Expr &e, bool negative, const Knowledge &knowledge, Expr &opaque, Expr &rest) {
  if (isSum(e) && isOpaque(e, knowledge)) {
    split(e.arg(0), negative != (e.op() == Op::Neg), knowledge, opaque, rest);
    if (e.op() != Op::Neg) split(e.arg(1), negative != (e.op() == Op::Sub), knowledge, opaque, rest);
    return;
  }
  Expr &sum = isOpaque(e, knowledge) ? opaque : rest;
  const Expr term = negative ? Expr::make(Op::Neg, {e}) : e;
  sum = sum ? sum + term : term;
}

/// What the type of the elements says of a sum of so many of them.
Interval reachOf(const Expr &value) {
  constexpr Wide word = Wide{1} << 32;
  Wide terms = 0;
  bool narrow = true;
  visit(value, [&](const Expr &node) {
    const bool isNarrow = node.type() == Type::Int32 || isShort(node.type());
    narrow = narrow && (node.op() == Op::Read ? isNarrow : isSum(node) || node.op() == Op::Cast || node->args.empty());
    terms += node.op() == Op::Read ? 1 : 0;
    if (node.op() == Op::Integer) terms += 1;
  });
  return narrow ? Interval{-word * terms, word * terms} : Interval{INT64_MIN, INT64_MAX};
}

} // namespace

void Reader::checkBound(const Expr &bound, const SourceRange &where) {
  if (isBound(bound)) return;
  if (comesFromReal(bound))
    refuse("a bound made from a floating-point value is not supported: take it as a parameter", where);
  if (!isOverData(bound)) refuse("a bound is no expression over parameters and loop variables", where);
  visit(bound, [&](const Expr &node) {
    if (node.op() == Op::Read && asWords.contains(node->name))
      refuse("'" + show(bound) + "' may be negative and wrap around in an unsigned type", where);
  });
  freeze(bound, where);
}

Expr Reader::dataSize(const Expr &value, const std::string &name, const SourceRange &where) {
  const auto known = std::find_if(function.dataSizes.begin(), function.dataSizes.end(),
                                  [&](const DataSize &data) { return equal(data.value, value); });
  if (known != function.dataSizes.end()) return Expr::symbol(known->name, Type::Int64);
  function.dataSizes.push_back({unique(name), value, where});
  knowledge.parameters[function.dataSizes.back().name] = reachOf(value);
  return Expr::symbol(function.dataSizes.back().name, Type::Int64);
}

/// The bound with data sizes for what it reads.
Expr Reader::measured(const Expr &bound, const std::string &name, const SourceRange &where) {
  if (!isOpaque(bound, knowledge)) return bound;
  if (bound.op() == Op::Min || bound.op() == Op::Max)
    return Expr::make(bound.op(), Type::Int64,
                      {measured(bound.arg(0), name, where), measured(bound.arg(1), name, where)});
  Expr opaque, rest;
  split(bound, false, knowledge, opaque, rest);
  const Expr data = simplify(opaque);
  const bool chooses = data.op() == Op::Min || data.op() == Op::Max;
  const Expr size = chooses ? measured(data, name, where) : dataSize(data, name, where);
  return rest ? simplify(size + rest) : size;
}

bool Reader::isMeasured(const Loop &loop) const {
  return isOpaque(loop.first, knowledge) || isOpaque(loop.limit, knowledge);
}

/// Gives a loop whose bounds are opaque bounds over data sizes; the result is what its source's variable is, where
/// `symbol` is its own.
Expr Reader::measure(Loop &loop, const Expr &symbol) {
  if (loop.step < 0) refuse("a loop whose bounds are read from arrays counts down", loop.where);
  const std::string name = loop.sourceName + "_end";
  if (!isOpaque(loop.first, knowledge)) {
    loop.limit = simplify(measured(loop.limit, name, loop.where));
    return symbol;
  }
  loop.origin = loop.first;
  loop.first = Expr::integer(0);
  loop.limit = simplify(measured(simplify(loop.limit - loop.origin), loop.sourceName + "_count", loop.where));
  return loop.origin + symbol;
}

} // namespace polymend
