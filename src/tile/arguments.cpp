// A program's arrays outlive its kernels: the arguments, and what the function returns.
#include "tile/arguments.h"

#include "tile/phase.h"

#include <isl/set.h>

namespace polymend {
namespace {

/// What the function touches of an array; absent: unknown.
std::optional<isl::set> touchedOf(const Scop &scop, const Array &array) {
  isl::set touched;
  const auto add = [&](const Access &access) {
    if (access.array != array.name) return true;
    if (!access.exact) return false;
    const isl::set range = access.relation.range();
    touched = touched.is_null() ? range : touched.unite(range);
    return true;
  };
  for (const Statement &statement : scop.statements) {
    if (!add(statement.write)) return std::nullopt;
    for (const Access &read : statement.reads)
      if (!add(read)) return std::nullopt;
  }
  return touched;
}

/// One past the largest index of dimension d in a set; absent: there is none over the sizes.
Expr extentIn(const isl::set &touched, unsigned d) {
  if (touched.is_null()) return Expr::integer(0);
  return boundsOf(onlyDimension(touched, d), "x").second;
}

/// How much of each dimension of an array the function uses; empty: all, or nobody knows.
std::vector<Expr> usedOf(const isl::set &touched, const TileArray &array) {
  if (touched.is_null() || touched.is_empty()) return {};
  bool less = false;
  std::vector<Expr> used;
  for (std::size_t d = 0; d < array.extents.size(); ++d) {
    const Expr &extent = array.extents[d], reached = extent ? extentIn(touched, static_cast<unsigned>(d)) : Expr();
    if (!reached) return {};
    used.push_back(simplify(Expr::make(Op::Min, Type::Int64, {reached, extent})));
    less = less || (d > 0 && !equal(used.back(), simplify(extent)));
  }
  return less ? used : std::vector<Expr>();
}

TileArray argument(const Scop &scop, const Array &array) {
  TileArray result;
  result.name = array.name;
  result.type = array.type;
  result.extents = array.extents;
  const auto touched = touchedOf(scop, array);
  if (!result.extents.empty() && !result.extents[0]) result.extents[0] = touched ? extentIn(*touched, 0) : Expr();
  if (touched && array.storage == Array::Storage::Parameter) result.used = usedOf(*touched, result);
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

TileProgram header(const Function &function, const Scop &scop, const std::vector<Joined> &joined) {
  TileProgram program;
  program.function = function.name;
  program.sizes = function.sizes;
  for (const std::string &scalar : function.scalars)
    for (const Parameter &parameter : function.parameters)
      if (parameter.name == scalar) program.scalars.emplace_back(scalar, parameter.type);
  for (const Array &array : scop.arrays)
    if (array.storage != Array::Storage::Local && !array.functionStatic)
      program.arrays.push_back(argument(scop, array));
  for (const Joined &one : joined)
    for (TileArray &array : program.arrays)
      if (array.name == one.array) join(array, one);
  if (function.returnType != Type::Void) program.returns = function.returnType;
  const isl::set all = isl::manage(isl_set_universe(isl_set_get_space(scop.assumptions.get())));
  if (!scop.assumptions.is_equal(all)) program.given = simplify(toCondition(scop.assumptions.coalesce(), {}));
  return program;
}

} // namespace polymend
