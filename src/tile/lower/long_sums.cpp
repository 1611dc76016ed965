// Where an inner sum does not fit a tile it comes in chunks itself. The loop around it then has no place in a block:
// its chunks are dealt to the grid, each leaves a state, and these are combined as those of split-K are.
#include "long_sums.h"

#include "polymend/about.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

const Equation &equationOf(const System &system, const Member &member) {
  return system.equations[static_cast<std::size_t>(member.equation)];
}

/// Is it a sum over one loop at each row and point of the phase's loop?
bool isInnerSum(const Member &member, const Equation &e) {
  return member.role == Member::Role::Inner && member.mended < 0 && e.monoid == Monoid::Sum && e.reduced() == 1 &&
         e.keys == member.rows.size() + member.rolled.size();
}

/// Has the member nothing but rows and the phase's loop?
bool isWithinRows(const Member &member, const Equation &e) {
  return e.dims.size() == member.rows.size() + member.rolled.size();
}

/// The points of the product's rows and columns in the order of the plan.
isl::set gridOf(const Member &member, const Equation &e) {
  std::vector<int> order = member.rows;
  order.push_back(member.rolled.front());
  std::string from, to;
  for (std::size_t k = 0; k < order.size(); ++k) {
    from += (k ? ", k" : "k") + std::to_string(k);
    to += (k ? ", k" : "k") + std::to_string(order[k]);
  }
  isl_set *keys = isl_set_reset_tuple_id(e.keyDomain.copy());
  const std::string map = "{ [" + from + "] -> [" + to + "] }";
  return aboutDimensions(
      isl::manage(isl_set_apply(keys, isl_map_read_from_str(isl_set_get_ctx(e.keyDomain.get()), map.c_str()))));
}

} // namespace

std::optional<LongSum> longSum(const KernelPlan &plan, const System &system) {
  constexpr std::int64_t tile = 64;
  const Phase &first = plan.phases.front();
  if (!plan.divisible || first.rolled.size() != 1) return std::nullopt;
  const Member *sum = nullptr;
  for (const Member &member : first.members) {
    const Equation &e = equationOf(system, member);
    if (isInnerSum(member, e) && !sum)
      sum = &member;
    else if (!isWithinRows(member, e))
      return std::nullopt;
  }
  if (!sum) return std::nullopt;
  const Equation &e = equationOf(system, *sum);
  Member alone = *sum;
  alone.role = Member::Role::Reduce;
  alone.rows.push_back(sum->rolled.front());
  alone.rolled = {static_cast<int>(e.keys)};
  LongSum result{plan, plan, *sum};
  result.product.rows.push_back(first.rolled.front());
  result.product.tiles.push_back(tile);
  result.product.domain = gridOf(*sum, e);
  result.product.phases = {{{e.dims.back()}, {tile}, {alone}}};
  std::erase_if(result.rest.phases.front().members, [&](const Member &m) { return m.equation == sum->equation; });
  result.rest.phases.resize(1);
  return result;
}

} // namespace polymend
