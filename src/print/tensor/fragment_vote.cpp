// Where a condition concerns few rows at few times (rows whose pivot moves), threads ask once whether any row of their
// warp is concerned, and jump across all that happens to such rows only.
#include "role_fragment.h"

namespace polymend::print_room {
namespace {

/// A value in the rows of a condition, a constant or what another tile holds in the others.
bool isPartial(const TileAssign &a) {
  if (a.where || a.update != Update::Set || a.value.op() != Op::Select) return false;
  const Op other = a.value.arg(2).op();
  return other == Op::Real || other == Op::Read;
}

/// The condition of the rows where something happens.
const Expr &conditionOf(const TileAssign &a) { return isPartial(a) ? a.value.arg(0) : a.where; }

} // namespace

/// Conditions on what rows hold are voted on; those on positions alone are not.
bool FragmentPrinter::isVoted(const Expr &condition) const {
  bool any = false, all = true;
  visit(condition, [&](const Expr &e) {
    if (e.op() != Op::Read) return;
    const TileArray *tile = fragment(e->name);
    const bool row = tile && tile->extents.size() == 1;
    any = any || row;
    all = all && row;
  });
  return any && all;
}

std::string FragmentPrinter::rowCondition(const Expr &condition, const Plane &plane) {
  return printExpr(placed(condition, plane, "$r", "$e"), context);
}

const FragmentPrinter::Vote &FragmentPrinter::voteOn(const Expr &condition, const Plane &plane, Writer &out) {
  const std::string text = rowCondition(condition, plane);
  if (vote && vote->condition == text) return *vote;
  vote = Vote{text, context.names.fresh("moves"), context.names.fresh("any_moves"), {}, {}};
  visit(condition, [&](const Expr &e) {
    if (e.op() == Op::Read) vote->reads.insert(e->name);
  });
  out.line("bool " + vote->rows + "[" + rows() + "];");
  out.pragma("unroll");
  out.line("for (int $r = 0; $r < " + rows() + "; ++$r) " + vote->rows + "[$r] = " + text + ";");
  std::string any;
  for (std::int64_t k = 0; k < 2 * warpsN; ++k)
    any += (k == 0 ? "" : " || ") + vote->rows + "[" + std::to_string(k) + "]";
  out.line("const bool " + vote->any + " = __any_sync(0xffffffffu, " + any + ");");
  return *vote;
}

void FragmentPrinter::noteWritten(const std::string &array) {
  if (!vote) return;
  vote->others.erase(array);
  if (vote->reads.contains(array)) vote.reset();
}

/// Whether a region that multiplies leaves the rows that the vote is not about as they are.
bool FragmentPrinter::standsElsewhere(const TileAssign &a) const {
  if (!vote || a.update != Update::Set || a.value.op() != Op::Mul) return false;
  const auto isTarget = [&](const Expr &e) {
    return e.op() == Op::Read && e->name == a.target.array &&
           std::equal(e->args.begin(), e->args.end(), a.target.subscripts.begin(), a.target.subscripts.end(),
                      [](const Expr &x, const Expr &y) { return equal(x, y); });
  };
  const auto isOne = [&](const Expr &e) {
    const auto other = e.op() == Op::Read ? vote->others.find(e->name) : vote->others.end();
    return other != vote->others.end() && other->second.op() == Op::Real && other->second->real == 1;
  };
  return (isTarget(a.value.arg(0)) && isOne(a.value.arg(1))) || (isTarget(a.value.arg(1)) && isOne(a.value.arg(0)));
}

/// So many regions from number `first` on happen to the rows of one condition only: none changes what it reads, and
/// what they leave in the others can be set before all of them. Partial values alone are none.
std::size_t FragmentPrinter::votedTogether(const std::vector<TileAssign> &body, std::size_t first) const {
  const Expr condition = conditionOf(body[first]);
  if (!condition || !isVoted(condition)) return 0;
  std::size_t end = first;
  bool guards = false;
  for (; end < body.size(); ++end) {
    const TileAssign &a = body[end];
    const Expr own = conditionOf(a);
    const std::string &array = a.target.array;
    if (!own || !equal(own, condition) || !fragment(array) || array == kernel.fallback) break;
    bool inTheWay = reads(condition, array);
    for (std::size_t k = first; isPartial(a) && k <= end; ++k)
      inTheWay = inTheWay || reads(body[k].value, array) ||
                 (k < end && (body[k].target.array == array || reads(a.value.arg(2), body[k].target.array)));
    if (inTheWay) break;
    guards = guards || a.where;
  }
  return guards ? end - first : 0;
}

/// Regions of rows in order; those that one vote is about stand together.
void FragmentPrinter::rowRegions(const std::vector<TileAssign> &body, const Plane &plane, Writer &out) {
  for (std::size_t first = 0; first < body.size();) {
    const std::size_t count = votedTogether(body, first), end = first + count;
    if (count == 0) {
      rowRegion(body[first], plane, out);
      noteWritten(body[first++].target.array);
      continue;
    }
    const Expr condition = conditionOf(body[first]);
    const std::string any = voteOn(condition, plane, out).any;
    for (std::size_t k = first; k < end; ++k) {
      noteWritten(body[k].target.array);
      if (!isPartial(body[k])) continue;
      TileAssign others = body[k];
      others.value = others.value.arg(2);
      rowRegion(others, plane, out);
      vote->others.insert_or_assign(others.target.array, others.value);
    }
    out.block("if (" + any + ")", [&] {
      for (std::size_t k = first; k < end; ++k) {
        TileAssign concerned = body[k];
        if (standsElsewhere(concerned)) concerned.where = {};
        rowRegion(concerned, plane, out);
      }
    });
    first = end;
  }
}

} // namespace polymend::print_room
