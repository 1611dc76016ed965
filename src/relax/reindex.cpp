// Values do not depend on the names of points: an equation composed with a bijection of its points has the same value.
#include "reindex.h"

#include "import.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

namespace polymend {
namespace {

/// { E[new keys] -> E[keys] } of a reindexing.
isl::map ofKeys(const isl::map &back, const Equation &e, unsigned keys) {
  const isl::map part =
      projectOutDomain(projectOutRange(back, e.keys, e.reduced()), keys, domainDimension(back) - keys);
  return setRangeTuple(setDomainTuple(part, e.name), e.name);
}

/// What one equality of an affine hull says: the function that a dimension is of the others.
struct Determined {
  unsigned position = 0;
  isl_constraint *found = nullptr;
};

isl_stat takeIfDetermines(isl_constraint *constraint, void *user) {
  auto *wanted = static_cast<Determined *>(user);
  isl_val *factor = isl_constraint_get_coefficient_val(constraint, isl_dim_set, static_cast<int>(wanted->position));
  const auto divisions = static_cast<unsigned>(isl_constraint_dim(constraint, isl_dim_div));
  const bool unit = isl_val_is_one(factor) == isl_bool_true || isl_val_is_negone(factor) == isl_bool_true;
  isl_val_free(factor);
  const bool plain = isl_constraint_involves_dims(constraint, isl_dim_div, 0, divisions) != isl_bool_true;
  if (wanted->found == nullptr && unit && plain && isl_constraint_is_equality(constraint) == isl_bool_true)
    wanted->found = constraint;
  else
    isl_constraint_free(constraint);
  return isl_stat_ok;
}

/// The points of the set where dimension `k` is the function of the others that one equality says; absent: none does.
std::optional<isl::set> byEquality(const isl::set &set, unsigned k) {
  Determined wanted{k, nullptr};
  isl_basic_set *hull = isl_set_affine_hull(set.copy());
  isl_basic_set_foreach_constraint(hull, takeIfDetermines, &wanted);
  isl_basic_set_free(hull);
  if (wanted.found == nullptr) return std::nullopt;
  isl_basic_set *all = isl_basic_set_universe(isl_set_get_space(set.get()));
  return isl::manage(isl_set_from_basic_set(isl_basic_set_add_constraint(all, wanted.found)));
}

/// As byEquality, where each point of the others has one value of dimension `k` (the loop around a loop over one
/// block's points): the set itself, when one quasi-affine expression says that value.
std::optional<isl::set> byOthers(const isl::set &set, unsigned k) {
  isl_map *values = isl_map_from_range(set.copy());
  const auto dims = static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_set));
  values = isl_map_move_dims(values, isl_dim_in, 0, isl_dim_out, 0, k);
  values = isl_map_move_dims(values, isl_dim_in, k, isl_dim_out, 1, dims - k - 1);
  const isl::map of = isl::manage(isl_map_reset_tuple_id(values, isl_dim_out));
  if (!of.is_single_valued()) return std::nullopt;
  isl_pw_multi_aff *function = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(of.copy()));
  const isl_size pieces = isl_pw_multi_aff_n_piece(function);
  isl_pw_multi_aff_free(function);
  if (pieces != 1) return std::nullopt;
  return set;
}

/// The points over all dimensions of `e` where dimension `k` has the value that the others (of a key: the other keys)
/// determine; absent: none do.
std::optional<isl::set> whereDetermined(const Equation &e, unsigned k) {
  const bool key = k < e.keys;
  const isl::set &set = key ? e.keyDomain : e.domain;
  if (set.is_empty()) return std::nullopt;
  auto points = byEquality(set, k);
  if (!points) points = byOthers(set, k);
  if (!points) return std::nullopt;
  if (!key) return setTuple(*points, e.name);
  return setTuple(isl::manage(isl_set_add_dims(points->release(), isl_dim_set, e.reduced())), e.name);
}

} // namespace

bool isDetermined(const Equation &e, unsigned k) { return whereDetermined(e, k).has_value(); }

bool reindex(System &system, std::size_t index, const Reindexing &reindexing) {
  const Equation e = system.equations[index];
  const isl::map &back = reindexing.back;
  const isl::map keysBack = reindexing.backKeys.is_null() ? ofKeys(back, e, reindexing.keys) : reindexing.backKeys;
  const auto old = toExprs(back, symbolsOf(reindexing.dims));
  const auto oldKeys =
      toExprs(keysBack, symbolsOf({reindexing.dims.begin(), reindexing.dims.begin() + reindexing.keys}));
  if (!old || !oldKeys) return false;
  Equation next = shell(e);
  next.dims = reindexing.dims;
  next.keys = reindexing.keys;
  next.domain = setTuple(e.domain.apply(back.reverse()), e.name);
  next.keyDomain = setTuple(e.keyDomain.apply(keysBack.reverse()), e.name);
  next.value = import(e.value, e, *old, back, next);
  if (e.initial) next.initial = import(e.initial, e, *oldKeys, keysBack, next);
  for (Store &store : next.stores) store.map = back.apply_range(store.map);
  system.equations[index] = rebuild(
      next, [&](const Expr &read, const Operand &operand, Equation &to) { return readOf(read, operand, to, system); });
  for (std::size_t r = index + 1; r < system.equations.size(); ++r)
    system.equations[r] = rebuild(system.equations[r], [&](const Expr &read, const Operand &operand, Equation &to) {
      Operand changed = operand;
      if (operand.equation == static_cast<int>(index)) changed.map = operand.map.apply_range(keysBack.reverse());
      return readOf(read, changed, to, system);
    });
  return true;
}

void dropDetermined(System &system, bool reorder) {
  for (std::size_t index = 0; index < system.equations.size(); ++index)
    for (auto k = static_cast<unsigned>(reorder ? system.equations[index].dims.size() : system.equations[index].keys);
         k-- > 0;) {
      const Equation &e = system.equations[index];
      const auto points = whereDetermined(e, k);
      if (!points) continue;
      Reindexing without{e.dims, k < e.keys ? e.keys - 1 : e.keys, {}};
      without.dims.erase(without.dims.begin() + k);
      const isl::map same = isl::manage(isl_set_identity(points->copy()));
      without.back = setRangeTuple(setDomainTuple(projectOutDomain(same, k, 1), e.name), e.name);
      if (k >= e.keys) without.backKeys = isl::manage(isl_set_identity(setTuple(e.keyDomain, e.name).release()));
      reindex(system, index, without);
    }
}

} // namespace polymend
