#include "carrying.h"

#include "polymend/isl.h"

#include <isl/map.h>

namespace polymend {

namespace {

/// All dependences but those that `isLeftOut` holds of.
template <class F> isl::union_map edgesBut(const Scop &scop, const Dependences &dependences, const F &isLeftOut) {
  isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop.statements.front().domain.get()));
  for (const Dependence &edge : dependences.edges)
    if (!isLeftOut(edge)) all = isl_union_map_add_map(all, edge.relation.copy());
  return isl::manage(isl_union_map_coalesce(all));
}

/// Does any dependence reach from one iteration of the innermost loop of `times` to another, those around it fixed?
bool carries(const isl::union_map &dependences, const isl::union_map &times) {
  const isl::union_map pairs = dependences.apply_domain(times).apply_range(times);
  if (pairs.is_empty()) return false;
  isl::map between = isl::manage(isl_map_from_union_map(pairs.copy()));
  const int last = static_cast<int>(rangeDimension(between)) - 1;
  for (int d = 0; d < last; ++d)
    between = isl::manage(isl_map_equate(between.release(), isl_dim_in, d, isl_dim_out, d));
  // That none is in order is quicker to see than that all are equal, which would compute the quotients in the map.
  const auto ordered = [&](auto order) {
    return !isl::manage(order(between.copy(), isl_dim_in, last, isl_dim_out, last)).is_empty();
  };
  return ordered(isl_map_order_lt) || ordered(isl_map_order_gt);
}

} // namespace

Carrying::Carrying(const Scop &model, const Dependences &dependences, bool hasOwn, const std::set<std::string> &shared)
    : scop(model), deps(dependences), all(edgesBut(scop, dependences, [](const Dependence &) { return false; })),
      withoutSums(edgesBut(scop, dependences, [](const Dependence &edge) { return edge.reduction; })) {
  if (hasOwn) own.emplace(scop, dependences, shared);
}

std::string Carrying::kindOf(const isl::union_map &times) const {
  if (!carries(all, times)) return "parallel";
  if (const std::set<std::string> arrays = ownIn(times); !arrays.empty()) {
    std::string kind = "parallel";
    for (const std::string &array : arrays) kind += " " + array;
    return kind;
  }
  return carries(withoutSums, times) ? "serial" : "reduced";
}

/// The arrays that hold what turns of the loop set for themselves, where nothing else is carried; else none.
std::set<std::string> Carrying::ownIn(const isl::union_map &times) const {
  std::set<std::string> arrays = own ? own->within(times) : std::set<std::string>();
  if (arrays.empty()) return arrays;
  const auto isOwn = [&](const Dependence &edge) { return arrays.contains(edge.array); };
  return carries(edgesBut(scop, deps, isOwn), times) ? std::set<std::string>() : arrays;
}

} // namespace polymend
