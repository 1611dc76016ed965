// Feautrier's algorithm carries as many dependences as it can with each loop; beside it, each loop of the band that
// isl's own algorithm finds is tried outermost, around what Feautrier's makes of one iteration of it. Sums are
// scheduled both ways: with their terms in order, which makes launches of points that each take one term, and in any
// order, which makes points that each take all terms.
#include "spread.h"

#include "constraints.h"
#include "polymend/feedback.h"
#include "reorder.h"

#include <isl/aff.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include <algorithm>

namespace polymend {

namespace {

/// Each size where none is known: what an estimate stands for.
constexpr int usualSize = 1000;

isl::set atUsualSizes(isl::set points) {
  const int count = isl_set_dim(points.get(), isl_dim_param);
  for (int p = 0; p < count; ++p) {
    const isl::set fixed =
        isl::manage(isl_set_fix_si(points.copy(), isl_dim_param, static_cast<unsigned>(p), usualSize));
    if (!fixed.is_empty()) points = fixed;
  }
  return points;
}

/// Moments along one dimension, those before it fixed.
double lengthOf(const isl::set &times, int dim) {
  const unsigned before = static_cast<unsigned>(dim), behind = isl_set_dim(times.get(), isl_dim_set) - before - 1;
  isl_set *upTo = isl_set_project_out(isl_set_reset_tuple_id(times.copy()), isl_dim_set, before + 1, behind);
  isl_map *next = isl_map_move_dims(isl_map_from_range(upTo), isl_dim_in, 0, isl_dim_out, 0, before);
  const bool isFixed = isl_map_is_single_valued(next) == isl_bool_true;
  isl_map_free(next);
  if (isFixed) return 1;
  const isl::val low = isl::manage(isl_set_dim_min_val(times.copy(), dim));
  const isl::val high = isl::manage(isl_set_dim_max_val(times.copy(), dim));
  if (low.is_null() || high.is_null() || !low.is_int() || !high.is_int()) return usualSize;
  return isl_val_get_d(high.get()) - isl_val_get_d(low.get()) + 1;
}

/// Of each depth, whether some of a dependence's instances first differ in time there.
std::vector<bool> carriedAt(const isl::map &pairs, const isl::union_map &times) {
  const isl::union_map between = isl::union_map(pairs).apply_domain(times).apply_range(times);
  std::vector<bool> carried;
  between.foreach_map([&](const isl::map &each) {
    isl::map left = each;
    const int count = static_cast<int>(isl_map_dim(each.get(), isl_dim_out));
    carried.resize(std::max(carried.size(), static_cast<std::size_t>(count)), false);
    for (int d = 0; d < count && !left.is_empty(); ++d) {
      const isl::map later = isl::manage(isl_map_order_lt(left.copy(), isl_dim_in, d, isl_dim_out, d));
      if (!later.is_empty()) carried[static_cast<std::size_t>(d)] = true;
      left = isl::manage(isl_map_equate(left.release(), isl_dim_in, d, isl_dim_out, d));
    }
  });
  return carried;
}

/// May the terms of the sum that makes the dependence be taken in any order?
bool isFree(const Dependence &edge, const Scop &scop, const Dependences &dependences, bool reorder) {
  return edge.reduction && reorder && !feedsBack(scop, dependences, edge.from);
}

/// Microseconds of a launch, of one of many terms that a point adds up, and of an instance on the host; points at once.
constexpr double launchTime = 4, termTime = 0.3, hostTime = 0.0005, pointsAtOnce = 200'000;

/// What an order takes, in microseconds, by an estimate.
struct Cost {
  double launched = 0, onHost = 0;
};

/// Each loop that carries a dependence of a statement launches at each turn, each that a sum alone carries is a point's
/// own.
Cost costOf(const isl::schedule &schedule, const Scop &scop, const Dependences &dependences) {
  const isl::union_map times = isl::manage(isl_schedule_get_map(schedule.get()));
  Cost cost;
  for (std::size_t s = 0; s < scop.statements.size(); ++s) {
    const isl::set domain = scop.statements[s].domain;
    const isl::union_set moments = isl::union_set(domain).apply(times);
    if (moments.is_empty()) continue;
    const isl::set own = atUsualSizes(isl::manage(isl_set_from_union_set(moments.copy())));
    const int depth = static_cast<int>(isl_set_dim(own.get(), isl_dim_set));
    std::vector<bool> serial(static_cast<std::size_t>(depth), false), summed = serial;
    for (const Dependence &edge : dependences.edges) {
      if (edge.from != static_cast<int>(s) && edge.to != static_cast<int>(s)) continue;
      std::vector<bool> &into = edge.reduction ? summed : serial;
      const std::vector<bool> carried = carriedAt(edge.relation, times);
      for (std::size_t d = 0; d < std::min(carried.size(), into.size()); ++d) into[d] = into[d] || carried[d];
    }
    double launches = 1, terms = 1, points = 1;
    for (int d = 0; d < depth; ++d) {
      const double length = lengthOf(own, d);
      (serial[static_cast<std::size_t>(d)] ? launches : summed[static_cast<std::size_t>(d)] ? terms : points) *= length;
    }
    cost.launched += launches * (launchTime + terms * termTime * std::max(1.0, points / pointsAtOnce));
    cost.onHost += launches * terms * points * hostTime;
  }
  return cost;
}

/// The cheaper of two orders, by what their launches take; absent ones are dearest.
class Cheapest {
public:
  Cheapest(const Scop &model, const Dependences &edges) : scop(model), dependences(edges) {}
  void consider(const std::optional<isl::schedule> &order) {
    if (!order || isSteep(*order)) return;
    const Cost cost = costOf(*order, scop, dependences);
    if (best && least.launched <= cost.launched) return;
    best = order;
    least = cost;
  }
  [[nodiscard]] const std::optional<isl::schedule> &order() const { return best; }
  [[nodiscard]] bool gains() const { return best && least.launched <= least.onHost; }

private:
  const Scop &scop;
  const Dependences &dependences;
  std::optional<isl::schedule> best;
  Cost least;
};

/// The first node below the root.
isl_schedule_node *topOf(const isl::schedule &schedule) {
  return isl_schedule_node_child(isl_schedule_get_root(schedule.get()), 0);
}

/// One row of the band on top around what carries the fewest within one iteration of it.
std::optional<isl::schedule> around(const isl::schedule &bands, int member, const isl::union_set &instances,
                                    const isl::union_map &validity) {
  isl_schedule_node *top = topOf(bands);
  const isl::multi_union_pw_aff rows = isl::manage(isl_schedule_node_band_get_partial_schedule(top));
  isl_schedule_node_free(top);
  const isl::union_pw_aff row = isl::manage(isl_multi_union_pw_aff_get_union_pw_aff(rows.get(), member));
  isl_multi_union_pw_aff *own = isl_multi_union_pw_aff_from_union_pw_aff(row.copy());
  const isl::union_map left =
      isl::manage(isl_union_map_eq_at_multi_union_pw_aff(validity.copy(), isl_multi_union_pw_aff_copy(own)));
  std::optional<isl::schedule> within = scheduleOf(instances, left, Sought::FewestCarrying);
  if (within) return isl::manage(isl_schedule_insert_partial_schedule(within->release(), own));
  isl_multi_union_pw_aff_free(own);
  return std::nullopt;
}

/// Each strongly connected part by itself, in the cheapest of these orders.
std::optional<isl::schedule> inCheapestParts(const isl::union_set &instances, const isl::union_map &validity,
                                             const Scop &scop, const Dependences &dependences) {
  const std::optional<isl::schedule> bands = scheduleOf(instances, validity, Sought::Bands);
  if (!bands) return scheduleOf(instances, validity, Sought::FewestCarrying);
  isl_schedule_node *top = topOf(*bands);
  const isl_schedule_node_type type = isl_schedule_node_get_type(top);
  std::vector<isl::union_set> parts;
  for (int p = 0; type == isl_schedule_node_sequence && p < isl_schedule_node_n_children(top); ++p) {
    isl_schedule_node *part = isl_schedule_node_get_child(top, p);
    parts.push_back(isl::manage(isl_union_set_intersect(instances.copy(), isl_schedule_node_filter_get_filter(part))));
    isl_schedule_node_free(part);
  }
  const int members = type == isl_schedule_node_band ? isl_schedule_node_band_n_member(top) : 0;
  isl_schedule_node_free(top);
  std::optional<isl::schedule> all;
  for (const isl::union_set &part : parts) {
    std::optional<isl::schedule> next = inCheapestParts(part, inside(validity, part), scop, dependences);
    if (!next) return std::nullopt;
    all = all ? isl::manage(isl_schedule_sequence(all->release(), next->release())) : *next;
  }
  if (all) return all;
  Cheapest cheapest(scop, dependences);
  cheapest.consider(scheduleOf(instances, validity, Sought::FewestCarrying));
  for (int member = 0; member < members; ++member) cheapest.consider(around(*bands, member, instances, validity));
  return cheapest.order();
}

} // namespace

/// Operations for all orders that are tried, with their costs.
constexpr unsigned long spreadCap = 3 * schedulerCap;

std::optional<isl::schedule> spread(const Scop &scop, const Dependences &dependences, bool reorder) {
  if (scop.statements.empty()) return std::nullopt;
  Cheapest cheapest(scop, dependences);
  for (const bool inOrder : {true, false}) {
    std::string gaveUp;
    const auto search = [&] {
      const auto counts = [&](const Dependence &edge) { return inOrder || !isFree(edge, scop, dependences, reorder); };
      const isl::union_map validity = lighter(pairsOf(scop, dependences, counts));
      const auto found = inCheapestParts(instancesOf(scop), validity, scop, dependences);
      if (!found) return;
      const isl::union_map times = isl::manage(isl_schedule_get_map(found->get()));
      if (std::ranges::all_of(dependences.edges, [&](const Dependence &e) { return runsForwards(e, times); }))
        cheapest.consider(found);
    };
    capped(scop.context, search, gaveUp, spreadCap);
  }
  return cheapest.gains() ? cheapest.order() : std::nullopt;
}

} // namespace polymend
