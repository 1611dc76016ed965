// The planned order as isl maps: when each instance of a source statement runs in the kernels of the schedule, tile
// after tile of rows and chunk after chunk, each of so many elements.
//
//   time = [kernel, tile of row 0.., phase, chunk of rolled 0.., member of the phase, row 0.., rolled 0.., rest..,
//           position in the text]
//
// Where the plan is another order of the source's statements, it is that order, its bands in tiles; where the order is
// kept, it is the source's within tiles of the loops around all statements.
//
// A statement that was substituted into others, or that gives a reduction its first value, runs just before the first
// point that reads what it leaves.
#include "parts.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <algorithm>

namespace polymend::graph_room {

namespace {

/// What one coordinate of a time is: a number, or an iterator of the statement, or in which tile of `tile` it lies.
struct Coordinate {
  int iterator = -1;
  long value = 0;
  int tile = 1;
};

/// An equation's dimension is an iterator of its statement with a number behind it; -1: it is none of them.
int iteratorOf(const std::string &dimension, const Statement &statement) {
  const std::string name = dimension.substr(0, dimension.rfind('_'));
  const auto at = std::find(statement.iterators.begin(), statement.iterators.end(), name);
  return at == statement.iterators.end() ? -1 : static_cast<int>(at - statement.iterators.begin());
}

/// { [.., i, ..] -> [.., floor(i / tile), ..] } as constraints on the map.
isl::map inTile(const isl::map &map, int iterator, int out, int tile) {
  isl_local_space *space = isl_local_space_from_space(isl_map_get_space(map.get()));
  isl_constraint *low = isl_constraint_alloc_inequality(isl_local_space_copy(space));
  low = isl_constraint_set_coefficient_si(low, isl_dim_in, iterator, 1);
  low = isl_constraint_set_coefficient_si(low, isl_dim_out, out, -tile);
  isl_constraint *high = isl_constraint_alloc_inequality(space);
  high = isl_constraint_set_coefficient_si(high, isl_dim_in, iterator, -1);
  high = isl_constraint_set_coefficient_si(high, isl_dim_out, out, tile);
  high = isl_constraint_set_constant_si(high, tile - 1);
  return isl::manage(isl_map_add_constraint(isl_map_add_constraint(map.copy(), low), high));
}

isl::map timeMap(const Statement &statement, const std::vector<Coordinate> &time) {
  isl::map map = isl::manage(isl_map_from_domain(statement.domain.copy()));
  map = isl::manage(isl_map_add_dims(map.release(), isl_dim_out, static_cast<unsigned>(time.size())));
  for (std::size_t k = 0; k < time.size(); ++k) {
    const int out = static_cast<int>(k);
    if (time[k].iterator >= 0 && time[k].tile > 1) {
      map = inTile(map, time[k].iterator, out, time[k].tile);
      continue;
    }
    map = time[k].iterator >= 0
              ? isl::manage(isl_map_equate(map.release(), isl_dim_in, time[k].iterator, isl_dim_out, out))
              : isl::manage(isl_map_fix_si(map.release(), isl_dim_out, static_cast<unsigned>(out),
                                           static_cast<int>(time[k].value)));
  }
  return map;
}

class Times {
public:
  Times(const FunctionTrace &from, int elements)
      : trace(from), scop(*from.scop), tile(elements), times(from.scop->statements.size()) {
    for (const KernelPlan &plan : trace.schedule->kernels) {
      rows = std::max(rows, plan.rows.size());
      for (const Phase &phase : plan.phases) rolled = std::max(rolled, phase.rolled.size());
    }
    for (const Statement &statement : scop.statements) rest = std::max(rest, statement.iterators.size());
  }

  Result<std::vector<isl::map>> all() {
    for (std::size_t k = 0; k < trace.schedule->kernels.size(); ++k) {
      const KernelPlan &plan = trace.schedule->kernels[k];
      for (std::size_t p = 0; p < plan.phases.size(); ++p)
        for (const Member &member : plan.phases[p].members)
          if (!place(k, p, static_cast<long>(&member - plan.phases[p].members.data()), member))
            return unplaced(equation(member).statement);
    }
    for (std::size_t s = scop.statements.size(); s-- > 0;)
      if (times[s].is_null() && !placeBeforeReaders(s)) return unplaced(static_cast<int>(s));
    return times;
  }

private:
  [[nodiscard]] const Equation &equation(const Member &member) const {
    return trace.relaxed->system->equations[static_cast<std::size_t>(member.equation)];
  }

  [[nodiscard]] Refusal unplaced(int statement) const {
    const Statement &one = scop.statements[static_cast<std::size_t>(statement)];
    return {"the planned order of " + one.id + " has no form over its own loops", one.where};
  }

  bool place(std::size_t kernel, std::size_t phase, long number, const Member &member) {
    const Equation &e = equation(member);
    std::vector<int> all = e.twins;
    all.push_back(e.statement);
    for (const int s : all) {
      const Statement &statement = scop.statements[static_cast<std::size_t>(s)];
      if (statement.iterators.size() != e.dims.size()) continue; // as what stores a sum that is placed itself
      const auto time = timeOf(kernel, phase, number, member, statement, s == e.statement);
      if (!time) return false;
      times[static_cast<std::size_t>(s)] = timeMap(statement, *time);
    }
    return true;
  }

  /// The statement's iterator that an equation's dimension stands for; a twin's are in the same places.
  [[nodiscard]] int iterator(const Equation &e, int dimension, const Statement &statement, bool own) const {
    const Statement &first = scop.statements[static_cast<std::size_t>(e.statement)];
    if (dimension < 0) return -1;
    const int at = iteratorOf(e.dims[static_cast<std::size_t>(dimension)], first);
    return own || at < static_cast<int>(statement.iterators.size()) ? at : -1;
  }

  [[nodiscard]] std::optional<std::vector<Coordinate>> timeOf(std::size_t kernel, std::size_t phase, long number,
                                                              const Member &member, const Statement &statement,
                                                              bool own) const {
    const Equation &e = equation(member);
    std::vector<Coordinate> time{{-1, static_cast<long>(kernel)}};
    std::vector<bool> used(statement.iterators.size(), false);
    const auto add = [&](const std::vector<int> &dimensions, std::size_t width, int size) {
      for (const int dimension : dimensions) {
        const int at = iterator(e, dimension, statement, own);
        if (at < 0) return false;
        used[static_cast<std::size_t>(at)] = true;
        time.push_back({at, 0, size});
      }
      time.resize(time.size() + width - dimensions.size());
      return true;
    };
    if (!add(member.rows, rows, tile)) return std::nullopt;
    time.push_back({-1, static_cast<long>(phase)});
    if (!add(member.rolled, rolled, tile)) return std::nullopt;
    time.push_back({-1, number});
    if (tile > 1 && !(add(member.rows, rows, 1) && add(member.rolled, rolled, 1))) return std::nullopt;
    const std::size_t end = time.size() + rest;
    for (std::size_t d = 0; d < used.size(); ++d)
      if (!used[d]) time.push_back({static_cast<int>(d), 0});
    time.resize(end);
    time.push_back({-1, static_cast<long>(&statement - scop.statements.data())});
    return time;
  }

  /// { From[x] -> To[y] } of a flow dependence; of the first value of a reduction to all that add to it, as any may
  /// come first in another order.
  [[nodiscard]] isl::map readersOf(const Dependence &edge) const {
    const Reduction *reduction = trace.dependences->reductionOf(edge.to);
    const Statement &reader = scop.statements[static_cast<std::size_t>(edge.to)];
    if (!reduction || reader.write.array != edge.array) return edge.relation;
    isl_map *chain = isl_map_from_domain_and_range(reader.domain.copy(), reader.domain.copy());
    for (std::size_t d = 0; d < reduction->reduced.size(); ++d)
      if (!reduction->reduced[d])
        chain = isl_map_equate(chain, isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d));
    return edge.relation.apply_range(isl::manage(chain));
  }

  /// Just before the first point that reads what the statement leaves.
  bool placeBeforeReaders(std::size_t s) {
    isl::map first;
    for (const Dependence &edge : trace.dependences->edges) {
      const bool leads =
          edge.kind == Dependence::Kind::Flow && edge.from == static_cast<int>(s) && edge.to != edge.from;
      if (!leads || times[static_cast<std::size_t>(edge.to)].is_null()) continue;
      const isl::map seen = readersOf(edge).apply_range(times[static_cast<std::size_t>(edge.to)]);
      first = first.is_null() ? seen : first.unite(seen);
    }
    if (first.is_null()) return false;
    first = first.lexmin();
    const auto last = static_cast<unsigned>(isl_map_dim(first.get(), isl_dim_out)) - 1;
    first = isl::manage(isl_map_project_out(first.release(), isl_dim_out, last, 1));
    first = isl::manage(isl_map_add_dims(first.release(), isl_dim_out, 1));
    times[s] = isl::manage(isl_map_fix_si(first.release(), isl_dim_out, last, static_cast<int>(s)));
    return true;
  }

  const FunctionTrace &trace;
  const Scop &scop;
  const int tile;
  std::vector<isl::map> times;
  std::size_t rows = 0, rolled = 0, rest = 0;
};

/// A band of loops that may be tiled, in tiles of so many elements.
isl_schedule_node *tiledBand(isl_schedule_node *node, void *tile) {
  if (isl_schedule_node_get_type(node) != isl_schedule_node_band) return node;
  const auto count = static_cast<int>(isl_schedule_node_band_n_member(node));
  if (count < 2 || isl_schedule_node_band_get_permutable(node) != isl_bool_true) return node;
  isl_multi_val *sizes = isl_multi_val_zero(isl_schedule_node_band_get_space(node));
  for (int k = 0; k < count; ++k)
    sizes = isl_multi_val_set_val(
        sizes, k, isl_val_int_from_si(isl_schedule_node_get_ctx(node), *static_cast<const int *>(tile)));
  return isl_schedule_node_band_tile(node, sizes);
}

/// Another order of the source's statements.
std::vector<isl::map> movedTimes(const FunctionTrace &trace, int tile) {
  const isl::schedule &order = *trace.schedule->order;
  if (tile == 1) return timesIn(*trace.scop, order);
  return timesIn(*trace.scop, isl::manage(isl_schedule_map_schedule_node_bottom_up(order.copy(), tiledBand, &tile)));
}

/// How many loops, from the outermost on, hold all statements and count upwards.
std::size_t loopsAroundAll(const FunctionTrace &trace) {
  const Scop &scop = *trace.scop;
  std::vector<std::string> common = scop.statements.front().iterators;
  for (const DrawnLoop &loop : loopsOf(trace.function))
    if (!loop.up) common.erase(std::find(common.begin(), common.end(), loop.variable), common.end());
  for (const Statement &statement : scop.statements) {
    const auto differs =
        std::mismatch(common.begin(), common.end(), statement.iterators.begin(), statement.iterators.end());
    common.erase(differs.first, common.end());
  }
  return common.size();
}

/// The source's order within tiles of the loops around all statements, whether they may be tiled or not.
std::vector<isl::map> tiledTimes(const FunctionTrace &trace, int tile) {
  const Scop &scop = *trace.scop;
  std::vector<isl::map> times = timesIn(scop, scop.schedule);
  const std::size_t loops = tile > 1 ? loopsAroundAll(trace) : 0;
  if (loops == 0) return times;
  for (std::size_t s = 0; s < times.size(); ++s) {
    std::vector<Coordinate> tiles;
    for (std::size_t k = 0; k < loops; ++k) tiles.push_back({static_cast<int>(k), 0, tile});
    const isl::map outer = timeMap(scop.statements[s], tiles);
    times[s] = isl::manage(isl_map_flat_range_product(outer.copy(), times[s].copy()));
  }
  return times;
}

} // namespace

std::vector<isl::map> timesIn(const Scop &scop, const isl::schedule &schedule) {
  const isl::union_map all = schedule.map();
  std::vector<isl::map> times;
  for (const Statement &statement : scop.statements) {
    const isl::union_map own = all.intersect_domain(isl::union_set(statement.domain));
    times.push_back(isl::manage(isl_map_from_union_map(own.copy())));
  }
  return times;
}

Result<std::vector<isl::map>> plannedTimes(const FunctionTrace &trace, int tile) {
  if (!trace.schedule || !trace.relaxed) return Refusal{"the function was not scheduled", trace.function.where};
  if (trace.schedule->order && trace.schedule->moved) return movedTimes(trace, tile);
  if (!trace.schedule->order && trace.relaxed->system) return Times(trace, tile).all();
  if (loopsAroundAll(trace) > 1) return tiledTimes(trace, tile);
  return Refusal{"its loops keep the source's order: " + trace.schedule->why, trace.function.where};
}

std::string orderName(const FunctionTrace &trace) {
  if (!trace.schedule) return "";
  const bool isKept = trace.schedule->order && !trace.schedule->moved;
  return isKept ? "the source's order in tiles" : "the planned order";
}

} // namespace polymend::graph_room
