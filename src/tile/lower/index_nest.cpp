// { [i, k] : 0 <= i < n and 0 <= k < row[i + 1] - row[i] } -> loops over i and k. Iterators that the check does not
// name are projected out, unless what data say of the others' bounds depends on them. Where the value is linear in the
// innermost variable and nothing else is in it, the least and the greatest are at the ends of its loop, if it runs.
#include "index_nest.h"

#include "polymend/affine.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {

namespace {

void addSymbols(std::set<std::string> &all, const Expr &e) {
  if (e) all.merge(symbols(e));
}

std::set<std::string> namedIn(const IndexCheck &check) {
  std::set<std::string> all;
  for (const Expr *e : {&check.element, &check.value, &check.least, &check.limit, &check.where}) addSymbols(all, *e);
  return all;
}

isl::set onlyOf(isl::set points, const std::vector<std::string> &iterators, const std::set<std::string> &kept) {
  for (unsigned d = static_cast<unsigned>(iterators.size()); d-- > 0;)
    if (!kept.contains(iterators[d])) points = projectOut(points, d, 1);
  return points;
}

bool dependsOn(const isl::set &set, const DataSize &data) {
  const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, data.name.c_str());
  return position >= 0 &&
         isl_set_involves_dims(set.get(), isl_dim_param, static_cast<unsigned>(position), 1) == isl_bool_true;
}

/// With the iterators that bounds of those named depend on through data.
std::set<std::string> withBoundsOf(std::set<std::string> kept, const isl::set &points,
                                   const std::vector<std::string> &iterators, const Scop &scop) {
  for (std::size_t before = 0; before != kept.size();) {
    before = kept.size();
    const isl::set rest = onlyOf(points, iterators, kept);
    for (const DataSize &data : scop.dataSizes)
      if (dependsOn(rest, data)) kept.merge(loopsOf(data, scop));
  }
  return kept;
}

Expr conjunct(const Expr &a, const Expr &b) { return a && b ? Expr::make(Op::And, {a, b}) : a ? a : b; }

bool names(const Expr &e, const std::string &variable) { return e && symbols(e).contains(variable); }

/// Does a read depend on the variable?
bool readsAt(const Expr &e, const std::string &variable) {
  bool any = false;
  if (e) visit(e, [&](const Expr &node) { any = any || (node.op() == Op::Read && symbols(node).contains(variable)); });
  return any;
}

/// By how much e grows with the variable, which no read in it depends on; absent: it is not linear in it.
std::optional<std::int64_t> slopeOf(const Expr &e, const std::string &variable) {
  if (!names(e, variable)) return 0;
  if (e.op() == Op::Symbol) return 1;
  if (e.op() == Op::Cast || e.op() == Op::Neg) {
    const auto inner = slopeOf(e.arg(0), variable);
    return inner && e.op() == Op::Neg ? std::optional(-*inner) : inner;
  }
  if (e.op() != Op::Add && e.op() != Op::Sub && e.op() != Op::Mul) return std::nullopt;
  const auto a = slopeOf(e.arg(0), variable), b = slopeOf(e.arg(1), variable);
  if (!a || !b) return std::nullopt;
  if (e.op() == Op::Add) return *a + *b;
  if (e.op() == Op::Sub) return *a - *b;
  for (const std::size_t side : {0U, 1U})
    if (e.arg(1 - side).op() == Op::Integer) return slopeOf(e.arg(side), variable).value() * e.arg(1 - side)->integer;
  return std::nullopt;
}

/// The terms of a sum with their signs.
void termsOf(const Expr &e, bool negative, std::vector<std::pair<Expr, bool>> &terms) {
  if (e.op() == Op::Add || e.op() == Op::Sub) {
    termsOf(e.arg(0), negative, terms);
    return termsOf(e.arg(1), negative != (e.op() == Op::Sub), terms);
  }
  if (e.op() == Op::Neg) return termsOf(e.arg(0), !negative, terms);
  if (e.op() == Op::Cast && (e.arg(0).op() == Op::Add || e.arg(0).op() == Op::Sub) && e.type() == Type::Int64)
    return termsOf(e.arg(0), negative, terms);
  terms.emplace_back(e, negative);
}

/// A sum in which no term stands with both signs.
Expr cancelled(const Expr &e) {
  std::vector<std::pair<Expr, bool>> terms;
  termsOf(e, false, terms);
  std::vector<std::pair<Expr, bool>> rest;
  for (const auto &one : terms) {
    const auto opposite = std::find_if(rest.begin(), rest.end(), [&](const auto &other) {
      return other.second != one.second && equal(other.first, one.first);
    });
    if (opposite == rest.end())
      rest.push_back(one);
    else
      rest.erase(opposite);
  }
  Expr sum = Expr::integer(0);
  for (const auto &[term, negative] : rest) sum = negative ? sum - term : sum + term;
  return simplify(sum);
}

Expr at(const Expr &e, const std::string &variable, const Expr &value) {
  if (!e) return e;
  return cancelled(substitute(e, [&](const std::string &name) { return name == variable ? value : Expr(); }));
}

/// The first element in `value` of what was the check's array, which is told; absent: none is left.
Expr elementIn(const Expr &value, const Expr &element) {
  Expr found;
  visit(value, [&](const Expr &node) {
    if (!found && node.op() == Op::Read && node->name == element->name) found = node;
  });
  return found;
}

/// The check with the innermost variable at one end of its loop, and one bound.
IndexCheck atEnd(const IndexCheck &check, bool atLast, bool isLeast) {
  IndexCheck result = check;
  const PointDim dim = result.dims.back();
  result.dims.pop_back();
  const Expr end = atLast ? cancelled(dim.limit - Expr::integer(1)) : dim.first;
  result.value = at(check.value, dim.variable, end);
  (isLeast ? result.limit : result.least) = Expr();
  if (const Expr element = elementIn(result.value, check.element)) result.element = element;
  const Expr runs = Expr::make(Op::Lt, {Expr::integer(0), cancelled(dim.limit - dim.first)});
  result.where = conjunct(runs, check.where);
  return result;
}

int depthOf(const Expr &e) {
  if (!e) return 0;
  int deepest = 0;
  for (const Expr &argument : e->args) deepest = std::max(deepest, depthOf(argument));
  return deepest + (e.op() == Op::Read ? 1 : 0);
}

} // namespace

Result<std::vector<IndexCheck>> overPoints(const IndexCheck &check, const isl::set &points,
                                           const std::vector<std::string> &iterators, const Scop &scop) {
  const std::set<std::string> kept = withBoundsOf(namedIn(check), points, iterators, scop);
  std::vector<std::string> loops;
  std::copy_if(iterators.begin(), iterators.end(), std::back_inserter(loops),
               [&](const std::string &name) { return kept.contains(name); });
  const isl::set domain = isl::manage(isl_set_reset_tuple_id(onlyOf(points, iterators, kept).release()));
  const isl::set anywhere = isl::set::universe(domain.space());
  std::vector<IndexCheck> result;
  for (const isl::basic_set &part : parts(domain)) {
    const ScanBounds bounds = scan(part, symbolsOf(loops), anywhere);
    IndexCheck one = check;
    for (std::size_t d = 0; d < loops.size(); ++d) {
      const Expr first = lowest(bounds.dims[d]), limit = highest(bounds.dims[d]);
      if (!first || !limit) return Refusal{"'" + scop.sourceName(loops[d]) + "' has no bounds over the sizes", {}};
      one.dims.push_back(
          {loops[d], withData(first, scop.dataSizes), withData(limit, scop.dataSizes), PointDim::Kind::Serial});
    }
    if (bounds.rest) one.where = conjunct(withData(bounds.rest, scop.dataSizes), one.where);
    result.push_back(one);
  }
  return result;
}

std::vector<IndexCheck> atEnds(const IndexCheck &check) {
  if (check.kind != IndexCheck::Kind::Within || check.dims.empty()) return {check};
  const std::string &variable = check.dims.back().variable;
  const bool isElsewhere = readsAt(check.value, variable) || names(check.least, variable) ||
                           names(check.limit, variable) || names(check.where, variable);
  const auto slope = isElsewhere ? std::nullopt : slopeOf(check.value, variable);
  if (!slope) return {check};
  std::vector<IndexCheck> result;
  for (const bool isLeast : {true, false}) {
    if (!(isLeast ? check.least : check.limit)) continue;
    for (const IndexCheck &one : atEnds(atEnd(check, (*slope > 0) != isLeast, isLeast))) result.push_back(one);
  }
  return result;
}

int depthOf(const IndexCheck &check) {
  int deepest = 0;
  for (const Expr *e : {&check.value, &check.least, &check.limit, &check.where})
    deepest = std::max(deepest, depthOf(*e));
  for (const PointDim &dim : check.dims) deepest = std::max({deepest, depthOf(dim.first), depthOf(dim.limit)});
  return deepest;
}

bool equal(const IndexCheck &a, const IndexCheck &b) {
  const auto same = [](const Expr &x, const Expr &y) { return x && y ? equal(x, y) : !x && !y; };
  return a.kind == b.kind && a.why == b.why && same(a.element, b.element) && same(a.value, b.value) &&
         same(a.least, b.least) && same(a.limit, b.limit) && same(a.where, b.where) &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [&](const PointDim &x, const PointDim &y) {
                      return x.variable == y.variable && same(x.first, y.first) && same(x.limit, y.limit);
                    });
}

} // namespace polymend
