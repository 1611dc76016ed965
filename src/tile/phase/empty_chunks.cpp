// Where arrays decide which points take part (the key's group is another one, a flag forbids the pair), a member adds
// what is neutral for the others. A chunk in which the same condition leaves out every point for all members changes
// none of their states: a mend with nothing new moves no pivot, but a sum's, which is extrapolated. Asking costs a
// comparison a point, and is worth it where the points of a chunk cost much more: where a state is mended, or a value
// of the chunk is itself summed up.
#include "empty_chunks.h"

#include "regions.h"
#include "start.h"
#include "values.h"

#include <isl/set.h>

#include <algorithm>
#include <optional>

namespace polymend {
namespace {

/// The conditions of which one holds where this one does (not: where it does not).
void addAlternatives(const Expr &condition, bool holds, std::vector<Expr> &into) {
  if (condition.op() == Op::Not) return addAlternatives(condition.arg(0), !holds, into);
  if (condition.op() != (holds ? Op::Or : Op::And))
    return into.push_back(holds ? condition : Expr::make(Op::Not, {condition}));
  for (const Expr &one : condition->args) addAlternatives(one, holds, into);
}

/// The conditions under which a value is what adds nothing.
std::vector<Expr> reasonsForNothing(const Expr &value, const Expr &nothing) {
  std::vector<Expr> reasons;
  for (Expr rest = value; rest.op() == Op::Select;) {
    const bool isOmitted = equal(rest.arg(1), nothing);
    if (!isOmitted && !equal(rest.arg(2), nothing)) break;
    addAlternatives(rest.arg(0), isOmitted, reasons);
    rest = rest.arg(isOmitted ? 2 : 1);
  }
  return reasons;
}

/// Do the two say the same? Of equalities either side may stand first.
bool isSame(const Expr &a, const Expr &b) {
  const bool turns = a.op() == b.op() && (a.op() == Op::Eq || a.op() == Op::Ne);
  return equal(a, b) || (turns && equal(a.arg(0), b.arg(1)) && equal(a.arg(1), b.arg(0)));
}

/// Does a condition of the member's read arrays, and no other equation's value?
bool isOfArrays(const Seated &seated, const Expr &condition) {
  bool reads = false, values = false;
  visit(condition, [&](const Expr &node) {
    if (node.op() != Op::Read) return;
    reads = true;
    values =
        values || (node->access >= 0 && seated.equation.operands[static_cast<std::size_t>(node->access)].equation >= 0);
  });
  return reads && !values;
}

/// The member's dimensions with a point variable that the condition names.
std::vector<unsigned> dimensionsOf(const Seated &seated, const Expr &condition) {
  const std::set<std::string> named = symbols(condition);
  std::vector<unsigned> dimensions;
  for (const unsigned d : seated.order())
    if (named.contains(seated.axes[d].point)) dimensions.push_back(d);
  return dimensions;
}

/// The member's points along these dimensions.
isl::set pointsAlong(const PhaseContext &context, const Seated &seated, const std::vector<unsigned> &dimensions) {
  std::vector<unsigned> order = dimensions;
  for (const unsigned d : seated.order())
    if (std::ranges::find(dimensions, d) == dimensions.end()) order.push_back(d);
  const auto kept = static_cast<unsigned>(dimensions.size());
  const isl::set all = pointSet(seated.equation.domain, seated.axes, order);
  const auto others = static_cast<unsigned>(order.size()) - kept;
  return isl::manage(isl_set_project_out(all.copy(), isl_dim_set, kept, others)).intersect_params(context.known);
}

/// Does the member watch a running sum?
bool watchesSum(const PhaseContext &context, const Seated &seated) {
  if (seated.member.mended < 0 || !correctionOf(context, seated).moves) return false;
  const std::vector<std::string> &pivots = correctionOf(context, seated).pivots;
  return std::ranges::any_of(mendedOf(context, seated).names, [&](const auto &named) {
    const int producer = seated.equation.operands[static_cast<std::size_t>(named.second)].equation;
    return producer >= 0 && std::ranges::find(pivots, named.first) != pivots.end() &&
           context.frame.equation(producer).monoid == Monoid::Sum;
  });
}

/// The conditions that leave out a point for all of the states; empty: there is none, or a chunk has other effects.
std::optional<Expr> reasonOfAll(const PhaseContext &context) {
  std::optional<std::vector<Expr>> common;
  for (const Seated &seated : context.seats) {
    if (seated.member.role == Member::Role::Inner || isReplaced(context, seated)) continue;
    if (seated.member.role == Member::Role::Map || !seated.loops.empty() || watchesSum(context, seated))
      return std::nullopt;
    const Equation &e = seated.equation;
    std::vector<Expr> own;
    for (const Expr &reason : reasonsForNothing(e.value, nothingOf(seated, *e.monoid, e.type)))
      if (isOfArrays(seated, reason)) own.push_back(realize(context, reason, seated));
    if (!common) common = own;
    std::erase_if(*common, [&](const Expr &reason) {
      return std::ranges::none_of(own, [&](const Expr &other) { return isSame(reason, other); });
    });
  }
  if (!common || common->empty()) return std::nullopt;
  Expr any = common->front();
  for (std::size_t k = 1; k < common->size(); ++k) any = Expr::make(Op::Or, {any, (*common)[k]});
  return any;
}

/// Do the points of a chunk cost much more than to ask whether they take part?
bool isWorthAsking(const PhaseContext &context) {
  return std::ranges::any_of(context.seats, [](const Seated &seated) {
    return seated.member.mended >= 0 || (seated.member.role == Member::Role::Inner && seated.equation.monoid);
  });
}

/// The member of the fewest dimensions; absent where members differ in their points along those of the condition.
const Seated *memberToAsk(const PhaseContext &context, const Expr &reason) {
  const Seated *fewest = nullptr;
  isl::set points;
  for (const Seated &seated : context.seats) {
    if (seated.member.role == Member::Role::Inner || isReplaced(context, seated)) continue;
    const std::vector<unsigned> dimensions = dimensionsOf(seated, reason);
    const isl::set own = pointsAlong(context, seated, dimensions);
    if (points.is_null()) points = own;
    if (isl_set_dim(own.get(), isl_dim_set) != isl_set_dim(points.get(), isl_dim_set) || !own.is_equal(points))
      return nullptr;
    if (!fewest || seated.order().size() < fewest->order().size()) fewest = &seated;
  }
  return fewest;
}

} // namespace

TileBlock whereAnyTakesPart(const PhaseContext &context, TileBlock chunk) {
  if (context.frame.rectangular || !isWorthAsking(context)) return chunk;
  const std::optional<Expr> reason = reasonOfAll(context);
  const Seated *seated = reason ? memberToAsk(context, *reason) : nullptr;
  if (!seated) return chunk;
  TileArray any;
  any.name = context.frame.unique("takes_part");
  any.type = Type::Int32;
  any.written = true;
  context.frame.tiles.push_back(any);
  const Expr no = Expr::integer(0, Type::Int32), yes = Expr::integer(1, Type::Int32);
  TileBlock block{TileAssign{{any.name, {}}, Update::Set, no, {}}};
  append(block, points(context, *seated, seated->order(), 0,
                       {{{any.name, {}}, Update::Max, Expr::make(Op::Select, Type::Int32, {*reason, no, yes}), {}}}));
  block.push_back(
      nodeOf(TileBranch{Expr::make(Op::Ne, {Expr::read(any.name, {}, Type::Int32), no}), std::move(chunk), {}}));
  return block;
}

} // namespace polymend
