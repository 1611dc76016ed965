// Sets become loops, guards and subscripts: each constraint `sum a_k x_k + c >= 0` is read off the set and solved for
// the innermost dimension it mentions. A bound at an outer dimension may be loose (it comes from a projection); every
// constraint of the set itself is enforced at its own innermost dimension, so a scan visits exactly the set.
// One file: bounds, guards and subscripts are read off the same constraints.
#include "polymend/affine.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

Expr number(std::int64_t value) { return Expr::integer(value); }

std::int64_t toInteger(isl_val *value) {
  const std::int64_t result = isl_val_get_num_si(value);
  isl_val_free(value);
  return result;
}

Expr parameterOf(const isl::space &space, unsigned position) {
  return Expr::symbol(isl_space_get_dim_name(space.get(), isl_dim_param, position), Type::Int64);
}

Expr scaled(std::int64_t factor, const Expr &e) { return simplify(number(factor) * e); }

Expr affineToExpr(isl_aff *aff, const DimNames &names);

/// Constant, coefficients and divs of an affine function with integer coefficients.
Expr numerator(isl_aff *aff, const DimNames &names) {
  const isl::space space = isl::manage(isl_aff_get_domain_space(aff));
  Expr sum;
  const auto add = [&](std::int64_t factor, const Expr &term) {
    if (factor == 0) return;
    if (!sum)
      sum = scaled(factor, term);
    else
      sum = factor < 0 ? sum - scaled(-factor, term) : sum + scaled(factor, term);
  };
  const auto accumulate = [&](isl_dim_type type, unsigned position, const Expr &term) {
    add(toInteger(isl_aff_get_coefficient_val(aff, type, static_cast<int>(position))), term);
  };
  for (unsigned i = 0; i < static_cast<unsigned>(isl_aff_dim(aff, isl_dim_param)); ++i)
    accumulate(isl_dim_param, i, parameterOf(space, i));
  for (unsigned i = 0; i < static_cast<unsigned>(isl_aff_dim(aff, isl_dim_in)); ++i)
    accumulate(isl_dim_in, i, names[i]);
  for (unsigned i = 0; i < static_cast<unsigned>(isl_aff_dim(aff, isl_dim_div)); ++i) {
    const std::int64_t factor = toInteger(isl_aff_get_coefficient_val(aff, isl_dim_div, static_cast<int>(i)));
    if (factor == 0) continue;
    isl_aff *div = isl_aff_get_div(aff, static_cast<int>(i));
    add(factor, affineToExpr(div, names));
    isl_aff_free(div);
  }
  const std::int64_t constant = toInteger(isl_aff_get_constant_val(aff));
  if (!sum) return number(constant);
  add(constant, number(1));
  return simplify(sum);
}

/// An affine function; a denominator other than one means the floor of the quotient.
Expr affineToExpr(isl_aff *aff, const DimNames &names) {
  const std::int64_t denominator = toInteger(isl_aff_get_denominator_val(aff));
  if (denominator == 1) return numerator(aff, names);
  isl_aff *whole = isl_aff_scale_val(isl_aff_copy(aff), isl_val_int_from_si(isl_aff_get_ctx(aff), denominator));
  Expr over = numerator(whole, names);
  isl_aff_free(whole);
  return simplify(Expr::make(Op::FloorDiv, Type::Int64, {over, number(denominator)}));
}

Expr conjunction(const std::vector<Expr> &terms) {
  Expr all;
  for (const Expr &term : terms) all = all ? Expr::make(Op::And, {all, term}) : term;
  return all ? all : Expr::integer(1, Type::Bool);
}

struct Row {
  isl_constraint *constraint;
  bool equality;
};

std::vector<Row> rows(const isl::basic_set &set) {
  std::vector<Row> result;
  isl_constraint_list *list = isl_basic_set_get_constraint_list(set.get());
  for (int i = 0; i < isl_constraint_list_n_constraint(list); ++i) {
    isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);
    result.push_back({constraint, isl_constraint_is_equality(constraint) == isl_bool_true});
  }
  isl_constraint_list_free(list);
  return result;
}

void release(const std::vector<Row> &all) {
  for (const Row &row : all) isl_constraint_free(row.constraint);
}

Expr rowCondition(const Row &row, const DimNames &names) {
  isl_aff *aff = isl_constraint_get_aff(row.constraint);
  Expr value = affineToExpr(aff, names);
  isl_aff_free(aff);
  return row.equality ? Expr::make(Op::Eq, {value, number(0)}) : Expr::make(Op::Le, {number(0), value});
}

/// The innermost set dimension that a constraint mentions directly, or through a div; -1: none.
struct Reach {
  int direct = -1;
  int viaDiv = -1;
};

Reach reach(isl_constraint *constraint, unsigned dims) {
  Reach result;
  isl_aff *aff = isl_constraint_get_aff(constraint);
  for (unsigned i = 0; i < dims; ++i)
    if (toInteger(isl_aff_get_coefficient_val(aff, isl_dim_in, static_cast<int>(i))) != 0)
      result.direct = static_cast<int>(i);
  for (int d = 0; d < isl_aff_dim(aff, isl_dim_div); ++d) {
    if (toInteger(isl_aff_get_coefficient_val(aff, isl_dim_div, d)) == 0) continue;
    isl_aff *div = isl_aff_get_div(aff, d);
    for (unsigned i = 0; i < dims; ++i)
      if (isl_aff_involves_dims(div, isl_dim_in, i, 1) == isl_bool_true)
        result.viaDiv = std::max(result.viaDiv, static_cast<int>(i));
    isl_aff_free(div);
  }
  isl_aff_free(aff);
  return result;
}

/// Solves `a x + rest >= 0` (or = 0) for x = dimension `dim`.
void solve(const Row &row, unsigned dim, const DimNames &names, DimBounds &bounds) {
  isl_aff *aff = isl_constraint_get_aff(row.constraint);
  const std::int64_t factor = toInteger(isl_aff_get_coefficient_val(aff, isl_dim_in, static_cast<int>(dim)));
  aff = isl_aff_set_coefficient_si(aff, isl_dim_in, static_cast<int>(dim), 0);
  const auto lowerFrom = [&](isl_aff *rest, std::int64_t by) {
    isl_aff *negative = isl_aff_neg(isl_aff_copy(rest));
    Expr value = affineToExpr(negative, names);
    isl_aff_free(negative);
    if (by != 1) value = Expr::make(Op::FloorDiv, Type::Int64, {value + number(by - 1), number(by)});
    bounds.lower.push_back(simplify(value));
  };
  const auto upperFrom = [&](isl_aff *rest, std::int64_t by) {
    Expr value = affineToExpr(rest, names);
    if (by != 1) value = Expr::make(Op::FloorDiv, Type::Int64, {value, number(by)});
    bounds.upper.push_back(simplify(value + number(1)));
  };
  if (factor > 0) lowerFrom(aff, factor);
  if (factor < 0) upperFrom(aff, -factor);
  if (row.equality) {
    isl_aff *flipped = isl_aff_neg(isl_aff_copy(aff));
    if (factor > 0) upperFrom(flipped, factor);
    if (factor < 0) lowerFrom(flipped, -factor);
    isl_aff_free(flipped);
  }
  isl_aff_free(aff);
}

void keepDistinct(std::vector<Expr> &list) {
  std::vector<Expr> distinct;
  for (const Expr &e : list)
    if (std::none_of(distinct.begin(), distinct.end(), [&](const Expr &other) { return equal(e, other); }))
      distinct.push_back(e);
  list = distinct;
}

/// The only convex part of a set that is convex, else `otherwise`.
isl::basic_set onlyPart(const isl::set &set, const isl::basic_set &otherwise) {
  std::vector<isl::basic_set> all;
  set.foreach_basic_set([&](const isl::basic_set &part) { all.push_back(part); });
  return all.size() == 1 ? all[0] : otherwise;
}

/// The set without constraints that the context implies, alone or with the set's other constraints.
isl::set withoutKnown(const isl::set &set, const isl::set &context) {
  const isl::set tight = isl::manage(isl_set_remove_redundancies(set.intersect(context).release()));
  return tight.is_empty() ? set : tight.gist(context);
}

std::vector<std::pair<isl::set, std::vector<Expr>>> pieces(const isl::pw_multi_aff &function, const DimNames &names) {
  struct Collector {
    std::vector<std::pair<isl::set, std::vector<Expr>>> found;
    const DimNames &names;
  } collector{{}, names};
  isl_pw_multi_aff_foreach_piece(
      function.get(),
      [](isl_set *set, isl_multi_aff *value, void *user) {
        auto &into = *static_cast<Collector *>(user);
        std::vector<Expr> values;
        for (int i = 0; i < isl_multi_aff_dim(value, isl_dim_out); ++i) {
          isl_aff *aff = isl_multi_aff_get_at(value, i);
          values.push_back(affineToExpr(aff, into.names));
          isl_aff_free(aff);
        }
        isl_multi_aff_free(value);
        into.found.emplace_back(isl::manage(set), std::move(values));
        return isl_stat_ok;
      },
      &collector);
  return collector.found;
}

/// The value of a single-valued map's only output dimension: a choice between its pieces, told apart on its domain.
Expr oneOf(const isl::map &map, const DimNames &names) {
  const auto all = pieces(isl::manage(isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(map.copy()))), names);
  const isl::set domain = map.domain();
  Expr result = all.back().second[0];
  for (std::size_t p = all.size() - 1; p-- > 0;)
    if (!equal(all[p].second[0], result))
      result = Expr::make(Op::Select, Type::Int64,
                          {toCondition(all[p].first.gist(domain), names), all[p].second[0], result});
  return result;
}

/// The value of each output for itself: a map has one value where each of its outputs has one. Absent: one has several.
std::optional<std::vector<Expr>> byOutputs(const isl::map &map, const DimNames &names) {
  std::vector<Expr> result;
  for (unsigned i = 0; i < rangeDimension(map); ++i) {
    const isl::map one = coalesced(onlyOutput(map, i));
    if (!one.is_single_valued()) return std::nullopt;
    result.push_back(one.is_empty() ? number(0) : oneOf(one, names));
  }
  return result;
}

} // namespace

DimNames symbolsOf(const std::vector<std::string> &names) {
  DimNames result;
  for (const std::string &name : names) result.push_back(Expr::symbol(name, Type::Int64));
  return result;
}

std::optional<std::vector<Expr>> toExprs(const isl::map &map, const DimNames &names) {
  constexpr int few = 9; // of more pieces each output has fewer
  if (isl_map_n_basic_map(map.get()) > few) return byOutputs(map, names);
  if (!map.is_single_valued()) return std::nullopt;
  const auto all = pieces(isl::manage(isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(map.copy()))), names);
  const unsigned outputs = rangeDimension(map);
  if (all.empty()) return std::vector<Expr>(outputs, number(0));
  if (all.size() == 1) return all.front().second;
  std::vector<Expr> result;
  for (unsigned i = 0; i < outputs; ++i) result.push_back(oneOf(onlyOutput(map, i), names));
  return result;
}

Expr toCondition(const isl::set &set, const DimNames &names) {
  Expr any;
  const isl::set clean = isl::manage(isl_set_compute_divs(isl_set_coalesce(set.copy())));
  clean.foreach_basic_set([&](const isl::basic_set &part) {
    const std::vector<Row> all = rows(part);
    std::vector<Expr> terms;
    for (const Row &row : all) terms.push_back(rowCondition(row, names));
    release(all);
    const Expr condition = conjunction(terms);
    any = any ? Expr::make(Op::Or, {any, condition}) : condition;
  });
  return any ? any : Expr::integer(0, Type::Bool);
}

std::vector<isl::basic_set> parts(const isl::set &set) {
  std::vector<isl::basic_set> result;
  isl::set disjoint = isl::manage(isl_set_make_disjoint(isl_set_coalesce(set.copy())));
  disjoint = isl::manage(isl_set_compute_divs(disjoint.release()));
  disjoint.foreach_basic_set([&](isl::basic_set part) {
    if (!part.is_empty()) result.push_back(isl::manage(isl_basic_set_remove_redundancies(part.release())));
  });
  return result;
}

ScanBounds scan(const isl::basic_set &set, const DimNames &names, const isl::set &known) {
  const unsigned dims = static_cast<unsigned>(isl_basic_set_dim(set.get(), isl_dim_set));
  ScanBounds result;
  result.dims.resize(dims);
  const isl::set context = isl::manage(isl_set_align_params(known.copy(), isl_basic_set_get_space(set.get())));
  const isl::set slim = withoutKnown(isl::set(set), context);
  const isl::basic_set exact = onlyPart(isl::manage(isl_set_compute_divs(slim.copy())), set);
  std::vector<Expr> rest;
  const std::vector<Row> own = rows(exact);
  for (const Row &row : own) {
    const Reach r = reach(row.constraint, dims);
    if (r.direct >= 0 && r.direct > r.viaDiv)
      solve(row, static_cast<unsigned>(r.direct), names, result.dims[static_cast<unsigned>(r.direct)]);
    else
      rest.push_back(rowCondition(row, names));
  }
  release(own);
  for (unsigned k = 0; k < dims; ++k) {
    DimBounds &bounds = result.dims[k];
    if (k + 1 < dims || bounds.lower.empty() || bounds.upper.empty()) {
      isl_set *outer = isl_set_project_out(isl::set(exact).release(), isl_dim_set, k + 1, dims - k - 1);
      const isl::basic_set hull =
          isl::manage(isl_basic_set_remove_redundancies(isl_set_simple_hull(isl_set_remove_divs(outer))));
      const std::vector<Row> projected = rows(hull);
      const bool lower = bounds.lower.empty(), upper = bounds.upper.empty();
      DimBounds more;
      for (const Row &row : projected)
        if (reach(row.constraint, k + 1).direct == static_cast<int>(k)) solve(row, k, names, more);
      release(projected);
      if (lower || k + 1 < dims) bounds.lower.insert(bounds.lower.end(), more.lower.begin(), more.lower.end());
      if (upper || k + 1 < dims) bounds.upper.insert(bounds.upper.end(), more.upper.begin(), more.upper.end());
    }
    keepDistinct(bounds.lower);
    keepDistinct(bounds.upper);
  }
  if (!rest.empty()) result.rest = conjunction(rest);
  return result;
}

Expr lowest(const DimBounds &bounds) {
  Expr value;
  for (const Expr &bound : bounds.lower) value = value ? Expr::make(Op::Max, Type::Int64, {value, bound}) : bound;
  return value ? simplify(value) : value;
}

Expr highest(const DimBounds &bounds) {
  Expr value;
  for (const Expr &bound : bounds.upper) value = value ? Expr::make(Op::Min, Type::Int64, {value, bound}) : bound;
  return value ? simplify(value) : value;
}

} // namespace polymend
