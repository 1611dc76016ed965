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

} // namespace

Expr withoutLets(Expr value, const std::vector<std::pair<std::string, Expr>> &lets) {
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    value = substitute(value, [&](const std::string &name) { return name == let->first ? let->second : Expr(); });
  return simplify(value);
}

std::int64_t copiedAt(const TilePoints &copy, const RectangularKernel &kernel) {
  const TileAssign &assign = copy.body[0];
  Divisors known;
  for (const auto &[name, value] : kernel.lets) known[name] = divisorOf(simplify(value), known);
  if (kernel.loop)
    known[kernel.loop->variable] = std::gcd(divisorOf(simplify(kernel.loop->first), known), kernel.loop->step);
  for (const Expr &own : assign.target.subscripts)
    if (own.op() == Op::Symbol) known[own->name] = 0;
  return divisorOf(simplify(assign.value->args.back()), known);
}

} // namespace polymend
