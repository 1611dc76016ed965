// { [before] -> [x] } gives, for each pair of values that one point before sees, their difference: the largest is the
// window less one.
#include "polymend/window.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// { [d0, ..., d(dim - 1)] -> [d(dim)] } over the points of the set.
isl::map toDimension(const isl::set &set, unsigned dim) {
  const isl::set plain = isl::manage(isl_set_reset_tuple_id(set.copy()));
  const isl::set until = projectOut(plain, dim + 1, dimension(plain) - dim - 1);
  return isl::manage(isl_map_move_dims(isl_map_from_domain(until.copy()), isl_dim_out, 0, isl_dim_in, dim, 1));
}

/// Adds the loops of a body whose bounds the variables of loops `around` move. A condition in a loop moves no bounds:
/// the source comes by all of it.
void addMoved(const Body &body, std::set<std::string> &around, std::set<std::string> &moved) {
  for (const Node &node : body) {
    if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      addMoved((*branch)->then, around, moved);
      addMoved((*branch)->otherwise, around, moved);
    }
    const auto *found = std::get_if<std::shared_ptr<const Loop>>(&node);
    if (!found) continue;
    const Loop &loop = **found;
    std::set<std::string> used = symbols(loop.first);
    used.merge(symbols(loop.limit));
    if (std::any_of(used.begin(), used.end(), [&](const std::string &name) { return around.contains(name); }))
      moved.insert(loop.variable);
    around.insert(loop.variable);
    addMoved(loop.body, around, moved);
    around.erase(loop.variable);
  }
}

} // namespace

std::set<std::string> movedLoops(const Function &function) {
  std::set<std::string> around, moved;
  addMoved(function.body, around, moved);
  return moved;
}

std::optional<std::int64_t> constantWindow(const isl::set &set, unsigned dim) {
  const isl::map values = toDimension(set, dim);
  const isl::map pairs = values.reverse().apply_range(values);
  return constantExtent(isl::manage(isl_map_deltas(pairs.copy())), 0);
}

} // namespace polymend
