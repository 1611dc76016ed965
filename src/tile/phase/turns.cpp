// A rectangular kernel has one loop over chunks. Where a sum runs over several loops, one of them comes in chunks and
// the others turn by turn beside it, in a box of bounds that none of them moves; the kernel's loop counts all pairs of
// a chunk and a turn, chunk by chunk, so that the chunks that need no mask stay neighbours.
#include "turns.h"

#include "values.h"

#include <isl/set.h>

namespace polymend {
namespace {

/// A set of no dimensions without a parameter.
isl::set withoutParameter(const isl::set &set, const std::string &name) {
  const int at = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
  if (at < 0) return set;
  return isl::manage(isl_set_project_out(set.copy(), isl_dim_param, static_cast<unsigned>(at), 1));
}

Expr floorDiv(const Expr &a, const Expr &b) { return simplify(Expr::make(Op::FloorDiv, Type::Int64, {a, b})); }

Expr floorMod(const Expr &a, const Expr &b) { return simplify(Expr::make(Op::FloorMod, Type::Int64, {a, b})); }

} // namespace

TileBlock withValues(const TileBlock &block, const std::map<std::string, Expr> &values) {
  const auto move = [&](const Expr &e) {
    return !e ? e : simplify(substitute(e, [&](const std::string &name) {
      const auto found = values.find(name);
      return found == values.end() ? Expr() : found->second;
    }));
  };
  return rewrite(block, [&](TileAssign assign) {
    for (Expr &subscript : assign.target.subscripts) subscript = move(subscript);
    assign.value = move(assign.value);
    assign.where = move(assign.where);
    return assign;
  });
}

std::size_t chunkedAxis(const PhaseContext &context) {
  for (std::size_t k = 0; k < context.rolled.size(); ++k)
    if (context.rolled[k].extent > 1) return k;
  return context.rolled.size() - 1;
}

isl::set atTurns(const PhaseContext &context, const isl::set &points, const Seated &seated) {
  isl::set result = points;
  for (std::size_t k = 0; k < context.rolled.size(); ++k) {
    if (!context.rolled[k].point.empty()) continue;
    isl::set all;
    for (const Seated &other : context.seats) {
      const auto at = static_cast<unsigned>(other.member.rolled[k]);
      const isl::set domain = isl::manage(isl_set_reset_tuple_id(other.equation.domain.copy()));
      const isl::set line = onlyDimension(domain, at);
      all = all.is_null() ? line : all.unite(line);
    }
    const auto own = static_cast<unsigned>(seated.member.rolled[k]);
    isl_set *taken = isl_set_from_basic_set(isl_set_simple_hull(isl_set_remove_divs(all.release())));
    taken = isl_set_add_dims(isl_set_insert_dims(taken, isl_dim_set, 0, own), isl_dim_set, dimension(points) - own - 1);
    result = result.intersect(isl::manage(isl_set_set_tuple_id(taken, isl_set_get_tuple_id(points.get()))));
  }
  return result;
}

isl::set atEveryTurn(const PhaseContext &context, const isl::set &filled, const std::string &variable) {
  if (context.rolled.size() == 1) return filled;
  isl::set reached = context.known, lacking = context.known.subtract(filled);
  for (const Axis &axis : context.rolled) {
    if (axis.base->name == variable) continue;
    reached = withoutParameter(reached, axis.base->name);
    lacking = withoutParameter(lacking, axis.base->name);
  }
  return reached.subtract(lacking);
}

ChunkLoop flattened(const PhaseContext &context, const ChunkLoop &loop, const std::vector<Turns> &others,
                    std::vector<std::pair<std::string, Expr>> &lets) {
  const auto let = [&](const std::string &wanted, const Expr &value) {
    if (value.op() == Op::Integer || value.op() == Op::Symbol) return value;
    lets.emplace_back(context.frame.unique(wanted), value);
    return Expr::symbol(lets.back().first, Type::Int64);
  };
  const Expr zero = Expr::integer(0), step = Expr::integer(loop.step);
  const auto chunksTo = [&](const Expr &end) {
    return floorDiv(simplify(end - loop.first + (step - Expr::integer(1))), step);
  };
  ChunkLoop flat;
  flat.variable = context.frame.unique(loop.variable + "_turn");
  const Expr turn = Expr::symbol(flat.variable, Type::Int64);
  std::vector<Expr> counts;
  Expr each = Expr::integer(1);
  for (const Turns &turns : others) {
    const Expr count = simplify(Expr::make(Op::Max, Type::Int64, {simplify(turns.limit - turns.first), zero}));
    counts.push_back(let(turns.variable + "_count", count));
    each = simplify(each * counts.back());
  }
  each = let("turns", each);
  std::map<std::string, Expr> values;
  const Expr chunks =
      let(loop.variable + "_count", simplify(Expr::make(Op::Max, Type::Int64, {chunksTo(loop.limit), zero})));
  const Expr first = let(loop.variable + "_first", loop.first);
  values[loop.variable] = isOne(chunks) ? first : simplify(first + floorDiv(turn, each) * step);
  Expr rest = isOne(chunks) ? turn : floorMod(turn, each);
  for (std::size_t k = others.size(); k-- > 0;) {
    const Expr own = let(others[k].variable + "_first", others[k].first);
    values[others[k].variable] = simplify(own + (k == 0 ? rest : floorMod(rest, counts[k])));
    rest = floorDiv(rest, counts[k]);
  }
  flat.first = zero;
  flat.limit = simplify(chunks * each);
  flat.step = 1;
  flat.fullFirst = simplify(chunksTo(loop.fullFirst) * each);
  flat.fullLimit = simplify(chunksTo(loop.fullLimit) * each);
  flat.full = withValues(loop.full, values);
  flat.masked = withValues(loop.masked, values);
  return flat;
}

} // namespace polymend
