// A program's arrays outlive its kernels: the arguments, and what the function returns.
#include "arguments.h"

#include "argument_elements.h"
#include "filled.h"
#include "polymend/polynomial.h"
#include "polymend/segments.h"
#include "tile/frame.h"
#include "touched_box.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// What the function touches of an array.
struct Touches {
  bool exact = true;           // every access tells which elements of the source's array
  std::optional<isl::set> all; // absent: none
};

/// The sets as one. A union compares all pieces of its two sides: few are added one by one, and many of those sums by
/// pairs.
isl::set united(const std::vector<isl::set> &sets) {
  constexpr std::size_t few = 32;
  std::vector<isl::set> sums;
  for (std::size_t k = 0; k < sets.size(); ++k)
    if (k % few == 0)
      sums.push_back(sets[k]);
    else
      sums.back() = sums.back().unite(sets[k]);
  for (std::size_t step = 1; step < sums.size(); step *= 2)
    for (std::size_t k = 0; k + step < sums.size(); k += 2 * step) sums[k] = sums[k].unite(sums[k + step]);
  return sums.front();
}

Touches touchesOf(const Scop &scop, const Array &array, bool isSegmented) {
  Touches touches;
  std::vector<isl::set> ranges;
  const auto add = [&](const Access &access) {
    if (access.array != array.name) return;
    touches.exact = touches.exact && !isSegmented;
    if (isSegmented) return;
    touches.exact = touches.exact && access.exact;
    ranges.push_back(withoutDataSizes(access.relation.range(), scop));
  };
  for (const Statement &statement : scop.statements) {
    add(statement.write);
    for (const Access &read : statement.reads) add(read);
  }
  for (const Statement &bound : scop.bounds)
    for (const Access &read : bound.reads) add(read);
  if (!ranges.empty()) touches.all = united(ranges);
  return touches;
}

/// One past the largest index of dimension d in a set; absent: there is none over the sizes.
Expr extentIn(const std::optional<isl::set> &touched, unsigned d) {
  if (!touched) return Expr::integer(0);
  return boundsOf(onlyDimension(*touched, d), "x").second;
}

/// Is that index in the set wherever anything is? Of a line that is stepped through, or has one piece, it is, or lies
/// less than a step behind.
bool endIsReached(const isl::set &touched, unsigned d) {
  const isl::set line = isl::manage(isl_set_remove_divs(onlyDimension(touched, d).release()));
  if (isl_set_n_basic_set(line.get()) < 2) return true;
  const isl::set hull = isl::manage(isl_set_from_basic_set(isl_set_simple_hull(line.copy())));
  if (isl_set_dim_is_bounded(hull.get(), isl_dim_set, 0) != isl_bool_true) return true; // extentIn tells none
  return isReached(hull.lexmax(), line);
}

/// How much of each dimension of an array the function uses; empty: all, or nobody knows.
std::vector<Expr> usedOf(const std::optional<isl::set> &touched, const TileArray &array) {
  if (!touched || touched->is_empty()) return {};
  bool less = false;
  std::vector<Expr> used;
  for (std::size_t d = 0; d < array.extents.size(); ++d) {
    const Expr &extent = array.extents[d], reached = extent ? extentIn(touched, static_cast<unsigned>(d)) : Expr();
    if (!reached) return {};
    const Expr all = simplify(inWide(extent));
    used.push_back(simplify(Expr::make(Op::Min, Type::Int64, {inWide(reached), all})));
    less = less || (d > 0 && !equal(used.back(), all));
  }
  return less ? used : std::vector<Expr>();
}

/// How many whole rows an array has that is declared to have so many elements; absent: nobody says, or the last is
/// none.
Expr declaredRows(const Scop &scop, const Array &array) {
  if (!array.length) return {};
  const std::set<std::string> parameters(scop.parameters.begin(), scop.parameters.end());
  const auto isParameter = [&](const std::string &name) { return parameters.contains(name); };
  Expr row = Expr::integer(1);
  for (std::size_t d = 1; d < array.extents.size(); ++d) {
    if (!array.extents[d]) return {};
    row = row * array.extents[d];
  }
  const Linear all = linear(array.length, isParameter), one = linear(row, isParameter);
  if (all.terms.size() != 1 || one.terms.size() != 1 || !all.terms.contains("") || !one.terms.contains("")) return {};
  const auto rows = divideExactly(all.terms.at(""), one.terms.at(""));
  return rows ? expression({{{"", *rows}}, all.meaning}) : Expr();
}

/// The extent of the outermost dimension of a pointer; absent: unknown, or elements before the first are touched.
Expr outermostExtent(const Scop &scop, const Array &array, const Touches &touches) {
  if (reachesBelow(scop, array)) return {};
  if (!touches.exact) return declaredRows(scop, array);
  if (touches.all && !endIsReached(*touches.all, 0)) return {};
  return extentIn(touches.all, 0);
}

/// Does the array lie in segments, the first of its subscripts in the model which of them?
bool isSegmented(const Function &function, const Array &array) { return !indexOf(function, array.name).empty(); }

/// Is it a pointer, though declared as an array, of which nobody need have as many rows as its declaration says?
bool isPointerToRows(const Function &function, const Array &array) {
  if (array.flat || array.storage != Array::Storage::Parameter) return false;
  return std::ranges::any_of(function.parameters, [&](const Parameter &p) {
    return p.isArray && p.name == array.name && p.taken.empty() && !p.isReference;
  });
}

TileArray argument(const Function &function, const Scop &scop, const Array &array) {
  const bool areSegments = isSegmented(function, array);
  TileArray result;
  result.name = array.name;
  result.type = array.type;
  result.extents = array.extents;
  if (areSegments) result.extents.erase(result.extents.begin());
  const Touches touches = touchesOf(scop, array, areSegments);
  if (!result.extents.empty() && (!result.extents[0] || isPointerToRows(function, array)))
    if (const Expr rows = outermostExtent(scop, array, touches)) result.extents[0] = rows;
  if (touches.exact && array.storage == Array::Storage::Parameter) result.used = usedOf(touches.all, result);
  result.space = Space::Argument;
  result.flat = array.flat;
  result.written = !array.isConst;
  return result;
}

/// The same elements under one subscript less.
void join(TileArray &array, const Joined &joined) {
  const auto merge = [&](std::vector<Expr> &extents) {
    if (extents.empty()) return;
    const auto inner = extents.begin() + joined.dimension + 1;
    if (*(inner - 1)) *(inner - 1) = simplify(*(inner - 1) * Expr::integer(joined.extent));
    extents.erase(inner);
  };
  merge(array.extents);
  merge(array.used);
}

} // namespace

Expr inWide(const Expr &e) {
  if (!e || !isInteger(e.type())) return e;
  if (e.op() == Op::Cast) return inWide(e.arg(0));
  ExprNode node = *e;
  node.type = Type::Int64;
  for (Expr &arg : node.args) arg = inWide(arg);
  return Expr{node};
}

TileProgram header(const Function &function, const Scop &scop, const std::vector<Joined> &joined) {
  TileProgram program;
  program.function = function.name;
  program.sizes = function.sizes;
  for (const std::string &scalar : function.scalars)
    for (const Parameter &parameter : function.parameters)
      if (parameter.name == scalar) program.scalars.emplace_back(scalar, parameter.type);
  for (const Array &array : scop.arrays)
    if (array.storage != Array::Storage::Local && !array.functionStatic)
      program.arrays.push_back(argument(function, scop, array));
  for (const Array &array : scop.arrays)
    for (const TileArray &one : program.arrays)
      if (one.name == array.name) {
        TouchedElements touched = elementsTouched(function, scop, array, one);
        if (touched.plain && !isSegmented(function, array)) touched.filled = whereFilled(scop, array, one);
        program.touched.push_back(std::move(touched));
      }
  for (const Joined &one : joined)
    for (TileArray &array : program.arrays)
      if (array.name == one.array) join(array, one);
  if (function.returnType != Type::Void) program.returns = function.returnType;
  const isl::set all = isl::manage(isl_set_universe(isl_set_get_space(scop.assumptions.get())));
  std::vector<Expr> given = function.given;
  if (!scop.assumptions.is_equal(all)) given.push_back(simplify(toCondition(scop.assumptions.coalesce(), {})));
  for (const Expr &one : given) program.given = program.given ? Expr::make(Op::And, {program.given, one}) : one;
  return program;
}

} // namespace polymend
