// A permutable band stays right in any order of its members, and so does its point band within tiles of it. In a front
// the sum of the first two tiles' numbers is constant: a dependence that crosses tiles raises it, as it lowers none of
// them. The innermost loop is split from the others where statements may then follow one another loop by loop. Where
// nothing runs in vectors, tiles whose rows are recurrences of their own are told from those, on a diagonal as a rule,
// whose rows wait for one another.
// One file: what a band is turned into is decided from one picture of its members.
#include "bands.h"

#include "innermost.h"

#include <isl/aff.h>
#include <isl/mat.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>

namespace polymend {

namespace {

/// Points of a tile along the loop that runs in vectors, and along the others.
constexpr long longEdge = 128, shortEdge = 32;
/// The same in a band of two loops around no other, whose tiles would else be too little work for a thread's turn.
constexpr long longSide = 512, shortSide = 128;

isl::multi_union_pw_aff bandOf(const std::vector<isl::union_pw_aff> &rows) {
  isl_union_pw_aff_list *list = isl_union_pw_aff_list_alloc(isl_union_pw_aff_get_ctx(rows.front().get()), 0);
  isl_space *space = isl_union_pw_aff_get_space(rows.front().get());
  for (const isl::union_pw_aff &row : rows) {
    space = isl_space_align_params(space, isl_union_pw_aff_get_space(row.get()));
    list = isl_union_pw_aff_list_add(list, row.copy());
  }
  space = isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, static_cast<unsigned>(rows.size()));
  return isl::manage(isl_multi_union_pw_aff_from_union_pw_aff_list(space, list));
}

isl::union_pw_aff tileOf(const isl::union_pw_aff &row, long edge) {
  isl_val *size = isl_val_int_from_si(isl_union_pw_aff_get_ctx(row.get()), edge);
  return isl::manage(isl_union_pw_aff_floor(isl_union_pw_aff_scale_down_val(row.copy(), size)));
}

/// A band above the node.
isl_schedule_node *above(isl_schedule_node *node, const std::vector<isl::union_pw_aff> &rows) {
  return rows.empty() ? node : isl_schedule_node_insert_partial_schedule(node, bandOf(rows).release());
}

/// The turns of a band: do they hold loops of their own, is each worth a visit of its tile, and which of them, in
/// order, are parts within which the first loop carries nothing?
struct Turns {
  bool holdLoops = false, areHeavy = false;
  std::vector<isl::union_set> parts;
  std::vector<isl::union_set> tiles = {}; // those whose rows do not wait for one another, and those whose rows do
};

/// Points of a tile along a loop of a band of so many.
long edgeOf(const Turns &turns, std::size_t count, bool isLong) {
  return count > 2 || turns.holdLoops ? (isLong ? longEdge : shortEdge) : (isLong ? longSide : shortSide);
}

/// How many equations all elements satisfy.
int equationsOf(const isl::union_set &elements) {
  isl_set *all = isl_set_from_union_set(isl_union_set_detect_equalities(elements.copy()));
  isl_basic_set *hull = isl_set_affine_hull(all);
  isl_mat *equalities = isl_basic_set_equalities_matrix(hull, isl_dim_set, isl_dim_param, isl_dim_div, isl_dim_cst);
  const int count = equalities ? static_cast<int>(isl_mat_rows(equalities)) : 0;
  isl_mat_free(equalities);
  isl_basic_set_free(hull);
  return count;
}

class Turner {
public:
  Turner(const Scop &model, const Dependences &edges, const isl::union_map &all, bool canReorder)
      : scop(model), deps(edges), validity(all), reorder(canReorder) {}

  /// What is thrown waits until isl, which asks for each node, has returned: it leaves what it holds behind where
  /// something passes through it.
  static isl_schedule_node *turned(isl_schedule_node *node, void *user) {
    auto *turner = static_cast<Turner *>(user);
    try {
      return turner->turn(node);
    } catch (...) {
      turner->thrown = std::current_exception();
      return nullptr;
    }
  }
  std::exception_ptr thrown;

private:
  isl_schedule_node *turn(isl_schedule_node *given) const {
    const auto release = [](isl_schedule_node *one) { isl_schedule_node_free(one); };
    std::unique_ptr<isl_schedule_node, decltype(release)> owned(given, release);
    isl_schedule_node *node = owned.get();
    if (isl_schedule_node_get_type(node) != isl_schedule_node_band) return owned.release();
    if (isl_schedule_node_band_get_permutable(node) != isl_bool_true) return owned.release();
    const std::vector<isl::union_pw_aff> rows = rowsOf(node);
    const bool isLeaf = endsBelow(node);
    std::vector<bool> coincident;
    for (std::size_t r = 0; r < rows.size(); ++r)
      coincident.push_back(isl_schedule_node_band_member_get_coincident(node, static_cast<int>(r)) == isl_bool_true);
    std::optional<Innermost> last;
    if (isLeaf) last = innermost(scop, deps, within(node), rows, aroundOf(node), reorder);
    const bool isHeavy = !isLeaf || last || gathersInnermost(scop, deps, within(node), rows);
    Turns turns{!isLeaf, isHeavy, {}};
    if (last && last->member != 0) turns.parts = partsAlongFirst(scop, deps, within(node), rows);
    const bool isInFronts = std::ranges::find(coincident, true) == coincident.end() && runsInFronts(node, rows, turns);
    if (isLeaf && !last && isInFronts) turns.tiles = byTheirRows(node, rows, turns);
    return rebuilt(isl_schedule_node_delete(owned.release()), rows, coincident, last, turns);
  }

  const Scop &scop;
  const Dependences &deps;
  const isl::union_map &validity;
  bool reorder;

  static std::vector<isl::union_pw_aff> rowsOf(isl_schedule_node *node) {
    return rowsOf(isl::manage(isl_schedule_node_band_get_partial_schedule(node)));
  }

  static std::vector<isl::union_pw_aff> aroundOf(isl_schedule_node *node) {
    if (isl_schedule_node_get_schedule_depth(node) == 0) return {};
    return rowsOf(isl::manage(isl_schedule_node_get_prefix_schedule_multi_union_pw_aff(node)));
  }

  static std::vector<isl::union_pw_aff> rowsOf(const isl::multi_union_pw_aff &all) {
    std::vector<isl::union_pw_aff> rows;
    const int count = isl_multi_union_pw_aff_dim(all.get(), isl_dim_set);
    for (int r = 0; r < count; ++r) rows.push_back(isl::manage(isl_multi_union_pw_aff_get_union_pw_aff(all.get(), r)));
    return rows;
  }

  /// The dependences between instances that reach the node in the same iteration of the loops around it.
  [[nodiscard]] isl::union_map within(isl_schedule_node *node) const {
    const isl::union_set here = isl::manage(isl_schedule_node_get_domain(node));
    isl_union_map *own = isl_union_map_intersect_domain(validity.copy(), here.copy());
    own = isl_union_map_intersect_range(own, here.copy());
    if (isl_schedule_node_get_schedule_depth(node) > 0)
      own = isl_union_map_eq_at_multi_union_pw_aff(own, isl_schedule_node_get_prefix_schedule_multi_union_pw_aff(node));
    return isl::manage(own);
  }

  /// Are there fronts of tiles, each worth a start of threads? Those of two loops are short, and start threads often.
  static bool runsInFronts(isl_schedule_node *node, const std::vector<isl::union_pw_aff> &rows, const Turns &turns) {
    const bool isDeep = isl_schedule_node_get_schedule_depth(node) > 0;
    return rows.size() > 2 || (rows.size() > 1 && turns.areHeavy && !isDeep);
  }

  /// The instances in tiles along whose last loop but one nothing is carried, and the others; nothing, where these are
  /// none or of as many dimensions as all tiles are.
  [[nodiscard]] std::vector<isl::union_set>
  byTheirRows(isl_schedule_node *node, const std::vector<isl::union_pw_aff> &rows, const Turns &turns) const {
    const isl::union_set all = isl::manage(isl_schedule_node_get_domain(node));
    std::vector<isl::union_pw_aff> tiles;
    for (const isl::union_pw_aff &row : rows) tiles.push_back(tileOf(row, edgeOf(turns, rows.size(), false)));
    const isl::multi_union_pw_aff place = bandOf(tiles);
    isl_union_map *pairs = isl_union_map_eq_at_multi_union_pw_aff(within(node).release(), place.copy());
    const std::vector<isl::union_pw_aff> outer(rows.begin(), rows.end() - 2);
    if (!outer.empty()) pairs = isl_union_map_eq_at_multi_union_pw_aff(pairs, bandOf(outer).release());
    const isl::multi_union_pw_aff row = bandOf({rows[rows.size() - 2]});
    isl_union_map *same = isl_union_map_eq_at_multi_union_pw_aff(isl_union_map_copy(pairs), row.copy());
    const isl::union_map carried = isl::manage(isl_union_map_subtract(pairs, same));
    if (carried.is_empty()) return {};
    isl_union_map *tileMap = isl_union_map_from_multi_union_pw_aff(place.copy());
    const isl::union_map tileAt = isl::manage(isl_union_map_intersect_domain(tileMap, all.copy()));
    const isl::union_set busy = carried.domain().apply(tileAt);
    const isl::union_set waiting = busy.apply(tileAt.reverse()).intersect(all);
    const isl::union_set free = all.subtract(waiting);
    if (free.is_empty() || equationsOf(busy) <= equationsOf(tileAt.range())) return {};
    return {free, waiting};
  }

  /// `node` is where the band stood.
  static isl_schedule_node *rebuilt(isl_schedule_node *node, const std::vector<isl::union_pw_aff> &rows,
                                    const std::vector<bool> &coincident, const std::optional<Innermost> &last,
                                    const Turns &turns) {
    const auto count = rows.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto isFree = [&](std::size_t r) { return coincident[r]; };
    std::vector<isl::union_pw_aff> points;
    for (std::size_t r = 0; r < count; ++r)
      if (!last || r != last->member) points.push_back(rows[r]);
    const bool hasFree = std::any_of(order.begin(), order.end(), isFree);
    const bool isCut =
        count > 1 && !std::all_of(order.begin(), order.end(), isFree) && (hasFree || runsInFronts(node, rows, turns));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(!isFree(a), a) < std::pair(!isFree(b), b); });
    if (last) node = split(isl_schedule_node_cut(node), rows[last->member], last->parts);
    node = above(node, points);
    if (!isCut) return turns.parts.empty() || hasFree ? node : inSequence(node, turns.parts);
    std::vector<isl::union_pw_aff> tiles;
    for (const std::size_t r : order) {
      const bool isLong = last && r == last->member;
      tiles.push_back(tileOf(rows[r], edgeOf(turns, count, isLong)));
    }
    if (!turns.tiles.empty() && !hasFree) node = inSequence(node, turns.tiles);
    if (!hasFree) tiles[0] = isl::manage(isl_union_pw_aff_add(tiles[0].copy(), tiles[1].copy()));
    return above(node, tiles);
  }

  /// The node once for each part, in order.
  static isl_schedule_node *inSequence(isl_schedule_node *node, const std::vector<isl::union_set> &parts) {
    isl_union_set_list *filters = isl_union_set_list_alloc(isl_schedule_node_get_ctx(node), 0);
    for (const isl::union_set &part : parts) filters = isl_union_set_list_add(filters, part.copy());
    return isl_schedule_node_insert_sequence(node, filters);
  }

  /// The innermost loop: one for each part, in order.
  static isl_schedule_node *split(isl_schedule_node *node, const isl::union_pw_aff &row,
                                  const std::vector<isl::union_set> &parts) {
    if (parts.size() < 2) return above(node, {row});
    node = inSequence(node, parts);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      node = isl_schedule_node_child(isl_schedule_node_child(node, static_cast<int>(p)), 0);
      node = above(node, {isl::manage(isl_union_pw_aff_intersect_domain(row.copy(), parts[p].copy()))});
      node = isl_schedule_node_parent(isl_schedule_node_parent(node));
    }
    return node;
  }
};

} // namespace

bool endsBelow(isl_schedule_node *node) {
  isl_schedule_node *child = isl_schedule_node_get_child(node, 0);
  bool is = true;
  const auto look = [](isl_schedule_node *below, void *user) {
    if (isl_schedule_node_get_type(below) == isl_schedule_node_band) *static_cast<bool *>(user) = false;
    return isl_bool_true;
  };
  isl_schedule_node_foreach_descendant_top_down(child, look, &is);
  isl_schedule_node_free(child);
  return is;
}

isl::schedule withBands(const isl::schedule &schedule, const Scop &scop, const Dependences &dependences,
                        const isl::union_map &validity, bool reorder) {
  Turner turner(scop, dependences, validity, reorder);
  isl_schedule *all = isl_schedule_map_schedule_node_bottom_up(schedule.copy(), Turner::turned, &turner);
  if (turner.thrown) {
    isl_schedule_free(all);
    std::rethrow_exception(turner.thrown);
  }
  return isl::manage(all);
}

} // namespace polymend
