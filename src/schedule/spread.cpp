// Feautrier's algorithm carries as many dependences as it can with each loop; beside it, each loop of the band that
// isl's own algorithm finds is tried outermost, around what Feautrier's makes of one iteration of it, and around pieces
// of it (pieces.h), which are tried without a loop around them, too. Sums are
// scheduled both ways: with their terms in order, which makes launches of points that each take one term, and in any
// order, which makes points that each take all terms.
#include "spread.h"

#include "constraints.h"
#include "pieces.h"
#include "polymend/feedback.h"
#include "reorder.h"
#include "sums_inside.h"

#include <isl/aff.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

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

/// Points at usual sizes, about, and their share of the box around them.
struct Extent {
  double points = 0, share = 1;
};

/// So many of the box as of a few points drawn from it.
Extent extentOf(const isl::set &points) {
  constexpr int draws = 64;
  const isl::set own = atUsualSizes(points);
  const unsigned depth = isl_set_dim(own.get(), isl_dim_set);
  double box = 1;
  std::vector<std::pair<double, double>> bounds;
  for (unsigned d = 0; d < depth; ++d) {
    const isl::val low = isl::manage(isl_set_dim_min_val(own.copy(), static_cast<int>(d)));
    const isl::val high = isl::manage(isl_set_dim_max_val(own.copy(), static_cast<int>(d)));
    const bool isBounded = !low.is_null() && !high.is_null() && low.is_int() && high.is_int();
    bounds.emplace_back(isBounded ? isl_val_get_d(low.get()) : 0, isBounded ? isl_val_get_d(high.get()) : usualSize);
    box *= bounds.back().second - bounds.back().first + 1;
  }
  int within = 0;
  std::uint32_t state = 1;
  for (int k = 0; k < draws; ++k) {
    isl_set *point = own.copy();
    for (unsigned d = 0; d < depth; ++d) {
      state = state * 1664525U + 1013904223U;
      const double at = bounds[d].first + std::floor((bounds[d].second - bounds[d].first + 1) * (state / 4294967296.0));
      point =
          isl_set_fix_val(point, isl_dim_set, d, isl_val_int_from_si(isl_set_get_ctx(point), static_cast<long>(at)));
    }
    within += isl_set_is_empty(point) == isl_bool_false ? 1 : 0;
    isl_set_free(point);
  }
  const double share = static_cast<double>(std::max(1, within)) / draws;
  return {box * share, share};
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
constexpr double launchTime = 4, termTime = 0.3, hostTime = 0.00075, pointsAtOnce = 200'000;

/// What an order takes, in microseconds, by an estimate.
struct Cost {
  double launched = 0, onHost = 0;
  double launches = 0; // of the statement that has the most
};

struct TreeNodeFree {
  void operator()(isl_schedule_node *node) const { isl_schedule_node_free(node); }
};
using TreeNode = std::unique_ptr<isl_schedule_node, TreeNodeFree>;

/// What runs at each leaf of the tree.
void takeLeaves(const TreeNode &node, std::vector<isl::union_set> &leaves) {
  const int count = isl_schedule_node_n_children(node.get());
  for (int c = 0; c < count; ++c) takeLeaves(TreeNode(isl_schedule_node_get_child(node.get(), c)), leaves);
  if (isl_schedule_node_get_type(node.get()) == isl_schedule_node_leaf)
    leaves.push_back(isl::manage(isl_schedule_node_get_domain(node.get())));
}

/// The pairs of a dependence of which one is a point of the statement's at a leaf.
isl::map touching(const isl::set &points, int statement, const Dependence &edge) {
  if (edge.from != statement) return edge.relation.intersect_range(points);
  const isl::map from = edge.relation.intersect_domain(points);
  return edge.to == statement ? from.unite(edge.relation.intersect_range(points)) : from;
}

/// What the loops of a statement are that carry dependences within one that carries none: launches, as those around
/// it, or turns of each point's own, which has copies of what it sets for itself.
enum class Within { Launches, Turns };

/// A statement's points at a leaf, which are all of them or a piece.
/// Where its domain fills little more than half of a box, as a triangle, points add up half as many terms on average.
Cost costOf(int statement, const isl::set &points, bool isPiece, const isl::union_map &times,
            const Dependences &dependences, double share, Within within) {
  const isl::union_set moments = isl::union_set(points).apply(times);
  if (moments.is_empty()) return {};
  const isl::set own = atUsualSizes(isl::manage(isl_set_from_union_set(moments.copy())));
  const int depth = static_cast<int>(isl_set_dim(own.get(), isl_dim_set));
  std::vector<bool> serial(static_cast<std::size_t>(depth), false), summed = serial;
  for (const Dependence &edge : dependences.edges) {
    if (edge.from != statement && edge.to != statement) continue;
    if (edge.privatised && within == Within::Turns) continue;
    std::vector<bool> &into = edge.reduction ? summed : serial;
    const std::vector<bool> carried = carriedAt(isPiece ? touching(points, statement, edge) : edge.relation, times);
    for (std::size_t d = 0; d < std::min(carried.size(), into.size()); ++d) into[d] = into[d] || carried[d];
  }
  double launches = 1, terms = 1, all = 1;
  for (int d = 0; d < depth; ++d) {
    const double length = lengthOf(own, d);
    const bool waits = serial[static_cast<std::size_t>(d)], isOwn = waits && within == Within::Turns && all > 1;
    (waits && !isOwn ? launches : isOwn || summed[static_cast<std::size_t>(d)] ? terms : all) *= length;
  }
  const double usualTerms = share < 0.6 ? terms / 2 : terms;
  return {launches * (launchTime + usualTerms * termTime * std::max(1.0, all / pointsAtOnce)),
          launches * terms * all * hostTime, launches};
}

/// Each loop that carries a dependence of a statement launches at each turn, each that a sum alone carries is a point's
/// own.
Cost costOf(const isl::schedule &schedule, const Scop &scop, const Dependences &dependences,
            const std::vector<Extent> &extents, Within within) {
  const isl::union_map times = isl::manage(isl_schedule_get_map(schedule.get()));
  std::vector<isl::union_set> leaves;
  takeLeaves(TreeNode(isl_schedule_get_root(schedule.get())), leaves);
  Cost cost;
  for (std::size_t s = 0; s < scop.statements.size(); ++s) {
    const isl::set &domain = scop.statements[s].domain;
    std::vector<isl::set> parts;
    for (const isl::union_set &leaf : leaves)
      if (const isl::set own = leaf.extract_set(domain.space()); !own.is_empty()) parts.push_back(own);
    const bool isCut = parts.size() > 1;
    for (const isl::set &part : parts) {
      const Cost own =
          costOf(static_cast<int>(s), isCut ? part : domain, isCut, times, dependences, extents[s].share, within);
      cost.launched += own.launched;
      cost.onHost += own.onHost;
      cost.launches = std::max(cost.launches, own.launches);
    }
  }
  return cost;
}

/// The cheaper of two orders, by what their launches take; absent ones are dearest.
class Cheapest {
public:
  Cheapest(const Scop &model, const Dependences &edges, Within turns = Within::Launches)
      : scop(model), dependences(edges), within(turns) {
    for (const Statement &one : scop.statements) {
      extents.push_back(extentOf(one.domain));
      points += extents.back().points;
    }
  }
  /// Is it the cheapest so far?
  bool consider(const std::optional<isl::schedule> &order) {
    if (!order || isSteep(*order)) return false;
    Cost cost = costOf(*order, scop, dependences, extents, within);
    cost.onHost = std::min(cost.onHost, points * hostTime);
    if (best && least.launched <= cost.launched) return false;
    best = order;
    least = cost;
    return true;
  }
  [[nodiscard]] const std::optional<isl::schedule> &order() const { return best; }
  [[nodiscard]] double launches() const { return least.launches; }
  [[nodiscard]] bool gains() const { return best && least.launched <= least.onHost; }

private:
  const Scop &scop;
  const Dependences &dependences;
  Within within;
  std::vector<Extent> extents; // of the statements
  double points = 0;           // of all of them
  std::optional<isl::schedule> best;
  Cost least;
};

/// The first node below the root.
isl_schedule_node *topOf(const isl::schedule &schedule) {
  return isl_schedule_node_child(isl_schedule_get_root(schedule.get()), 0);
}

/// One row of the band on top around what carries the fewest within one iteration of it, or around pieces.
std::optional<isl::schedule> around(const isl::schedule &bands, int member, const isl::union_set &instances,
                                    const isl::union_map &validity, bool cuts) {
  isl_schedule_node *top = topOf(bands);
  const isl::multi_union_pw_aff rows = isl::manage(isl_schedule_node_band_get_partial_schedule(top));
  isl_schedule_node_free(top);
  const isl::union_pw_aff row = isl::manage(isl_multi_union_pw_aff_get_union_pw_aff(rows.get(), member));
  const isl::multi_union_pw_aff own = isl::manage(isl_multi_union_pw_aff_from_union_pw_aff(row.copy()));
  const isl::union_map left = isl::manage(isl_union_map_eq_at_multi_union_pw_aff(validity.copy(), own.copy()));
  std::optional<isl::schedule> within =
      cuts ? inPieces(instances, left, own) : scheduleOf(instances, left, Sought::FewestCarrying);
  if (!within) return std::nullopt;
  return isl::manage(isl_schedule_insert_partial_schedule(within->release(), own.copy()));
}

/// A strongly connected part of the dependences, with the cheapest order of its own; `members` are those of the band
/// that isl's own algorithm finds.
struct StrongPart {
  isl::union_set instances;
  isl::union_map validity;
  std::optional<isl::schedule> bands;
  int members = 0;
  Cheapest cheapest;
};

/// Adds the parts in order; false: isl finds no order.
bool addParts(const isl::union_set &instances, const isl::union_map &validity, const Scop &scop,
              const Dependences &dependences, std::vector<StrongPart> &parts) {
  const std::optional<isl::schedule> bands = scheduleOf(instances, validity, Sought::Bands);
  std::vector<isl::union_set> filters;
  int members = 0;
  if (bands) {
    isl_schedule_node *top = topOf(*bands);
    const isl_schedule_node_type type = isl_schedule_node_get_type(top);
    for (int p = 0; type == isl_schedule_node_sequence && p < isl_schedule_node_n_children(top); ++p) {
      isl_schedule_node *part = isl_schedule_node_get_child(top, p);
      filters.push_back(
          isl::manage(isl_union_set_intersect(instances.copy(), isl_schedule_node_filter_get_filter(part))));
      isl_schedule_node_free(part);
    }
    if (type == isl_schedule_node_band) members = isl_schedule_node_band_n_member(top);
    isl_schedule_node_free(top);
  }
  for (const isl::union_set &filter : filters)
    if (!addParts(filter, inside(validity, filter), scop, dependences, parts)) return false;
  if (!filters.empty()) return true;
  Cheapest cheapest(scop, dependences);
  cheapest.consider(scheduleOf(instances, validity, Sought::FewestCarrying));
  for (int member = 0; member < members; ++member)
    cheapest.consider(around(*bands, member, instances, validity, false));
  parts.push_back({instances, validity, bands, members, cheapest});
  return cheapest.order().has_value();
}

/// The part in pieces, where that is cheaper. A loop around pieces launches as often as it turns: no less than an order
/// does of which one loop carries something.
bool cutsInPieces(StrongPart &part) {
  Cheapest &cheapest = part.cheapest;
  if (cheapest.launches() <= 1) return false;
  bool found = cheapest.consider(inPieces(part.instances, part.validity, std::nullopt));
  if (cheapest.launches() <= usualSize) return found;
  for (int member = 0; member < part.members; ++member)
    found = cheapest.consider(around(*part.bands, member, part.instances, part.validity, true)) || found;
  return found;
}

/// One part after another.
isl::schedule inSequence(const std::vector<StrongPart> &parts) {
  std::optional<isl::schedule> all;
  for (const StrongPart &part : parts) {
    isl::schedule own = *part.cheapest.order();
    all = all ? isl::manage(isl_schedule_sequence(all->release(), own.release())) : own;
  }
  return *all;
}

/// Do the turns of no outermost loop of the source wait for one another, but where there is no other loop within it?
bool isParallelOutside(const Scop &scop, const Dependences &dependences) {
  const auto outermost = [&](int s) -> const std::string * {
    const std::vector<std::string> &loops = scop.statements[static_cast<std::size_t>(s)].iterators;
    return loops.size() > 1 ? &loops.front() : nullptr;
  };
  const auto isIn = [&](const std::string *loop, const Dependence &edge) { return loop && *loop == edge.variable; };
  const bool isNest =
      std::ranges::any_of(scop.statements, [](const Statement &one) { return one.iterators.size() > 1; });
  return isNest && std::ranges::none_of(dependences.edges, [&](const Dependence &edge) {
           return !edge.privatised && (isIn(outermost(edge.from), edge) || isIn(outermost(edge.to), edge));
         });
}

/// Do all dependences run forwards?
bool keeps(const isl::schedule &order, const Dependences &dependences) {
  const isl::union_map times = isl::manage(isl_schedule_get_map(order.get()));
  return std::ranges::all_of(dependences.edges, [&](const Dependence &edge) { return runsForwards(edge, times); });
}

} // namespace

/// Operations for all orders that are tried, with their costs.
constexpr unsigned long spreadCap = 3 * schedulerCap, piecesCap = 10 * schedulerCap;

/// Seconds for each of both ways to schedule sums; what is found takes a third of it.
constexpr double longest = 1.5;

/// Of more statements than these no order is sought where the source's own has turns that do not wait for each other.
constexpr std::size_t mostStatements = 16;

bool gainsInOrder(const Scop &scop, const Dependences &dependences) {
  bool gains = false;
  std::string gaveUp;
  const auto estimate = [&] {
    Cheapest cheapest(scop, dependences, Within::Turns);
    cheapest.consider(scop.schedule);
    gains = cheapest.gains();
  };
  return capped(scop.context, estimate, gaveUp, spreadCap) && gains;
}

std::optional<isl::schedule> spread(const Scop &scop, const Dependences &dependences, bool reorder) {
  if (scop.statements.empty()) return std::nullopt;
  if (scop.statements.size() > mostStatements && isParallelOutside(scop, dependences)) return std::nullopt;
  Cheapest cheapest(scop, dependences);
  std::string gaveUp;
  for (const bool inOrder : {true, false}) {
    std::vector<StrongPart> parts;
    const auto take = [&] {
      if (const isl::schedule found = inSequence(parts); keeps(found, dependences)) cheapest.consider(found);
    };
    const auto search = [&] {
      const auto counts = [&](const Dependence &edge) { return inOrder || !isFree(edge, scop, dependences, reorder); };
      const isl::union_map validity = lighter(pairsOf(scop, dependences, counts));
      if (!addParts(instancesOf(scop), validity, scop, dependences, parts)) return parts.clear();
      take();
    };
    const auto cut = [&] {
      bool found = false;
      for (StrongPart &part : parts) found = cutsInPieces(part) || found;
      if (found) take();
    };
    const TimeLimit limit(scop.context, longest);
    if (!capped(scop.context, search, gaveUp, spreadCap)) break; // in another order it would take as long
    capped(scop.context, cut, gaveUp, piecesCap);
  }
  if (!cheapest.order())
    capped(scop.context, [&] { cheapest.consider(inBands(scop, dependences)); }, gaveUp, spreadCap);
  if (!cheapest.gains()) return std::nullopt;
  std::optional<isl::schedule> result = cheapest.order();
  const auto sink = [&] {
    const isl::schedule other = withSumsInside(*result, scop, dependences);
    if (!isSteep(other) && keeps(other, dependences)) result = other;
  };
  capped(scop.context, sink, gaveUp, schedulerCap);
  return result;
}

} // namespace polymend
