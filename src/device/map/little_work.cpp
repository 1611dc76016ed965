// An estimate converts and multiplies its sizes, and divides by some; before it has been asked, a loop over four
// elements would be done. The most that sizes below a bound bring is looked for where each is 1, the bound, or half of
// it.
#include "little_work.h"

#include <algorithm>
#include <cmath>

namespace polymend::device_room {

namespace {

constexpr std::int64_t largest = 64, smallest = 4;
constexpr std::size_t mostSizes = 6;

/// The work over arguments: what derived sizes are is told by others.
Expr overArguments(const Function &function, Expr work) {
  for (auto derived = function.derived.rbegin(); derived != function.derived.rend(); ++derived)
    work = substitute(work, [&](const std::string &name) { return name == derived->first ? derived->second : Expr(); });
  return work;
}

using Sizes = std::map<std::string, std::int64_t>;

/// An estimate's value, in which quotients need not be rounded as the program's are; NaN: it is not known.
double valueOf(const Expr &e, const Sizes &sizes) {
  const auto arg = [&](std::size_t k) { return valueOf(e.arg(k), sizes); };
  switch (e.op()) {
  case Op::Integer: return static_cast<double>(e->integer);
  case Op::Real: return e->real;
  case Op::Symbol: return static_cast<double>(sizes.at(e->name));
  case Op::Cast: return arg(0);
  case Op::Neg: return -arg(0);
  case Op::Add: return arg(0) + arg(1);
  case Op::Sub: return arg(0) - arg(1);
  case Op::Mul: return arg(0) * arg(1);
  case Op::Div: return isInteger(e.type()) ? std::trunc(arg(0) / arg(1)) : arg(0) / arg(1);
  case Op::FloorDiv: return std::floor(arg(0) / arg(1));
  case Op::Min: return std::min(arg(0), arg(1));
  case Op::Max: return std::max(arg(0), arg(1));
  case Op::Eq: return arg(0) == arg(1) ? 1 : 0;
  case Op::Lt: return arg(0) < arg(1) ? 1 : 0;
  case Op::Le: return arg(0) <= arg(1) ? 1 : 0;
  case Op::Select: return arg(0) != 0 ? arg(1) : arg(2);
  default: return std::nan("");
  }
}

/// The most that it is where each size is 1, `below` or half of it; NaN: it is not known.
double mostOf(const Expr &work, const std::vector<std::string> &names, std::int64_t below, const Sizes &sizes = {}) {
  if (sizes.size() == names.size()) return valueOf(work, sizes);
  const std::string &next = names[sizes.size()];
  double greatest = 0;
  for (const std::int64_t value : {std::int64_t{1}, below / 2, below}) {
    Sizes chosen = sizes;
    chosen[next] = value;
    const double one = mostOf(work, names, below, chosen);
    if (!std::isfinite(one)) return std::nan("");
    greatest = std::max(greatest, one);
  }
  return greatest;
}

} // namespace

std::optional<LittleWork> littleWorkOf(const Function &function, const TileProgram &program) {
  const Expr estimate = overArguments(function, program.work);
  const std::set<std::string> used = symbols(estimate);
  std::vector<std::string> sizes;
  std::copy_if(program.sizes.begin(), program.sizes.end(), std::back_inserter(sizes),
               [&](const std::string &size) { return used.contains(size); });
  if (sizes.empty() || sizes.size() != used.size() || sizes.size() > mostSizes) return std::nullopt;
  for (std::int64_t below = largest; below >= smallest; below /= 2) {
    const double most = mostOf(estimate, sizes, below);
    if (4 * most <= leastWork) return LittleWork{sizes, below, static_cast<std::int64_t>(std::ceil(most))};
  }
  return std::nullopt;
}

} // namespace polymend::device_room
