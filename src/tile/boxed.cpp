// Boxed kernels: every region is a box of constant extents, as matrix units and copy engines want it. Chunks inside
// the domain run without a guard; in the others, what lies outside is guarded (reductions), zero (operands of
// products) or simply not stored (dimensions that stay parallel to the store).
#include "polymend/factors.h"
#include "polymend/points.h"

#include "tile/phase.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <cmath>

namespace polymend {
namespace {

/// The k-th parameter becomes the only dimension of the set.
isl::set asDimension(const isl::set &params, const std::string &name) {
  isl_set *raw = isl_set_from_params(params.copy());
  raw = isl_set_add_dims(raw, isl_dim_set, 1);
  const int at = isl_set_find_dim_by_name(raw, isl_dim_param, name.c_str());
  if (at < 0) return isl::manage(raw);
  raw = isl_set_equate(raw, isl_dim_param, at, isl_dim_set, 0);
  return isl::manage(isl_set_project_out(raw, isl_dim_param, static_cast<unsigned>(at), 1));
}

/// `value` rounded up to a multiple of `step`.
Expr upTo(const Expr &value, std::int64_t step) {
  return Expr::make(Op::FloorDiv, Type::Int64, {value + Expr::integer(step - 1), Expr::integer(step)}) *
         Expr::integer(step);
}

/// One past the last chunk's last point.
Expr chunksEnd(const ChunkLoop &loop) { return loop.first + upTo(loop.limit - loop.first, loop.step); }

Expr clamp(const Expr &value, const Expr &low, const Expr &high) {
  return Expr::make(Op::Min, Type::Int64, {Expr::make(Op::Max, Type::Int64, {value, low}), high});
}

/// A product of a 16-bit factor and a wider one, with the wider one rounded to the other's type.
Expr roundedAlike(const Expr &product) {
  if (product.op() != Op::Mul || product.type() != Type::Float32) return product;
  const Expr a = narrowOf(product.arg(0)), b = narrowOf(product.arg(1));
  const auto rounded = [](Type type, const Expr &e) { return Expr::cast(Type::Float32, Expr::cast(type, e)); };
  if (a && !b) return product.arg(0) * rounded(a.type(), product.arg(1));
  if (b && !a) return rounded(b.type(), product.arg(0)) * product.arg(1);
  return product;
}

/// The operands that are factors of a product as they are.
std::set<int> bareFactors(const Expr &product) {
  std::set<int> bare;
  for (const Expr &factor : factorsOf(product))
    if (const Expr read = unconverted(factor); read.op() == Op::Read) bare.insert(read->access);
  return bare;
}

bool boxable(const Seated &seated) {
  const auto constant = [&](unsigned d) { return seated.axes[d].extent > 0; };
  const std::vector<unsigned> order = seated.order();
  return seated.loops.empty() && std::all_of(order.begin(), order.end(), constant);
}

} // namespace

/// The points of the member's box, for keys it has, that are outside its domain (for maps: all that are outside).
isl::set PhaseLowerer::missing(const Seated &seated) const {
  const Equation &e = seated.equation;
  const std::vector<unsigned> order = seated.order();
  const bool map = seated.member.role == Member::Role::Map;
  isl_set *keys = isl_set_reset_tuple_id(
      isl_set_add_dims(e.keyDomain.copy(), isl_dim_set, static_cast<unsigned>(e.dims.size()) - e.keys));
  isl::set wanted = isl::manage(keys);
  isl::set domain = isl::manage(isl_set_reset_tuple_id(e.domain.copy()));
  if (map) wanted = isl::manage(isl_set_universe(isl_set_get_space(domain.get())));
  isl::set box = pointSet(wanted, seated.axes, order);
  isl::set inside = pointSet(domain, seated.axes, order);
  const isl::set context = isl::manage(isl_set_align_params(known.copy(), isl_set_get_space(box.get())));
  box = isl::manage(isl_set_align_params(box.release(), isl_set_get_space(context.get())));
  box = isl::manage(isl_set_intersect_params(box.release(), isl_set_params(context.copy())));
  return box.subtract(inside);
}

/// The condition that a point of the member's box counts; absent: all do.
Expr PhaseLowerer::maskOf(const Seated &seated) const {
  if (full) return {};
  const isl::set outside = missing(seated).coalesce();
  if (outside.is_empty()) return {};
  const std::vector<unsigned> order = seated.order();
  isl::set inside = pointSet(seated.equation.domain, seated.axes, order);
  inside = isl::manage(isl_set_align_params(inside.release(), isl_set_get_space(outside.get())));
  const isl::set all = inside.unite(isl::manage(isl_set_align_params(outside.copy(), isl_set_get_space(inside.get()))));
  DimNames names;
  for (unsigned d : order) names.push_back(seated.axes[d].local());
  return simplify(toCondition(inside.gist(all).coalesce(), names));
}

/// Divisions by constants as products, which need no register and scale a sum's terms in one step.
Expr PhaseLowerer::timesConstants(const Expr &value) {
  return rewrite(value, [](const Expr &node) {
    if (node.type() != Type::Float32 || node->args.empty()) return node;
    const Expr &last = node->args.back();
    if (last.op() != Op::Real) return node;
    const auto number = static_cast<float>(last->real);
    if (node.op() == Op::Sqrt && number >= 0) return Expr::real(std::sqrt(number), Type::Float32);
    const float inverse = 1 / number;
    return node.op() == Op::Div && std::isnormal(inverse) ? node.arg(0) * Expr::real(inverse, Type::Float32) : node;
  });
}

/// `value` with every part that a tile of this chunk holds replaced by a read of it, the largest parts first.
Expr PhaseLowerer::withKnown(const Seated &seated, const Expr &value) const {
  if (!value || value.op() == Op::Read || value->args.empty()) return value;
  const Outlined *held = isFloating(value.type()) ? knownOutline(seated, value, pointVars(seated, value)) : nullptr;
  if (held && (held->done || held->hoisted)) {
    const Expr element = Expr::read(held->tile.name, held->subscripts, held->tile.type);
    return element.type() == value.type() ? element : Expr::cast(value.type(), element);
  }
  ExprNode node = *value;
  for (Expr &arg : node.args) arg = withKnown(seated, arg);
  return Expr{node};
}

/// The array in memory that holds what an operand reads, null: a tile does.
const TileArray *PhaseLowerer::arrayOf(const Operand &operand) const {
  std::string name = operand.array;
  if (operand.equation >= 0) {
    const auto home = frame.homes.find(operand.equation);
    if (home == frame.homes.end() || !home->second.global) return nullptr;
    name = home->second.array;
  }
  const auto array =
      std::find_if(frame.arrays->begin(), frame.arrays->end(), [&](const TileArray &a) { return a.name == name; });
  return array == frame.arrays->end() ? nullptr : &*array;
}

/// Do copies of all that a product reads give zero at the points of its box that are outside the domain? They do where
/// every subscript is outside its array there.
bool PhaseLowerer::copiesZeroOutside(const Seated &seated) const {
  const Equation &e = seated.equation;
  isl_set *keys = isl_set_add_dims(e.keyDomain.copy(), isl_dim_set, static_cast<unsigned>(e.dims.size()) - e.keys);
  keys = isl_set_set_tuple_id(keys, isl_set_get_tuple_id(e.domain.get()));
  isl_set *reached = isl_set_subtract(keys, e.domain.copy());
  for (unsigned d = e.keys; d < e.dims.size(); ++d) reached = isl_set_lower_bound_si(reached, isl_dim_set, d, 0);
  const isl::set outside = atTurns(isl::manage(reached), seated);
  for (const Operand &operand : e.operands) {
    if (domainDimension(operand.map) < e.dims.size()) continue; // where the sum begins
    const TileArray *array = arrayOf(operand);
    if (!array || !operand.exact) return false;
    const isl::map everywhere =
        isl::manage(isl_map_gist_domain(operand.map.copy(), isl_map_domain(operand.map.copy())));
    isl::set touched = isl::manage(isl_set_reset_tuple_id(isl_set_apply(outside.copy(), everywhere.copy())));
    std::vector<std::string> names;
    Expr inside = Expr::integer(1, Type::Bool);
    for (std::size_t d = 0; d < array->extents.size(); ++d) {
      if (!array->extents[d]) return false;
      names.push_back("x" + std::to_string(d));
      const Expr x = Expr::symbol(names.back(), Type::Int64);
      const Expr both = Expr::make(
          Op::And, {Expr::make(Op::Le, {Expr::integer(0), x}), Expr::make(Op::Lt, {x, usedExtent(*array, d)})});
      inside = d == 0 ? both : Expr::make(Op::And, {inside, both});
    }
    const auto within = pointsWhere(inside, touched, names);
    if (!within || !within->is_empty()) return false;
  }
  return true;
}

/// As copiesZeroOutside, for the factors that products read as they are.
bool PhaseLowerer::bareFactorsZeroOutside(const Seated &seated) const {
  const std::set<int> bare = bareFactors(seated.equation.value);
  if (bare.empty()) return false;
  Equation product = seated.equation;
  product.operands.clear();
  for (const int k : bare)
    if (k >= 0) product.operands.push_back(seated.equation.operands[static_cast<std::size_t>(k)]);
  Seated factors{seated.member, product, seated.axes, seated.parallel, seated.reduced, seated.extras, seated.loops};
  return copiesZeroOutside(factors);
}

TileBlock PhaseLowerer::boxedUpdate(const Seated &seated, const Ref &target, Update update, const Expr &value) {
  TileBlock block;
  const bool product = update == Update::Sum && !seated.reduced.empty() && seated.parallel.size() > 1;
  Expr mask = maskOf(seated);
  if (product) neutralMask = mask;
  Expr operands = product ? regroup(seated, value) : value;
  if (product && frame.options.approximate) {
    const Expr rounded = roundedAlike(operands);
    if (!equal(rounded, operands) && full) {
      const bool brain = narrowOf(rounded.arg(0)).type() == Type::BFloat16;
      frame.approximations.emplace_back("a factor of '" + seated.equation.array + "' rounded to " +
                                            spell(brain ? Type::BFloat16 : Type::Float16),
                                        brain ? "2^-9" : "2^-12");
    }
    operands = rounded;
  }
  const Expr slim = outline(seated, operands, product, block, block);
  if (product) {
    neutralize(seated, slim, block);
    // Zero times an infinite factor counts: rows where that happens are computed again, or the factor is zero there.
    const bool neutral = mask && !neutralMask;
    const bool zero = mask && (neutral ? bareFactorsZeroOutside(seated) : copiesZeroOutside(seated));
    const bool whole = seated.member.role == Member::Role::Reduce && partVariable.empty();
    if (neutral && !zero && seated.member.mended < 0 && whole) watched.insert(seated.member.equation);
    if (zero || (neutral && (seated.member.mended >= 0 || whole))) mask = {};
    neutralMask = {};
  }
  append(block, emitPoints({boxOf(seated.axes, seated.order())}, {{target, update, slim, mask}}, seated.parallel.size(),
                           frame.options.reorder));
  return block;
}

/// The chunks that need no mask, from the points that are missing at any turn of the loops beside them.
void PhaseLowerer::boundFullChunks(ChunkLoop &loop) const {
  isl::set filled = known;
  for (const Seated &seated : seats) {
    isl::set lacking = isl::manage(isl_set_params(missing(seated).release()));
    lacking = isl::manage(isl_set_align_params(lacking.release(), isl_set_get_space(filled.get())));
    filled = isl::manage(isl_set_align_params(filled.release(), isl_set_get_space(lacking.get()))).subtract(lacking);
  }
  filled = atEveryTurn(filled, loop.variable);
  const isl::set line = asDimension(filled.coalesce(), loop.variable);
  const Expr end = simplify(chunksEnd(loop));
  loop.fullFirst = loop.fullLimit = end;
  if (line.is_empty() || isl_set_n_basic_set(line.get()) != 1) return;
  const isl::basic_set part = isl::manage(isl_set_simple_hull(isl_set_remove_divs(line.copy())));
  const isl::set context = asDimension(known, loop.variable);
  const ScanBounds bounds = scan(part, {Expr::symbol(loop.variable, Type::Int64)}, context);
  const auto upward = [&](const Expr &value) { return loop.first + upTo(value - loop.first, loop.step); };
  const Expr low = lowest(bounds.dims[0]), high = highest(bounds.dims[0]);
  loop.fullFirst = simplify(low ? clamp(upward(low), loop.first, end) : loop.first);
  loop.fullLimit = simplify(high ? clamp(upward(high), loop.fullFirst, end) : end);
  if (bounds.rest) loop.fullLimit = Expr::make(Op::Select, Type::Int64, {bounds.rest, loop.fullLimit, loop.fullFirst});
}

std::optional<BoxedPhase> PhaseLowerer::runBoxed() {
  auto result = boxedChunks([](ChunkLoop &) {});
  if (!result) return std::nullopt;
  for (const Seated &seated : seats) append(result->after, endMember(seated));
  result->before = prologue;
  return result;
}

/// The phase's loop, whose bounds `shareOut` may narrow to a part's; without what follows it.
std::optional<BoxedPhase> PhaseLowerer::boxedChunks(const std::function<void(ChunkLoop &)> &shareOut) {
  if (!std::all_of(seats.begin(), seats.end(), boxable)) return std::nullopt;
  for (const Seated &seated : seats) beginMember(seated);
  BoxedPhase result;
  if (rolledAxes.empty()) {
    result.after = chunkBody();
  } else {
    const std::size_t main = chunkedAxis();
    ChunkLoop loop;
    loop.variable = rolledAxes[main].base->name;
    loop.step = rolledAxes[main].extent;
    bindRolled(main, loop.first, loop.limit);
    shareOut(loop);
    const std::vector<Turns> beside = turnsBeside(main);
    full = true;
    loop.full = chunkBody();
    full = false;
    boundFullChunks(loop);
    const bool allFull = equal(loop.fullFirst, loop.first) && equal(loop.fullLimit, simplify(chunksEnd(loop)));
    loop.masked = allFull ? loop.full : chunkBody();
    result.loop = beside.empty() ? loop : flattened(loop, beside, result.lets);
  }
  result.before = prologue;
  return result;
}

} // namespace polymend
