// Where copied tiles begin: chunks of 16 bytes are copied from addresses that are multiples of 16 bytes.
#include "tile/matrix.h"

#include <map>
#include <numeric>

namespace polymend {
namespace {

/// By name, a number that divides a symbol's value.
using Divisors = std::map<std::string, std::int64_t>;

/// A divisor of the value of `e`, 0 where it is always zero.
std::int64_t divisorOf(const Expr &e, const Divisors &known) {
  const auto of = [&](std::size_t i) { return divisorOf(e.arg(i), known); };
  switch (e.op()) {
  case Op::Integer: return e->integer;
  case Op::Symbol: return known.contains(e->name) ? known.at(e->name) : 1;
  case Op::Neg: return of(0);
  case Op::Add:
  case Op::Sub:
  case Op::Min:
  case Op::Max: return std::gcd(of(0), of(1));
  case Op::Select: return std::gcd(of(1), of(2));
  case Op::Mul: return of(0) * of(1);
  default: return 1;
  }
}

/// Divisors of what the kernel names at a grid point, and of where its chunks begin.
Divisors divisorsIn(const RectangularKernel &kernel) {
  Divisors known;
  for (const auto &[name, value] : kernel.lets) known[name] = divisorOf(simplify(value), known);
  if (kernel.loop)
    known[kernel.loop->variable] = std::gcd(divisorOf(simplify(kernel.loop->first), known), kernel.loop->step);
  return known;
}

/// An integer without the conversions to 64 bits that keep it.
Expr inLong(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    const bool keeps = node.op() == Op::Cast && node.type() == Type::Int64 && isInteger(node.arg(0).type());
    return keeps ? node.arg(0) : node;
  });
}

/// A shift or mask of bits as the quotient or remainder that it is.
Expr asDivision(const Expr &e) {
  const bool byNumber = e->args.size() == 2 && e.arg(1).op() == Op::Integer;
  const std::int64_t number = byNumber ? e.arg(1)->integer : 0;
  const auto over = [&](Op op, std::int64_t by) { return Expr::make(op, Type::Int64, {e.arg(0), Expr::integer(by)}); };
  constexpr std::int64_t mostBits = 30;
  if (byNumber && e.op() == Op::ShiftRight && 0 <= number && number <= mostBits)
    return over(Op::FloorDiv, std::int64_t{1} << number);
  const bool isMask = byNumber && e.op() == Op::BitAnd && 0 < number && number < (std::int64_t{1} << mostBits) &&
                      (number & (number + 1)) == 0;
  return isMask ? over(Op::FloorMod, number + 1) : e;
}

/// A quotient or remainder by `by` of `rest` + `row`, where `known` divides the rest, and rows are fewer than `rows`.
Expr apart(const Expr &node, const Expr &rest, const Expr &row, std::int64_t known, std::int64_t rows) {
  const std::int64_t by = node.arg(1)->integer;
  const bool isQuotient = node.op() == Op::FloorDiv || node.op() == Op::Div;
  const auto over = [&](const Expr &e) {
    return simplify(Expr::make(isQuotient ? Op::FloorDiv : Op::FloorMod, Type::Int64, {e, Expr::integer(by)}));
  };
  if (known % by == 0) return isQuotient ? over(rest) + over(row) : over(row);
  if (by % rows == 0 && known % rows == 0) return isQuotient ? over(rest) : over(rest) + row;
  return node;
}

} // namespace

Expr withRowsApart(const Expr &subscript, const Expr &row, std::int64_t rows, const RectangularKernel &kernel) {
  const Divisors known = divisorsIn(kernel);
  const Expr chunk = Expr::symbol(kernel.loop->variable, Type::Int64);
  return rewrite(subscript, [&](const Expr &e) {
    const Expr node = asDivision(e);
    const bool floors = node.op() == Op::FloorDiv || node.op() == Op::FloorMod;
    const bool truncates = node.op() == Op::Div || node.op() == Op::Mod;
    if ((!floors && !truncates) || !isInteger(node.type()) || !symbols(node.arg(0)).contains(row->name)) return e;
    if (node.arg(1).op() != Op::Integer || node.arg(1)->integer <= 0) return e;
    const Expr rest = simplify(inLong(node.arg(0)) - row);
    // C rounds towards zero, which is downwards for what is not negative: a chunk of a dense loop and its rows.
    const bool isNatural = kernel.loop->isDense && equal(rest, chunk);
    if (symbols(rest).contains(row->name) || (truncates && !isNatural)) return e;
    return apart(node, rest, row, divisorOf(rest, known), rows);
  });
}

Expr withoutLets(Expr value, const std::vector<std::pair<std::string, Expr>> &lets) {
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    value = substitute(value, [&](const std::string &name) { return name == let->first ? let->second : Expr(); });
  return simplify(value);
}

std::int64_t copiedAt(const TilePoints &copy, const RectangularKernel &kernel) {
  const TileAssign &assign = copy.body[0];
  Divisors known = divisorsIn(kernel);
  for (const Expr &own : assign.target.subscripts)
    if (own.op() == Op::Symbol) known[own->name] = 0;
  return divisorOf(simplify(assign.value->args.back()), known);
}

} // namespace polymend
