// A condition on loop variables splits the domain of a reduction. A side on which every element is the neutral one is
// cut off; on what is left the choice is settled. What "neutral" means when a finished reduction that the element reads
// is exceptional is in neutral.cpp.
#include "unmask.h"

#include "import.h"
#include "neutral.h"
#include "polymend/points.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <sstream>

namespace polymend {
namespace {

/// The distinct conditions of choices in `value` that are sets of points of the equation.
std::vector<std::pair<Expr, isl::set>> conditionsOf(const Equation &e) {
  std::vector<std::pair<Expr, isl::set>> found;
  visit(e.value, [&](const Expr &node) {
    if (node.op() != Op::Select) return;
    const Expr &condition = node.arg(0);
    if (std::any_of(found.begin(), found.end(), [&](const auto &known) { return equal(known.first, condition); }))
      return;
    const auto points = pointsWhere(condition, e.domain, e.dims);
    if (points) found.emplace_back(condition, *points);
  });
  return found;
}

/// `value` where `condition` is known.
Expr given(const Expr &value, const Expr &condition, bool holds) {
  return rewrite(value, [&](const Expr &node) {
    return node.op() == Op::Select && equal(node.arg(0), condition) ? node.arg(holds ? 1 : 2) : node;
  });
}

/// The equation on fewer points.
void shrink(Equation &e, const isl::set &domain) {
  e.domain = domain.coalesce();
  for (Operand &operand : e.operands)
    if (domainDimension(operand.map) == e.dims.size()) operand.map = operand.map.intersect_domain(e.domain);
}

/// Choices whose condition is the same on the whole domain are made, and reads that no branch needs are forgotten.
void settle(Equation &e, const System &system) {
  for (const auto &[condition, points] : conditionsOf(e)) {
    if (e.domain.is_subset(points))
      e.value = given(e.value, condition, true);
    else if (points.is_empty())
      e.value = given(e.value, condition, false);
  }
  e = rebuild(
      e, [&](const Expr &read, const Operand &operand, Equation &to) { return readOf(read, operand, to, system); });
}

class Unmasker {
public:
  Unmasker(const Scop &source, const System &all) : scop(source), result{all, {}} {}

  Unmasked run() {
    bool changed = false;
    for (std::size_t k = 0; k < result.system.equations.size(); ++k)
      while (result.system.equations[k].monoid && cutOne(k)) changed = true;
    if (changed) dropUnread();
    return result;
  }

private:
  const Scop &scop;
  Unmasked result;

  /// Cuts one side of one condition off if its elements are neutral: in every row, or in those that keep an element.
  bool cutOne(std::size_t k) {
    const Equation e = result.system.equations[k];
    for (const auto &[condition, points] : conditionsOf(e))
      for (const bool side : {false, true}) {
        const isl::set all = side ? points : e.domain.subtract(points), rest = e.domain.subtract(all);
        if (rest.is_empty()) continue;
        for (const isl::set &cut : {all, all.intersect(rowsOf(e, rest))}) {
          if (cut.is_empty()) continue;
          const Neutrality neutral = neutrality(result.system, static_cast<int>(k), given(e.value, condition, side),
                                                given(e.value, condition, !side), rest, cut);
          if (!neutral.holds) continue;
          assume(e, neutral.finite);
          Equation &smaller = result.system.equations[k];
          shrink(smaller, e.domain.subtract(cut));
          settle(smaller, result.system);
          return true;
        }
      }
    return false;
  }

  /// The rows that hold a point of `points`, whole.
  static isl::set rowsOf(const Equation &e, const isl::set &points) {
    const isl::set keys = projectOut(points, e.keys, e.reduced());
    return setTuple(isl::manage(isl_set_add_dims(keys.copy(), isl_dim_set, e.reduced())), e.name);
  }

  void assume(const Equation &e, const std::set<std::string> &finite) {
    if (finite.empty()) return;
    const SourceRange &where = scop.statements[static_cast<std::size_t>(e.statement)].where;
    std::ostringstream text;
    for (const std::string &array : finite) text << (array == *finite.begin() ? "" : ", ") << array;
    text << (finite.size() == 1 ? " is" : " are") << " finite where a mask gives weight 0 (" << where.file << ":"
         << where.line << ":" << where.column << ")";
    if (std::find(result.assumptions.begin(), result.assumptions.end(), text.str()) == result.assumptions.end())
      result.assumptions.push_back(text.str());
  }

  /// Keys that no reader asks for are not computed.
  void dropUnread() {
    std::vector<Equation> &all = result.system.equations;
    for (std::size_t k = all.size(); k-- > 0;) {
      Equation &e = all[k];
      if (!e.stores.empty()) continue;
      isl::set asked = isl::manage(isl_set_empty(isl_set_get_space(e.keyDomain.get())));
      for (std::size_t r = k + 1; r < all.size(); ++r)
        for (const Operand &operand : all[r].operands)
          if (operand.equation == static_cast<int>(k)) asked = asked.unite(operand.map.range());
      if (e.keyDomain.is_subset(asked)) continue;
      e.keyDomain = e.keyDomain.intersect(asked).coalesce();
      const isl::set wide =
          setTuple(isl::manage(isl_set_add_dims(e.keyDomain.copy(), isl_dim_set, e.reduced())), e.name);
      shrink(e, e.domain.intersect(wide));
      for (Operand &operand : e.operands)
        if (domainDimension(operand.map) == e.keys && e.reduced() != 0)
          operand.map = operand.map.intersect_domain(setTuple(e.keyDomain, domainTuple(operand.map)));
    }
  }
};

} // namespace

Unmasked unmasked(const Scop &scop, const System &system) { return Unmasker(scop, system).run(); }

} // namespace polymend
