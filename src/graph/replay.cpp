// Replays: the points of a function at small sizes in the source's order and in the planned one, and which dependences
// the planned order violates. Points, orders and violations are enumerated by isl.
//
// Of loops over many iterations whatever the sizes are, the first and last three are shown.
#include "parts.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <algorithm>
#include <optional>

namespace polymend::graph_room {

namespace {

using Sizes = std::map<std::string, std::int64_t>;
using Point = std::vector<std::int64_t>;

constexpr std::size_t mostPoints = 600, mostArrows = 6000;
constexpr std::int64_t mostIterations = 8, shownEnds = 3;
/// Points and arrows that replays at unequal sizes may have in all, the dependences of a function that has all pairs of
/// two sizes, and the sizes of one that has any.
constexpr std::size_t mostBeside = 12000, mostEdgesBeside = 60, mostSizesBeside = 6;

/// The planned order in tiles of some size, and of each dependence the pairs of points that it violates.
struct PlannedOrder {
  int tile = 1;
  std::vector<isl::map> times;
  std::vector<std::optional<isl::map>> broken; // absent: it violates none
};

std::int64_t number(isl_val *value) {
  const isl::val owned = isl::manage(value);
  return owned.num_si();
}

std::vector<Point> pointsOf(const isl::set &set) {
  std::vector<Point> points;
  set.foreach_point([&](const isl::point &point) {
    Point coordinates;
    const auto count = static_cast<int>(dimension(set));
    for (int d = 0; d < count; ++d)
      coordinates.push_back(number(isl_point_get_coordinate_val(point.get(), isl_dim_set, d)));
    points.push_back(coordinates);
  });
  return points;
}

isl::set wrapped(const isl::map &map) { return isl::manage(isl_set_flatten(isl_map_wrap(map.copy()))); }

/// Everything at the given sizes.
isl::set at(const isl::set &set, const Sizes &sizes) {
  isl::set result = set;
  for (const auto &[name, value] : sizes)
    if (isl_set_find_dim_by_name(result.get(), isl_dim_param, name.c_str()) >= 0)
      result = fixParameter(result, name, static_cast<long>(value));
  return isl::manage(isl_set_project_out(result.copy(), isl_dim_param, 0,
                                         static_cast<unsigned>(isl_set_dim(result.get(), isl_dim_param))));
}

isl::map at(const isl::map &map, const Sizes &sizes) {
  isl_map *result = map.copy();
  for (const auto &[name, value] : sizes) {
    const int position = isl_map_find_dim_by_name(result, isl_dim_param, name.c_str());
    if (position >= 0)
      result = isl_map_fix_si(result, isl_dim_param, static_cast<unsigned>(position), static_cast<int>(value));
  }
  const auto count = static_cast<unsigned>(isl_map_dim(result, isl_dim_param));
  return isl::manage(isl_map_project_out(result, isl_dim_param, 0, count));
}

class Small {
public:
  Small(const FunctionTrace &from, Sizes assignment) : trace(from), sizes(std::move(assignment)) {}

  /// Absent: there are no points, or too many.
  std::optional<Replay> replay(const std::vector<PlannedOrder> &orders) {
    result.sizes = sizes;
    for (std::size_t s = 0; s < trace.scop->statements.size(); ++s) {
      shown.push_back(shownOf(s));
      if (!shown.back().is_empty() && pointsOf(shown.back()).size() > mostPoints) return std::nullopt;
    }
    number();
    if (result.points.empty() || result.points.size() > mostPoints) return std::nullopt;
    for (const PlannedOrder &order : orders) {
      const std::vector<int> points = plannedPoints(order.times);
      if (order.tile == 1)
        result.planned = points;
      else
        result.tiled.push_back({order.tile, points, {}});
    }
    for (std::size_t e = 0; e < trace.dependences->edges.size(); ++e)
      if (!trace.dependences->edges[e].privatised) addArrows(e, orders);
    if (result.arrows.size() > mostArrows) return std::nullopt;
    addWaves();
    return result;
  }

private:
  [[nodiscard]] const Statement &statement(std::size_t s) const { return trace.scop->statements[s]; }

  /// How many of a statement's outer loops are held at one iteration: so many that at most two remain where all
  /// statements share them, and in any case in a statement of more than two loops.
  [[nodiscard]] std::size_t heldOf(std::size_t s) const {
    std::size_t deepest = 0, common = statement(s).iterators.size();
    for (const Statement &other : trace.scop->statements) {
      deepest = std::max(deepest, other.iterators.size());
      std::size_t same = 0;
      while (same < std::min(common, other.iterators.size()) && other.iterators[same] == statement(s).iterators[same])
        ++same;
      common = same;
    }
    const std::size_t own = statement(s).iterators.size();
    const std::size_t shared = std::min(common, deepest < 2 ? 0 : deepest - 2);
    return std::max(shared, own < 2 ? 0 : own - 2);
  }

  isl::set shownOf(std::size_t s) {
    isl::set set = polymend::graph_room::at(statement(s).domain, sizes);
    const std::size_t count = heldOf(s);
    for (std::size_t d = 0; d < statement(s).iterators.size() && !set.is_empty(); ++d)
      set = d < count ? holdAt(set, d, statement(s).iterators[d]) : endsOf(set, d);
    return set;
  }

  isl::set holdAt(const isl::set &set, std::size_t d, const std::string &iterator) {
    const auto [value, fresh] = held.try_emplace(iterator, set.dim_max_val(static_cast<int>(d)).num_si());
    if (fresh) result.fixed.push_back(trace.scop->sourceName(iterator) + " = " + std::to_string(value->second));
    return isl::manage(
        isl_set_fix_si(set.copy(), isl_dim_set, static_cast<unsigned>(d), static_cast<int>(value->second)));
  }

  /// The first and last iterations along a loop that has many.
  isl::set endsOf(const isl::set &set, std::size_t d) {
    const std::int64_t least = set.dim_min_val(static_cast<int>(d)).num_si(),
                       most = set.dim_max_val(static_cast<int>(d)).num_si();
    if (most - least < mostIterations) return set;
    const auto dim = static_cast<unsigned>(d);
    const isl::set low =
        isl::manage(isl_set_upper_bound_si(set.copy(), isl_dim_set, dim, static_cast<int>(least + shownEnds - 1)));
    const isl::set high =
        isl::manage(isl_set_lower_bound_si(set.copy(), isl_dim_set, dim, static_cast<int>(most - shownEnds + 1)));
    const std::string note = trace.scop->sourceName(statement(shown.size()).iterators[d]) + " = " +
                             std::to_string(least) + ".." + std::to_string(least + shownEnds - 1) + ", " +
                             std::to_string(most - shownEnds + 1) + ".." + std::to_string(most);
    if (std::find(result.fixed.begin(), result.fixed.end(), note) == result.fixed.end()) result.fixed.push_back(note);
    return low.unite(high);
  }

  /// The points shown of a statement with their times: (time, point) of each.
  std::vector<std::pair<Point, Point>> timed(std::size_t s, const isl::map &time) const {
    std::vector<std::pair<Point, Point>> all;
    if (shown[s].is_empty()) return all;
    const isl::map here = polymend::graph_room::at(time, sizes).intersect_domain(shown[s]);
    const std::size_t count = statement(s).iterators.size();
    for (const Point &both : pointsOf(wrapped(here)))
      all.emplace_back(Point(both.begin() + static_cast<std::ptrdiff_t>(count), both.end()),
                       Point(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(count)));
    return all;
  }

  /// Numbers the points in the source's order.
  void number() {
    const std::vector<isl::map> times = timesIn(*trace.scop, trace.scop->schedule);
    std::vector<std::pair<Point, ReplayPoint>> all;
    for (std::size_t s = 0; s < shown.size(); ++s)
      for (auto &[when, point] : timed(s, times[s])) all.push_back({when, {static_cast<int>(s), point}});
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[when, point] : all) {
      numbers[{point.statement, point.at}] = static_cast<int>(result.points.size());
      result.points.push_back(point);
    }
  }

  /// The points in the order of these times; empty: they do not have one each.
  std::vector<int> plannedPoints(const std::vector<isl::map> &planned) {
    std::vector<std::pair<Point, int>> all;
    for (std::size_t s = 0; s < shown.size(); ++s)
      for (const auto &[when, point] : timed(s, planned[s]))
        all.emplace_back(when, numbers.at({static_cast<int>(s), point}));
    std::sort(all.begin(), all.end());
    std::vector<int> points;
    if (all.size() != result.points.size()) return points;
    for (const auto &[when, point] : all) points.push_back(point);
    return points;
  }

  std::vector<Point> pairsOf(const Dependence &edge, const isl::map &relation) const {
    const isl::map here = polymend::graph_room::at(relation, sizes)
                              .intersect_domain(shown[static_cast<std::size_t>(edge.from)])
                              .intersect_range(shown[static_cast<std::size_t>(edge.to)]);
    return here.is_empty() ? std::vector<Point>() : pointsOf(wrapped(here));
  }

  /// The pairs of points that the order violates, sorted.
  std::vector<Point> brokenPairs(std::size_t index, const PlannedOrder &order) const {
    if (!order.broken[index]) return {};
    std::vector<Point> broken = pairsOf(trace.dependences->edges[index], *order.broken[index]);
    std::sort(broken.begin(), broken.end());
    return broken;
  }

  void addArrows(std::size_t index, const std::vector<PlannedOrder> &orders) {
    const Dependence &edge = trace.dependences->edges[index];
    const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
    if (shown[from].is_empty() || shown[to].is_empty()) return;
    std::vector<std::vector<Point>> broken;
    for (const PlannedOrder &order : orders) broken.push_back(brokenPairs(index, order));
    const auto split = static_cast<std::ptrdiff_t>(statement(from).iterators.size());
    for (const Point &pair : pairsOf(edge, edge.relation)) {
      const int a = numbers.at({edge.from, Point(pair.begin(), pair.begin() + split)});
      const int b = numbers.at({edge.to, Point(pair.begin() + split, pair.end())});
      const auto isBroken = [&](std::size_t order) {
        return std::binary_search(broken[order].begin(), broken[order].end(), pair);
      };
      for (std::size_t k = 1; k < orders.size(); ++k)
        if (isBroken(k)) result.tiled[k - 1].violated.push_back(static_cast<int>(result.arrows.size()));
      result.arrows.push_back({a, b, static_cast<int>(index), !orders.empty() && isBroken(0)});
    }
  }

  void addWaves() {
    result.waves.assign(result.points.size(), 0);
    std::vector<ReplayArrow> sorted = result.arrows;
    std::sort(sorted.begin(), sorted.end(), [](const ReplayArrow &a, const ReplayArrow &b) { return a.to < b.to; });
    for (const ReplayArrow &arrow : sorted) {
      int &wave = result.waves[static_cast<std::size_t>(arrow.to)];
      wave = std::max(wave, result.waves[static_cast<std::size_t>(arrow.from)] + 1);
    }
  }

  const FunctionTrace &trace;
  const Sizes sizes;
  Replay result;
  std::vector<isl::set> shown;
  std::map<std::string, std::int64_t> held;
  std::map<std::pair<int, Point>, int> numbers;
};

/// Every size 2 to 6 where none are asked for.
std::vector<Sizes> sizesOf(const Scop &scop, const DrawOptions &options) {
  std::vector<Sizes> all;
  for (const Sizes &asked : options.sizes) {
    Sizes sizes;
    for (const std::string &name : scop.parameters)
      sizes[name] = asked.contains(name) ? asked.at(name) : asked.empty() ? 4 : asked.begin()->second;
    all.push_back(sizes);
  }
  for (std::int64_t size = 2; size <= 6 && options.sizes.empty(); ++size) {
    Sizes sizes;
    for (const std::string &name : scop.parameters) sizes[name] = size;
    all.push_back(sizes);
    if (scop.parameters.empty()) break;
  }
  return all;
}

/// Every size 4.
Sizes middleOf(const Scop &scop) {
  Sizes middle;
  for (const std::string &name : scop.parameters) middle[name] = 4;
  return middle;
}

/// Sizes that differ, `names` each 2 to 6: of two where little is to be kept each beside each, else one in turn beside
/// the others at 4.
std::vector<Sizes> sizesBeside(const Sizes &middle, const std::vector<std::string> &names, bool isLittle) {
  std::vector<Sizes> all;
  const auto add = [&](const Sizes &some) {
    all.push_back(middle);
    for (const auto &[name, size] : some) all.back()[name] = size;
  };
  const bool isProduct = names.size() == 2 && isLittle;
  for (std::int64_t a = 2; a <= 6 && isProduct; ++a)
    for (std::int64_t b = 2; b <= 6; ++b)
      if (a != b) add({{names[0], a}, {names[1], b}});
  for (const std::string &name : names)
    for (const std::int64_t size : {2, 3, 5, 6})
      if (!isProduct) add({{name, size}});
  return all;
}

/// The dependences of which arrows are shown.
std::size_t shownEdges(const Dependences &dependences) {
  return static_cast<std::size_t>(std::count_if(dependences.edges.begin(), dependences.edges.end(),
                                                [](const Dependence &edge) { return !edge.privatised; }));
}

/// Values are renamed where the order changes: only what is read (flow) can then be violated.
PlannedOrder orderOf(const FunctionTrace &trace, int tile, const std::vector<isl::map> &times) {
  PlannedOrder order{tile, times, {}};
  for (const Dependence &edge : trace.dependences->edges) {
    order.broken.emplace_back();
    if (edge.kind != Dependence::Kind::Flow || edge.privatised) continue;
    const isl::map &from = times[static_cast<std::size_t>(edge.from)], &to = times[static_cast<std::size_t>(edge.to)];
    const isl::map later = isl::manage(isl_map_lex_ge_map(from.copy(), to.copy()));
    const isl::map broken = edge.relation.intersect(later);
    if (!broken.is_empty()) order.broken.back() = broken;
  }
  return order;
}

/// The planned orders in tiles of one, two and three elements; none where there is no order of one.
std::vector<PlannedOrder> ordersOf(DrawnFunction &function, const FunctionTrace &trace) {
  std::vector<PlannedOrder> orders;
  std::string what;
  for (const int tile : {1, 2, 3}) {
    const bool done = capped(
        trace.scop->context,
        [&] {
          const auto times = plannedTimes(trace, tile);
          if (!times) function.replayNote = times.refusal().reason;
          if (times) orders.push_back(orderOf(trace, tile, *times));
        },
        what);
    if (!done && tile == 1) function.replayNote = "isl did not find the planned order in time";
    if (!done || orders.empty()) break;
  }
  return orders;
}

} // namespace

void addReplays(DrawnFunction &function, const FunctionTrace &trace, const DrawOptions &options) {
  const std::vector<PlannedOrder> orders = ordersOf(function, trace);
  function.orderName = orderName(trace);
  std::string what;
  std::map<Sizes, std::optional<Replay>> made; // some are asked for again, to see which sizes matter
  const auto replayAt = [&](const Sizes &sizes) {
    const auto [at, isNew] = made.try_emplace(sizes);
    std::optional<Replay> replay;
    if (isNew && capped(trace.scop->context, [&] { replay = Small(trace, sizes).replay(orders); }, what))
      at->second = replay;
    return at->second;
  };
  for (const Sizes &sizes : sizesOf(*trace.scop, options))
    if (const auto replay = replayAt(sizes)) function.replays.push_back(*replay);
  if (function.replays.empty()) function.replayNote = "it has no points to show at small sizes, or too many";
  const std::size_t count = trace.scop->parameters.size();
  if (function.replays.empty() || !options.sizes.empty() || count < 2 || count > mostSizesBeside) return;
  std::vector<Replay> beside;
  std::size_t kept = 0;
  const bool isLittle = shownEdges(*trace.dependences) <= mostEdgesBeside;
  const Sizes middle = middleOf(*trace.scop);
  std::vector<std::string> names;
  for (const std::string &name : trace.scop->parameters) {
    Sizes small = middle, large = middle;
    small[name] = 3;
    large[name] = 6;
    const auto few = replayAt(small), many = replayAt(large);
    const bool isSame =
        few && many && few->points.size() == many->points.size() && few->arrows.size() == many->arrows.size();
    if (!isSame) names.push_back(name); // else it only says which iterations of outer loops are held
  }
  for (const Sizes &sizes : sizesBeside(middle, names, isLittle)) {
    if (kept > mostBeside) break;
    if (const auto replay = replayAt(sizes)) {
      beside.push_back(*replay);
      kept += replay->points.size() * 4 + replay->arrows.size();
    }
  }
  function.replays.insert(function.replays.begin(), beside.begin(), beside.end());
}

} // namespace polymend::graph_room
