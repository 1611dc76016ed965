#include "constraints.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/union_map.h>

namespace polymend {

namespace {

/// Inequalities of one piece of a dependence that the scheduler takes: it eliminates a multiplier for each, one after
/// another, which no operation counts (15 took half a minute).
constexpr int mostInequalities = 9;

int inequalitiesOf(isl_basic_map *piece) {
  int count = 0;
  const auto look = [](isl_constraint *constraint, void *user) {
    *static_cast<int *>(user) += isl_constraint_is_equality(constraint) == isl_bool_true ? 0 : 1;
    isl_constraint_free(constraint);
    return isl_stat_ok;
  };
  isl_basic_map_foreach_constraint(piece, look, &count);
  return count;
}

/// The piece, or where that has many inequalities one that holds it: without quotients, then without what bounds one of
/// the two instances alone.
isl_basic_map *lighter(isl_basic_map *piece) {
  if (inequalitiesOf(piece) <= mostInequalities) return piece;
  piece = isl_basic_map_remove_redundancies(isl_basic_map_remove_divs(piece));
  if (inequalitiesOf(piece) <= mostInequalities) return piece;
  isl_basic_map *all = isl_basic_map_universe(isl_basic_map_get_space(piece));
  const auto keep = [](isl_constraint *constraint, void *user) {
    auto &kept = *static_cast<isl_basic_map **>(user);
    const auto moves = [&](isl_dim_type type) {
      const int count = isl_constraint_dim(constraint, type);
      return isl_constraint_involves_dims(constraint, type, 0, static_cast<unsigned>(count)) == isl_bool_true;
    };
    const bool isKept =
        isl_constraint_is_equality(constraint) == isl_bool_true || (moves(isl_dim_in) && moves(isl_dim_out));
    if (isKept)
      kept = isl_basic_map_add_constraint(kept, constraint);
    else
      isl_constraint_free(constraint);
    return isl_stat_ok;
  };
  isl_basic_map_foreach_constraint(piece, keep, static_cast<void *>(&all));
  isl_basic_map_free(piece);
  return all;
}

/// The scheduler's options for as long as this lives.
class Options {
public:
  Options(isl_ctx *c, Sought sought)
      : context(c), serialize(isl_options_get_schedule_serialize_sccs(c)),
        coincidence(isl_options_get_schedule_maximize_coincidence(c)), algorithm(isl_options_get_schedule_algorithm(c)),
        split(isl_options_get_schedule_split_scaled(c)) {
    isl_options_set_schedule_serialize_sccs(c, 1);
    if (sought == Sought::Bands) {
      isl_options_set_schedule_maximize_coincidence(c, 1);
    } else {
      isl_options_set_schedule_algorithm(c, ISL_SCHEDULE_ALGORITHM_FEAUTRIER);
      isl_options_set_schedule_split_scaled(c, 1);
    }
  }
  ~Options() {
    isl_options_set_schedule_serialize_sccs(context, serialize);
    isl_options_set_schedule_maximize_coincidence(context, coincidence);
    isl_options_set_schedule_algorithm(context, algorithm);
    isl_options_set_schedule_split_scaled(context, split);
  }
  Options(const Options &) = delete;
  Options &operator=(const Options &) = delete;

private:
  isl_ctx *context;
  int serialize, coincidence, algorithm, split;
};

} // namespace

isl::union_map pairsOf(const Scop &scop, const Dependences &dependences,
                       const std::function<bool(const Dependence &)> &counts) {
  isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop.statements.front().domain.get()));
  for (const Dependence &edge : dependences.edges)
    if (counts(edge)) all = isl_union_map_add_map(all, edge.relation.copy());
  return isl::manage(isl_union_map_coalesce(all));
}

isl::union_map lighter(const isl::union_map &pairs) {
  isl_union_map *all = isl_union_map_empty(isl_union_map_get_space(pairs.get()));
  const auto take = [](isl_basic_map *piece, void *user) {
    auto &taken = *static_cast<isl_union_map **>(user);
    taken = isl_union_map_add_map(taken, isl_map_from_basic_map(lighter(piece)));
    return isl_stat_ok;
  };
  pairs.foreach_map(
      [&](const isl::map &map) { isl_map_foreach_basic_map(map.get(), take, static_cast<void *>(&all)); });
  return isl::manage(all);
}

isl::union_set instancesOf(const Scop &scop) {
  isl_union_set *all = isl_union_set_empty(isl_set_get_space(scop.statements.front().domain.get()));
  for (const Statement &statement : scop.statements) all = isl_union_set_add_set(all, statement.domain.copy());
  return isl::manage(all);
}

isl::union_map inside(const isl::union_map &pairs, const isl::union_set &instances) {
  return isl::manage(
      isl_union_map_intersect_range(isl_union_map_intersect_domain(pairs.copy(), instances.copy()), instances.copy()));
}

std::optional<isl::schedule> scheduleOf(const isl::union_set &instances, const isl::union_map &validity,
                                        Sought sought) {
  const Options options(isl_union_set_get_ctx(instances.get()), sought);
  isl_schedule_constraints *asked = isl_schedule_constraints_on_domain(instances.copy());
  asked = isl_schedule_constraints_set_validity(asked, validity.copy());
  if (sought == Sought::Bands) asked = isl_schedule_constraints_set_coincidence(asked, validity.copy());
  isl_schedule *const found = isl_schedule_constraints_compute_schedule(asked);
  return found ? std::optional(isl::manage(found)) : std::nullopt;
}

bool runsForwards(const Dependence &edge, const isl::union_map &times) {
  const isl::union_map pairs = isl::union_map(edge.relation).apply_domain(times).apply_range(times);
  if (pairs.is_empty()) return true;
  const isl::map between = isl::manage(isl_map_from_union_map(pairs.copy()));
  return between.is_subset(isl::manage(isl_map_lex_lt(isl_space_domain(isl_map_get_space(between.get())))));
}

} // namespace polymend
