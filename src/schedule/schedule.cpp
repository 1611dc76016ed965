// Groups equations, checks that elements read at entry are not overwritten too early, and chooses tile extents and the
// place of every value. A function whose in-place updates would be reordered keeps its order.
#include "polymend/schedule.h"

#include "data_rows.h"
#include "group.h"
#include "inplace.h"
#include "reorder.h"
#include "sliding.h"
#include "spread.h"

#include "polymend/about.h"
#include "polymend/subscripts.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <functional>
#include <sstream>

namespace polymend {
namespace {

constexpr std::int64_t reuseTile = 64, lineTile = 256, mapTile = 512, mostRows = reuseTile * lineTile;
constexpr std::int64_t largestWindow = 64; // elements at most

const Equation &equationOf(const Relaxed &relaxed, const Member &member) {
  return relaxed.system->equations[static_cast<std::size_t>(member.equation)];
}

/// { E[keys] } projected to the kernel's rows, in their order.
isl::set rowsOf(const Equation &e, const Member &member) {
  isl::map map = isl::manage(isl_map_from_domain_and_range(
      e.keyDomain.copy(), isl_set_universe(isl_space_set_alloc(isl_set_get_ctx(e.keyDomain.get()), 0,
                                                               static_cast<unsigned>(member.rows.size())))));
  for (unsigned r = 0; r < member.rows.size(); ++r)
    map = isl::manage(isl_map_equate(map.release(), isl_dim_in, member.rows[r], isl_dim_out, static_cast<int>(r)));
  return map.range();
}

/// The rows on which a member has points. What a grid's loops cannot ensure, because no row occurs in it, is no part of
/// it: the regions inside test it.
isl::set domainOf(const Relaxed &relaxed, const KernelPlan &plan) {
  isl::set all;
  for (const Phase &phase : plan.phases)
    for (const Member &member : phase.members) {
      if (member.role == Member::Role::Inner) continue;
      const isl::set rows = rowsOf(equationOf(relaxed, member), member);
      all = all.is_null() ? rows : all.unite(rows).coalesce();
    }
  return aboutDimensions(all);
}

/// Does the plan compute the equation?
bool computes(const KernelPlan &plan, int equation) {
  return std::any_of(plan.phases.begin(), plan.phases.end(), [&](const Phase &phase) {
    return std::any_of(phase.members.begin(), phase.members.end(),
                       [&](const Member &member) { return member.equation == equation; });
  });
}

/// Does a reduction read an operand once and as it lies in memory, so that no tile of rows would save any of it? What
/// else it reads is small beside that, and a cache holds it. A line of few elements does not count: it is shorter than
/// the threads that would share it. What another kernel left in memory is as good as an array.
bool readsAllOnce(const KernelPlan &plan, const Equation &e) {
  constexpr std::int64_t few = 256;
  const auto reduced = static_cast<unsigned>(e.dims.size()) - e.keys;
  std::int64_t line = 1;
  for (unsigned d = e.keys; d < e.dims.size(); ++d) line *= constantExtent(e.domain, d).value_or(few);
  if (line < few) return false;
  return std::any_of(e.operands.begin(), e.operands.end(), [&](const Operand &operand) {
    if ((operand.equation >= 0 && computes(plan, operand.equation)) || rangeDimension(operand.map) == 0 ||
        domainDimension(operand.map) != e.dims.size())
      return false;
    for (unsigned key = 0; key < e.keys; ++key)
      if (!movesAlong(operand.map, key, 1)) return false;
    const isl::map last = lastSubscript(operand.map);
    return movesAlong(last, e.keys, reduced) && !movesAlong(last, 0, e.keys);
  });
}

/// Is the operand read by conditions of choices alone? Then a tile of rows that shares it saves little beside what it
/// holds.
bool onlyDecides(const Equation &e, std::size_t operand) {
  bool isValue = false;
  const std::function<void(const Expr &)> look = [&](const Expr &node) {
    isValue = isValue || (node.op() == Op::Read && node->access == static_cast<int>(operand));
    for (std::size_t k = node.op() == Op::Select ? 1 : 0; k < node->args.size(); ++k) look(node.arg(k));
  };
  look(e.value);
  return !isValue;
}

/// Does a subscript of the operand that is not affine name the dimension? Then it need not be the same along it.
bool namesRow(const Equation &e, std::size_t operand, unsigned dim) {
  if (e.operands[operand].exact) return false;
  bool found = false;
  visit(e.value, [&](const Expr &node) {
    if (node.op() == Op::Read && node->access == static_cast<int>(operand))
      found = found || symbols(node).contains(e.dims[dim]);
  });
  return found;
}

/// Do some operands from memory stay the same along row r while the member moves? Then a tile of rows reuses them; what
/// another kernel left there counts where matrix units take the product.
bool reusesAlong(const Relaxed &relaxed, const KernelPlan &plan, const ScheduleOptions &options, std::size_t r) {
  for (const Phase &phase : plan.phases)
    for (const Member &member : phase.members) {
      const Equation &e = equationOf(relaxed, member);
      if (!e.monoid || slides(e, options) || (!options.host && readsAllOnce(plan, e))) continue;
      for (std::size_t k = 0; k < e.operands.size(); ++k) {
        const Operand &operand = e.operands[k];
        if (!options.host && onlyDecides(e, k)) continue;
        const bool inMemory = operand.equation < 0 || (options.narrowFactors > 0 && !computes(plan, operand.equation));
        if (!inMemory || domainDimension(operand.map) != e.dims.size()) continue;
        const auto dim = static_cast<unsigned>(member.rows[r]);
        const auto reduced = static_cast<unsigned>(e.dims.size()) - e.keys;
        const bool streams = rangeDimension(operand.map) > 0 && movesAlong(operand.map, e.keys, reduced);
        const bool moves = movesAlong(operand.map, dim, 1) || (!options.host && namesRow(e, k, dim));
        if (streams && !moves) return true;
      }
    }
  return false;
}

/// Does a reduction gather rows of an operand, in which the elements of neighbouring rows of the kernel lie side by
/// side?
bool gathersAlong(const Equation &e, unsigned row) {
  const std::set<std::string> summed(e.dims.begin() + e.keys, e.dims.end());
  const auto moves = [&](const Expr &subscript) {
    const std::set<std::string> used = symbols(subscript);
    return std::ranges::any_of(summed, [&](const std::string &dim) { return used.contains(dim); });
  };
  bool found = false;
  visit(e.value, [&](const Expr &node) {
    if (found || node.op() != Op::Read || node->args.size() < 2 ||
        e.operands[static_cast<std::size_t>(node->access)].exact)
      return;
    const Expr &last = node->args.back();
    const Expr next = substitute(last, [&](const std::string &symbol) {
      return symbol == e.dims[row] ? Expr::symbol(symbol, Type::Int64) + Expr::integer(1) : Expr();
    });
    const Expr step = simplify(next - last);
    found = step.op() == Op::Integer && step->integer == 1 && !moves(last) &&
            std::any_of(node->args.begin(), node->args.end() - 1, moves);
  });
  return found;
}

/// Does a reduction stride through an operand in which the elements of neighbouring rows lie side by side? A tile of
/// rows takes them together.
bool liesAlong(const Relaxed &relaxed, const KernelPlan &plan, std::size_t r) {
  for (const Phase &phase : plan.phases)
    for (const Member &member : phase.members) {
      const Equation &e = equationOf(relaxed, member);
      if (!e.monoid) continue;
      if (gathersAlong(e, static_cast<unsigned>(member.rows[r]))) return true;
      const auto reduced = static_cast<unsigned>(e.dims.size()) - e.keys;
      for (const Operand &operand : e.operands) {
        if (rangeDimension(operand.map) < 2 || domainDimension(operand.map) != e.dims.size()) continue;
        const isl::map last = lastSubscript(operand.map);
        const auto row = static_cast<unsigned>(member.rows[r]);
        if (movesAlong(operand.map, e.keys, reduced) && movesAlong(last, row, 1) && !movesAlong(last, e.keys, reduced))
          return true;
      }
    }
  return false;
}

bool onlyMaps(const Phase &phase) {
  return std::ranges::all_of(phase.members, [](const Member &member) { return member.role == Member::Role::Map; });
}

bool onlyMaps(const KernelPlan &plan) {
  return std::ranges::all_of(plan.phases, [](const Phase &phase) { return onlyMaps(phase); });
}

/// Does the member loop over a constant few elements?
bool isWindow(const Relaxed &relaxed, const Member &member) {
  std::int64_t elements = 1;
  for (const int dim : member.rolled)
    elements *= std::min(
        constantExtent(equationOf(relaxed, member).domain, static_cast<unsigned>(dim)).value_or(largestWindow + 1),
        largestWindow + 1);
  return elements <= largestWindow;
}

/// Do the phases loop over windows of a constant few elements, with nothing to mend? A vector holds neighbouring rows
/// then, for one element of their windows after another.
bool goesOverWindows(const Relaxed &relaxed, const KernelPlan &plan) {
  return std::ranges::all_of(plan.phases, [&](const Phase &phase) {
    return std::ranges::all_of(phase.members,
                               [&](const Member &member) { return member.mended < 0 && isWindow(relaxed, member); });
  });
}

/// Is what the kernel reads and stores contiguous along its innermost row, or the same?
bool liesInLines(const Relaxed &relaxed, const KernelPlan &plan) {
  for (const Phase &phase : plan.phases)
    for (const Member &member : phase.members) {
      const Equation &e = equationOf(relaxed, member);
      const auto row = static_cast<unsigned>(member.rows.back());
      for (const Operand &operand : e.operands)
        if (domainDimension(operand.map) == e.dims.size() && !runsAlongMemory(operand.map, row)) return false;
      for (const Store &store : e.stores)
        if (domainDimension(store.map) > row && !runsAlongMemory(store.map, row)) return false;
    }
  return true;
}

std::int64_t chosen(const std::string &dim, const ScheduleOptions &options, std::int64_t otherwise) {
  const auto found = options.tiles.find(dim.substr(0, dim.rfind('_')));
  return found == options.tiles.end() ? otherwise : found->second;
}

/// On a host, large tiles leave few for its threads, and no room in a cache: the outermost extents give way.
void keepSmall(KernelPlan &plan, const ScheduleOptions &options) {
  std::int64_t rows = 1;
  for (const std::int64_t tile : plan.tiles) rows *= tile;
  for (std::size_t r = 0; r < plan.tiles.size() && rows > mostRows; ++r) {
    const std::int64_t others = rows / plan.tiles[r];
    plan.tiles[r] = chosen(plan.rows[r], options, std::max<std::int64_t>(mostRows / others, 1));
    rows = others * plan.tiles[r];
  }
}

void chooseTiles(const Relaxed &relaxed, KernelPlan &plan, const ScheduleOptions &options) {
  const bool maps = onlyMaps(plan);
  const bool inLines =
      !maps && options.host && !plan.rows.empty() && goesOverWindows(relaxed, plan) && liesInLines(relaxed, plan);
  std::int64_t rows = 1;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const bool innermost = r + 1 == plan.rows.size();
    std::int64_t tile = 1;
    const bool isLine = options.host || plan.rows.size() == 1; // else neighbours along a short row are few
    if ((maps || inLines) && innermost && isLine) tile = mapTile;
    if (!maps && !inLines && options.host && liesAlong(relaxed, plan, r)) tile = lineTile;
    if (!maps && !inLines && reusesAlong(relaxed, plan, options, r)) tile = reuseTile;
    plan.tiles.push_back(chosen(plan.rows[r], options, tile));
    rows *= plan.tiles.back();
  }
  if (options.host) keepSmall(plan, options);
  for (Phase &phase : plan.phases)
    for (std::size_t k = 0; k < phase.rolled.size(); ++k) {
      const bool isLast = k + 1 == phase.rolled.size();
      const std::int64_t usual = inLines || !isLast ? 1 : rows == 1 ? options.stream : reuseTile;
      // In chunks of an outer loop the terms of a sum come in another order than the source's.
      const bool isFree = isLast || options.reorder || onlyMaps(phase);
      phase.chunks.push_back(isFree ? chosen(phase.rolled[k], options, usual) : 1);
    }
}

/// The largest number of rows when it is a constant.
std::optional<std::int64_t> constantRows(const KernelPlan &plan) {
  std::int64_t rows = 1;
  for (unsigned r = 0; r < plan.rows.size(); ++r) {
    const auto extent = constantExtent(plan.domain, r);
    if (!extent) return std::nullopt;
    rows *= *extent;
  }
  return rows;
}

/// Few rows over a long loop leave the machine idle: the loop is shared out, and so are several where nothing is
/// mended; of a loop that ends at data (`endsAtData`) nobody knows whether it is long.
void chooseParts(const Relaxed &relaxed, KernelPlan &plan, const ScheduleOptions &options, bool endsAtData) {
  constexpr std::int64_t fewRows = 32;
  const Phase &first = plan.phases.front();
  const bool isOneLoop = first.rolled.size() == 1;
  const auto canBeShared = [&](const Member &m) {
    return m.role != Member::Role::Map && (isOneLoop || (m.mended < 0 && !isWindow(relaxed, m)));
  };
  const bool possible = options.reorder && options.mode != RelaxMode::Rolling && options.parts > 1 &&
                        !first.rolled.empty() && std::ranges::all_of(first.members, canBeShared);
  plan.divisible = possible && isOneLoop;
  if (!possible || endsAtData) return;
  const auto rows = constantRows(plan);
  if (options.mode == RelaxMode::SplitK || (rows && *rows <= fewRows)) plan.parts = options.parts;
}

struct Seats {
  std::vector<int> kernel, phase;
  std::vector<const Member *> member;
};

Seats seatsOf(const Relaxed &relaxed, const std::vector<KernelPlan> &kernels) {
  const std::size_t n = relaxed.system->equations.size();
  Seats seats{std::vector<int>(n, -1), std::vector<int>(n, -1), std::vector<const Member *>(n, nullptr)};
  for (std::size_t k = 0; k < kernels.size(); ++k)
    for (std::size_t p = 0; p < kernels[k].phases.size(); ++p)
      for (const Member &member : kernels[k].phases[p].members) {
        const auto e = static_cast<std::size_t>(member.equation);
        seats.kernel[e] = static_cast<int>(k);
        seats.phase[e] = static_cast<int>(p);
        seats.member[e] = &member;
      }
  return seats;
}

std::vector<EquationPlace> placesOf(const Relaxed &relaxed, const std::vector<KernelPlan> &kernels) {
  const Seats seats = seatsOf(relaxed, kernels);
  const auto &equations = relaxed.system->equations;
  std::vector<EquationPlace> places(equations.size(), EquationPlace::Stored);
  for (std::size_t e = 0; e < equations.size(); ++e) {
    bool outside = false, inside = false;
    for (std::size_t r = 0; r < equations.size(); ++r)
      for (const Operand &operand : equations[r].operands)
        if (operand.equation == static_cast<int>(e)) (seats.kernel[r] == seats.kernel[e] ? inside : outside) = true;
    if (outside || (inside && !equations[e].monoid))
      places[e] = EquationPlace::Work;
    else if (inside)
      places[e] = EquationPlace::Tile;
    if (places[e] != EquationPlace::Tile || seats.member[e]->role == Member::Role::Inner) continue;
    for (unsigned d = 0; d < equations[e].keys; ++d) {
      const auto &rows = seats.member[e]->rows;
      if (std::find(rows.begin(), rows.end(), static_cast<int>(d)) != rows.end()) continue;
      const auto extent = constantExtent(equations[e].keyDomain, d);
      if (!extent || *extent > tileColumns) places[e] = EquationPlace::Row;
    }
  }
  return places;
}

std::string spell(EquationPlace place) {
  switch (place) {
  case EquationPlace::Stored: return "stored";
  case EquationPlace::Tile: return "tile";
  case EquationPlace::Row: return "row";
  case EquationPlace::Work: return "work";
  }
  return "";
}

/// A function without a plan: in the source's order, or in another one that suits the target.
Schedule withoutPlan(const Scop &scop, const Dependences &dependences, const std::string &why,
                     const ScheduleOptions &options) {
  Schedule result;
  result.why = why;
  result.order = scop.schedule;
  if (!scop.dataSizes.empty()) return result;
  if (const auto other =
          options.host ? reordered(scop, dependences, options.reorder) : spread(scop, dependences, options.reorder)) {
    result.order = other;
    result.moved = true;
  }
  return result;
}

} // namespace

Schedule schedule(const Scop &scop, const Dependences &dependences, const Relaxed &relaxed,
                  const ScheduleOptions &asked) {
  Schedule result;
  ScheduleOptions options = asked;
  options.tiles = withSingleRows(asked.tiles, scop);
  if (!relaxed.system) return withoutPlan(scop, dependences, relaxed.why.reason, options);
  Grouping grouping = group(relaxed, options);
  auto conflict = overwrittenTooEarly(relaxed, grouping.kernels);
  if (conflict && options.host) {
    ScheduleOptions separate = options;
    separate.host = false;
    grouping = group(relaxed, separate);
    conflict = overwrittenTooEarly(relaxed, grouping.kernels);
  }
  result.kernels = grouping.kernels;
  result.apart = grouping.apart;
  if (conflict) return withoutPlan(scop, dependences, conflict->reason(), options);
  for (KernelPlan &plan : result.kernels) {
    plan.domain = domainOf(relaxed, plan);
    chooseTiles(relaxed, plan, options);
    chooseParts(relaxed, plan, options, !scop.dataSizes.empty());
  }
  result.places = placesOf(relaxed, result.kernels);
  if (const auto why = losesRows(scop, relaxed, result)) return withoutPlan(scop, dependences, *why, options);
  result.doubt = doubtOf(relaxed, result, options);
  return result;
}

std::string dump(const Relaxed &relaxed, const Schedule &schedule) {
  std::ostringstream out;
  if (schedule.order) out << "source order: " << schedule.why << "\n" << *schedule.order << "\n";
  for (const KernelPlan &plan : schedule.kernels) {
    out << "kernel rows (";
    for (std::size_t r = 0; r < plan.rows.size(); ++r) out << (r ? ", " : "") << plan.rows[r] << ":" << plan.tiles[r];
    out << ") on " << plan.domain << (plan.parts > 1 ? " in " + std::to_string(plan.parts) + " parts" : "") << "\n";
    for (const Phase &phase : plan.phases) {
      out << "  phase over (";
      for (std::size_t k = 0; k < phase.rolled.size(); ++k)
        out << (k ? ", " : "") << phase.rolled[k] << ":" << phase.chunks[k];
      out << ")\n";
      for (const Member &member : phase.members)
        out << "    " << relaxed.system->equations[static_cast<std::size_t>(member.equation)].name
            << (member.role == Member::Role::Inner ? " inner"
                : member.role == Member::Role::Map ? " map"
                                                   : " reduce")
            << (member.mended >= 0 ? " mended" : "") << ", "
            << spell(schedule.places[static_cast<std::size_t>(member.equation)]) << "\n";
    }
  }
  return out.str();
}

} // namespace polymend
