// The hyperplanes of a statement cut its instances into cells. Cells that depend on one another in a circle stay
// together; the others follow one another by the longest chain of dependences before them, so that cells of the same
// rank are independent, and become one again where they are convex together.
#include "pieces.h"

#include "constraints.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <map>

namespace polymend {

namespace {

/// Of one statement, and of all: each pair is asked for dependences.
constexpr std::size_t mostPlanes = 8, mostCells = 32;

/// Where `value` is 0; of an inequality, which begins there, what lies before and what does not.
struct Plane {
  isl::aff value;
  bool isEquality = false;
};

/// Is the value the same at all points with the same value of `outer`?
bool isFixedBy(const isl::aff &value, const isl::set &points, const std::optional<isl::multi_union_pw_aff> &outer) {
  const isl::map to = isl::manage(isl_map_intersect_domain(isl_map_from_aff(value.copy()), points.copy()));
  if (!outer) return isl_set_is_singleton(to.range().get()) == isl_bool_true;
  isl_union_map *turns = isl_union_map_from_multi_union_pw_aff(outer->copy());
  const isl::union_map values =
      isl::manage(isl_union_map_apply_range(isl_union_map_reverse(turns), isl_union_map_from_map(to.copy())));
  return isl_union_map_is_single_valued(values.get()) == isl_bool_true;
}

/// The hyperplanes that bound a part of a statement's points within them.
void notePlanes(const isl::set &part, const isl::set &points, std::vector<Plane> &planes) {
  const isl::set bounded = isl::manage(isl_set_gist(isl_set_remove_divs(part.copy()), points.copy()));
  bounded.foreach_basic_set([&](const isl::basic_set &piece) {
    isl_constraint_list *list = isl_basic_set_get_constraint_list(piece.get());
    const int count = isl_constraint_list_n_constraint(list);
    for (int c = 0; c < count; ++c) {
      isl_constraint *constraint = isl_constraint_list_get_constraint(list, c);
      const bool isEquality = isl_constraint_is_equality(constraint) == isl_bool_true;
      const auto divs = static_cast<unsigned>(std::max(isl_constraint_dim(constraint, isl_dim_div), 0));
      const bool isPlain = isl_constraint_involves_dims(constraint, isl_dim_div, 0, divs) == isl_bool_false;
      if (isPlain) planes.push_back({isl::manage(isl_constraint_get_aff(constraint)), isEquality});
      isl_constraint_free(constraint);
    }
    isl_constraint_list_free(list);
  });
}

/// What a plane makes of a set of points: those before it, on it and behind it.
std::vector<isl::set> cutAt(const isl::set &points, const Plane &plane) {
  std::vector<isl::set> sides;
  const auto take = [&](isl_basic_set *side) {
    const isl::set own = isl::manage(isl_set_intersect(isl_set_from_basic_set(side), points.copy()));
    if (!own.is_empty()) sides.push_back(own);
  };
  take(isl_aff_neg_basic_set(plane.value.copy()));
  if (plane.isEquality) {
    take(isl_aff_zero_basic_set(plane.value.copy()));
    take(isl_aff_neg_basic_set(isl_aff_neg(plane.value.copy())));
  } else {
    take(isl_basic_set_from_constraint(isl_inequality_from_aff(plane.value.copy())));
  }
  return sides;
}

/// The cells of all statements; none: there are too many.
std::vector<isl::set> cellsOf(const isl::union_set &instances, const isl::union_map &validity,
                              const std::optional<isl::multi_union_pw_aff> &outer) {
  std::vector<isl::set> all;
  bool isTooMuch = false;
  instances.foreach_set([&](const isl::set &points) {
    std::vector<Plane> planes;
    validity.foreach_map([&](const isl::map &map) {
      map.foreach_basic_map([&](const isl::basic_map &piece) {
        const isl::map own(piece);
        for (const isl::set &ends : {own.domain(), own.range()})
          if (isl_space_is_equal(ends.space().get(), points.space().get()) == isl_bool_true)
            notePlanes(ends, points, planes);
      });
    });
    std::vector<Plane> ordered;
    for (const bool isEquality : {true, false})
      std::ranges::copy_if(planes, std::back_inserter(ordered),
                           [&](const Plane &plane) { return plane.isEquality == isEquality; });
    std::vector<isl::set> cells{points};
    std::size_t taken = 0;
    for (const Plane &plane : ordered) {
      if (isFixedBy(plane.value, points, outer)) continue;
      std::vector<isl::set> cut;
      for (const isl::set &cell : cells)
        for (const isl::set &side : cutAt(cell, plane)) cut.push_back(side);
      if (cut.size() == cells.size()) continue;
      cells = cut;
      isTooMuch = isTooMuch || ++taken > mostPlanes || all.size() + cells.size() > mostCells;
      if (isTooMuch) return;
    }
    all.insert(all.end(), cells.begin(), cells.end());
  });
  return isTooMuch ? std::vector<isl::set>() : all;
}

using CellGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Cells that follow one another as one, those that depend on one another in a circle.
struct Piece {
  std::vector<isl::set> cells;
  bool dependsOnItself = false;
  std::size_t rank = 0; // pieces in the longest chain before it
};

std::vector<Piece> piecesOf(const std::vector<isl::set> &cells, const isl::union_map &validity) {
  CellGraph graph(cells.size());
  std::vector<bool> depends(cells.size(), false);
  for (std::size_t a = 0; a < cells.size(); ++a) {
    const isl::union_map from = validity.intersect_domain(isl::union_set(cells[a]));
    if (from.is_empty()) continue;
    for (std::size_t b = 0; b < cells.size(); ++b)
      if (!from.intersect_range(isl::union_set(cells[b])).is_empty()) {
        if (a == b) depends[a] = true;
        boost::add_edge(a, b, graph);
      }
  }
  std::vector<std::size_t> part(cells.size());
  const auto parts = static_cast<std::size_t>(boost::strong_components(
      graph, boost::make_iterator_property_map(part.begin(), boost::get(boost::vertex_index, graph))));
  std::vector<Piece> pieces(parts);
  for (std::size_t a = 0; a < cells.size(); ++a) {
    Piece &own = pieces[part[a]];
    own.cells.push_back(cells[a]);
    own.dependsOnItself = own.dependsOnItself || depends[a] || own.cells.size() > 1;
  }
  // What depends on a part has a lower number than it.
  for (std::size_t p = parts; p-- > 0;)
    for (std::size_t a = 0; a < cells.size(); ++a) {
      if (part[a] != p) continue;
      for (auto [edge, last] = boost::out_edges(a, graph); edge != last; ++edge)
        if (const std::size_t to = part[boost::target(*edge, graph)]; to != p)
          pieces[to].rank = std::max(pieces[to].rank, pieces[p].rank + 1);
    }
  std::vector<Piece> ordered;
  for (std::size_t rank = 0; ordered.size() < pieces.size(); ++rank)
    std::ranges::copy_if(pieces, std::back_inserter(ordered), [&](const Piece &one) { return one.rank == rank; });
  return ordered;
}

/// The two as one convex set; absent: they are none.
std::optional<isl::set> together(const isl::set &a, const isl::set &b) {
  if (isl_space_is_equal(a.space().get(), b.space().get()) != isl_bool_true) return std::nullopt;
  const isl::set both = a.unite(b).coalesce();
  return isl_set_n_basic_set(both.get()) == 1 ? std::optional(both) : std::nullopt;
}

/// Fewer pieces, each of which still is independent of those of its rank.
void joinWithinRanks(std::vector<Piece> &pieces) {
  for (std::size_t a = 0; a < pieces.size(); ++a)
    for (std::size_t b = a + 1; b < pieces.size() && pieces[b].rank == pieces[a].rank; ++b) {
      if (pieces[a].dependsOnItself || pieces[b].dependsOnItself) continue;
      const auto both = together(pieces[a].cells.front(), pieces[b].cells.front());
      if (!both) continue;
      pieces[a].cells.front() = *both;
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(b));
      b = a;
    }
}

} // namespace

std::optional<isl::schedule> inPieces(const isl::union_set &instances, const isl::union_map &validity,
                                      const std::optional<isl::multi_union_pw_aff> &outer) {
  std::vector<Piece> pieces = piecesOf(cellsOf(instances, validity, outer), validity);
  joinWithinRanks(pieces);
  if (pieces.size() < 2) return std::nullopt;
  std::optional<isl::schedule> all;
  for (const Piece &piece : pieces) {
    isl::union_set own(piece.cells.front());
    for (const isl::set &cell : piece.cells) own = own.unite(isl::union_set(cell));
    own = own.coalesce();
    std::optional<isl::schedule> next = scheduleOf(own, inside(validity, own), Sought::FewestCarrying);
    if (!next) return std::nullopt;
    all = all ? isl::manage(isl_schedule_sequence(all->release(), next->release())) : *next;
  }
  return all;
}

} // namespace polymend
