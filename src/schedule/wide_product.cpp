// What counts as a product is what the target's matrix units take.
#include "wide_product.h"

#include "polymend/factors.h"

#include <algorithm>

namespace polymend {
namespace {

/// Are all factors widened from 16 bits? With one allowed to be rounded: is one?
bool hasNarrowFactors(const Expr &value, const ScheduleOptions &options) {
  const std::vector<Expr> factors = factorsOf(value);
  const auto narrow = std::count_if(factors.begin(), factors.end(), [](const Expr &e) { return bool(narrowOf(e)); });
  const bool all = narrow == static_cast<std::ptrdiff_t>(factors.size());
  return narrow >= options.narrowFactors && (options.narrowFactors == 1 || all);
}

/// Are the factors of the sum's own type, one that matrix units multiply?
bool hasOwnFactors(const Equation &e, const ScheduleOptions &options) {
  const bool taken = e.type == Type::Float64 || (e.type == Type::Float32 && options.narrowFactors == 1);
  return taken && e.value.op() == Op::Mul && e.value.arg(0).op() != Op::Cast && e.value.arg(1).op() != Op::Cast;
}

} // namespace

bool takesNarrowUnits(const Equation &e, const ScheduleOptions &options) {
  if (options.narrowFactors == 0 || e.monoid != Monoid::Sum) return false;
  return hasNarrowFactors(e.value, options) || (options.narrowFactors == 1 && hasOwnFactors(e, options));
}

bool isWideProduct(const Equation &e, const std::vector<int> &rows, const ScheduleOptions &options) {
  if (options.narrowFactors == 0 || e.monoid != Monoid::Sum) return false;
  if (!hasNarrowFactors(e.value, options) && !hasOwnFactors(e, options)) return false;
  const std::int64_t widest = e.type == Type::Float64 ? 128 : 256;
  for (unsigned d = 0; d < e.keys; ++d) {
    if (std::find(rows.begin(), rows.end(), static_cast<int>(d)) != rows.end()) continue;
    if (constantExtent(e.keyDomain, d).value_or(widest + 1) > widest) return true;
  }
  return false;
}

} // namespace polymend
