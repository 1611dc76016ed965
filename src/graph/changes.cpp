// What each change of the loops would break. Every answer is isl's, on the dependences of the source.
//
// Parallel: a loop may run on threads when it carries no dependence. Tiling: loops that hold nothing but each other may
// be cut into blocks when no dependence runs backwards along one of them, given equal iterations of the loops outside.
// Fusing loops L1, L2, ... below a loop P: all of them step together, x to x, and become the outermost loop below P. A
// dependence S[x] -> T[y] between them forbids that where x > y. A statement besides them may run before or after the
// fused loop; it has no place when dependences lead from the loops to it and from it to the loops: each such chain is
// an obstacle. Dependences of arrays that are private to the iterations (each has its own copy) count for nothing.
#include "parts.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend::graph_room {

namespace {

using Group = std::vector<int>; // loops

/// Chains that are listed for one change.
constexpr std::size_t mostObstacles = 200;

class Changes {
public:
  Changes(const DrawnFunction &from, const Scop &model, const Dependences &known)
      : function(from), scop(model), dependences(known) {}

  std::vector<Change> all() {
    for (int loop = 0; loop < count(); ++loop)
      if (!below(loop).empty()) result.push_back(parallel(loop));
    for (int loop = 0; loop < count(); ++loop) addTiling(loop);
    for (int parent = -1; parent < count(); ++parent) addFusions(parent);
    return result;
  }

private:
  [[nodiscard]] int count() const { return static_cast<int>(function.loops.size()); }
  [[nodiscard]] const DrawnLoop &at(int loop) const { return function.loops[static_cast<std::size_t>(loop)]; }
  [[nodiscard]] const std::vector<int> &loopsOf(int statement) const {
    return function.statements[static_cast<std::size_t>(statement)].loops;
  }

  /// Statements within the loop; -1: all.
  [[nodiscard]] std::vector<int> below(int loop) const {
    std::vector<int> statements;
    for (int s = 0; s < static_cast<int>(function.statements.size()); ++s)
      if (loop < 0 || std::count(loopsOf(s).begin(), loopsOf(s).end(), loop)) statements.push_back(s);
    return statements;
  }

  /// Which iterator of the statement the loop is; -1: it is not around it.
  [[nodiscard]] int position(int statement, int loop) const {
    const std::vector<int> &loops = loopsOf(statement);
    const auto found = std::find(loops.begin(), loops.end(), loop);
    return found == loops.end() ? -1 : static_cast<int>(found - loops.begin());
  }

  /// Number of loops around the loop.
  [[nodiscard]] int depth(int loop) const {
    int around = 0;
    for (int outer = at(loop).parent; outer >= 0; outer = at(outer).parent) ++around;
    return around;
  }

  /// The part of an edge within one iteration of its statements' outer `outer` loops.
  [[nodiscard]] isl::map within(std::size_t edge, int outer) const {
    isl::map relation = dependences.edges[edge].relation;
    for (int k = 0; k < outer; ++k)
      relation = isl::manage(isl_map_equate(relation.release(), isl_dim_in, k, isl_dim_out, k));
    return relation;
  }

  /// Does the relation hold x before y along the pair of iterators?
  static bool goes(const isl::map &relation, int x, int y, bool forward) {
    return !isl::manage((forward ? isl_map_order_lt : isl_map_order_gt)(relation.copy(), isl_dim_in, x, isl_dim_out, y))
                .is_empty();
  }

  [[nodiscard]] bool holds(std::size_t edge, int loop) const {
    const Dependence &one = dependences.edges[edge];
    return !one.privatised && (loop < 0 || (position(one.from, loop) >= 0 && position(one.to, loop) >= 0));
  }

  [[nodiscard]] Change parallel(int loop) const {
    Change change{Change::Kind::Parallel, {loop}, {}, true};
    const int d = depth(loop);
    for (std::size_t e = 0; e < dependences.edges.size(); ++e) {
      if (!holds(e, loop)) continue;
      const isl::map relation = within(e, d);
      if (goes(relation, d, d, true) || goes(relation, d, d, false)) change.obstacles.push_back({static_cast<int>(e)});
    }
    return change;
  }

  /// The loop that is all the loop holds; -1: there is more, or none.
  [[nodiscard]] int only(int loop) const {
    int inner = -1;
    for (int k = 0; k < count(); ++k)
      if (at(k).parent == loop) inner = inner < 0 ? k : -2;
    return inner >= 0 && below(inner) == below(loop) ? inner : -1;
  }

  void addTiling(int loop) {
    if (at(loop).parent >= 0 && only(at(loop).parent) == loop) return;
    Change change{Change::Kind::Tile, {loop}, {}, true};
    for (int inner = only(loop); inner >= 0; inner = only(inner)) change.loops.push_back(inner);
    if (change.loops.size() < 2) return;
    const int d = depth(loop);
    for (std::size_t e = 0; e < dependences.edges.size(); ++e) {
      if (!holds(e, change.loops.back())) continue;
      const isl::map relation = within(e, d);
      bool back = false;
      for (std::size_t k = 0; k < change.loops.size(); ++k)
        back = back || goes(relation, d + static_cast<int>(k), d + static_cast<int>(k), !at(change.loops[k]).up);
      if (back) change.obstacles.push_back({static_cast<int>(e)});
    }
    result.push_back(change);
  }

  /// { [outer..., loop] }: the iterations of the loop, with those of the `outer` loops around the parent.
  [[nodiscard]] isl::set range(int loop, int outer) const {
    isl::set all;
    for (const int s : below(loop)) {
      const int own = position(s, loop);
      isl::set domain = scop.statements[static_cast<std::size_t>(s)].domain;
      domain = projectOut(domain, static_cast<unsigned>(own) + 1, dimension(domain) - static_cast<unsigned>(own) - 1);
      domain = projectOut(domain, static_cast<unsigned>(outer), static_cast<unsigned>(own - outer));
      domain = setTuple(domain, "");
      all = all.is_null() ? domain : all.unite(domain);
    }
    return all;
  }

  [[nodiscard]] bool isAround(int outer, int loop) const {
    for (int k = loop; k >= 0; k = at(k).parent)
      if (k == outer) return true;
    return outer < 0;
  }

  /// Do the loops meet at the parent, and nowhere below?
  [[nodiscard]] bool meet(int a, int b, int parent) const {
    if (a == b || isAround(a, b) || isAround(b, a)) return false;
    int common = at(a).parent;
    while (!isAround(common, b)) common = at(common).parent;
    return common == parent;
  }

  /// Loops below the parent that run over one range and meet there: pairs, and all at once.
  void addFusions(int parent) {
    const int outer = parent < 0 ? 0 : depth(parent) + 1;
    std::vector<Group> alike;
    for (int loop = 0; loop < count(); ++loop) {
      if (loop == parent || !isAround(parent, loop) || below(loop).empty()) continue;
      for (Group &group : alike) {
        const bool fits = at(group.front()).up == at(loop).up &&
                          std::all_of(group.begin(), group.end(), [&](int k) { return meet(k, loop, parent); });
        if (!fits || !range(group.front(), outer).is_equal(range(loop, outer))) continue;
        group.push_back(loop);
        break;
      }
      const auto isIn = [&](const Group &group) { return std::count(group.begin(), group.end(), loop) > 0; };
      if (std::none_of(alike.begin(), alike.end(), isIn)) alike.push_back({loop});
    }
    for (const Group &group : alike) {
      for (std::size_t a = 0; a < group.size() && group.size() > 2; ++a)
        for (std::size_t b = a + 1; b < group.size(); ++b) result.push_back(fusion({group[a], group[b]}, outer));
      if (group.size() > 1) result.push_back(fusion(group, outer));
    }
  }

  /// Which of the loops is around the statement; -1: none.
  [[nodiscard]] int memberOf(int statement, const Group &group) const {
    for (std::size_t g = 0; g < group.size(); ++g)
      if (position(statement, group[g]) >= 0) return static_cast<int>(g);
    return -1;
  }

  [[nodiscard]] Change fusion(const Group &group, int outer) const {
    Change change{Change::Kind::Fuse, group, {}, true};
    for (std::size_t e = 0; e < dependences.edges.size(); ++e) {
      const Dependence &edge = dependences.edges[e];
      const int a = memberOf(edge.from, group), b = memberOf(edge.to, group);
      if (a < 0 || b < 0 || edge.privatised) continue;
      const int x = position(edge.from, group[static_cast<std::size_t>(a)]),
                y = position(edge.to, group[static_cast<std::size_t>(b)]);
      if (goes(within(e, outer), x, y, !at(group.front()).up)) change.obstacles.push_back({static_cast<int>(e)});
    }
    addChains(change, outer);
    return change;
  }

  /// Statements besides the loops that would have to run both after and before them.
  void addChains(Change &change, int outer) const {
    std::vector<std::size_t> live;
    for (std::size_t e = 0; e < dependences.edges.size(); ++e) {
      const Dependence &edge = dependences.edges[e];
      const bool isInside = shares(edge.from, change.loops, outer) && shares(edge.to, change.loops, outer);
      if (isInside && !edge.privatised && !within(e, outer).is_empty()) live.push_back(e);
    }
    for (const std::size_t e : live)
      if (memberOf(dependences.edges[e].from, change.loops) >= 0 && memberOf(dependences.edges[e].to, change.loops) < 0)
        follow({static_cast<int>(e)}, live, change);
  }

  /// Is the statement within the `outer` loops around the group?
  [[nodiscard]] bool shares(int statement, const Group &group, int outer) const {
    int loop = group.front();
    while (depth(loop) >= outer && at(loop).parent >= 0) loop = at(loop).parent;
    return outer == 0 || position(statement, loop) >= 0;
  }

  void follow(const std::vector<int> &chain, const std::vector<std::size_t> &live, Change &change) const {
    const int end = dependences.edges[static_cast<std::size_t>(chain.back())].to;
    for (const std::size_t e : live) {
      const Dependence &edge = dependences.edges[e];
      const bool seen = std::any_of(chain.begin(), chain.end(), [&](int k) {
        return dependences.edges[static_cast<std::size_t>(k)].from == edge.to ||
               dependences.edges[static_cast<std::size_t>(k)].to == edge.to;
      });
      if (edge.from != end) continue;
      std::vector<int> longer = chain;
      longer.push_back(static_cast<int>(e));
      if (memberOf(edge.to, change.loops) >= 0) {
        if (change.obstacles.size() < mostObstacles)
          change.obstacles.push_back(longer);
        else
          change.complete = false;
      } else if (!seen && longer.size() < 8 && change.complete) {
        follow(longer, live, change);
      } else if (!seen) {
        change.complete = false;
      }
    }
  }

  const DrawnFunction &function;
  const Scop &scop;
  const Dependences &dependences;
  std::vector<Change> result;
};

} // namespace

std::vector<Change> changesOf(const DrawnFunction &function, const Scop &scop, const Dependences &dependences) {
  for (std::size_t s = 0; s < function.statements.size(); ++s)
    if (function.statements[s].loops.size() != scop.statements[s].iterators.size()) return {};
  return Changes(function, scop, dependences).all();
}

} // namespace polymend::graph_room
