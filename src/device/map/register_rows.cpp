// Where a condition concerns few rows at few times (rows whose pivot moves), threads ask once whether any row of their
// warp is concerned, and jump across all that happens to such rows only.
#include "registers.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// A value in the rows of a condition, a constant or what another tile holds in the others.
bool isPartial(const TileAssign &a) {
  if (a.where || a.update != Update::Set || a.value.op() != Op::Select) return false;
  const Op other = a.value.arg(2).op();
  return other == Op::Real || other == Op::Read;
}

/// The condition of the rows where something happens.
const Expr &conditionOf(const TileAssign &a) { return isPartial(a) ? a.value.arg(0) : a.where; }

/// The condition, whatever the region's variable is called.
Expr ofAnyRow(const Expr &condition, const PointDim &rows) {
  return substitute(condition, [&](const std::string &name) {
    return name == rows.variable ? Expr::symbol("row", Type::Int64) : Expr();
  });
}

} // namespace

/// Conditions on what rows hold are voted on; those on positions alone are not.
bool RegisterMapper::isVoted(const Expr &condition) const {
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

bool RegisterMapper::isOfVote(const Expr &condition, const Plane &plane) const {
  return vote && condition && equal(vote->condition, ofAnyRow(condition, *plane.rows));
}

const RegisterMapper::Vote &RegisterMapper::voteOn(const Expr &condition, const Plane &plane, DeviceBlock &out) {
  if (isOfVote(condition, plane)) return *vote;
  vote = Vote{ofAnyRow(condition, *plane.rows), "vote" + std::to_string(++votes), {}, {}};
  visit(condition, [&](const Expr &e) {
    if (e.op() == Op::Read) vote->reads.insert(e->name);
  });
  out.emplace_back(DeviceVote{vote->name, *plane.rows, condition});
  return *vote;
}

void RegisterMapper::noteWritten(const std::string &array) {
  if (!vote) return;
  vote->others.erase(array);
  if (vote->reads.contains(array)) vote.reset();
}

/// Whether a region that multiplies leaves the rows that the vote is not about as they are.
bool RegisterMapper::standsElsewhere(const TileAssign &a) const {
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
std::size_t RegisterMapper::votedTogether(const std::vector<TileAssign> &body, std::size_t first) const {
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

void RegisterMapper::rowRegion(const TileAssign &a, const Plane &plane, DeviceBlock &out) {
  DeviceRegisters part = partOf(a, plane, Form::Row);
  part.what.value = arrange(placed(a.value, plane), scope, approximates);
  if (isOfVote(a.where, plane)) part.vote = vote->name;
  out.emplace_back(std::move(part));
}

/// Regions of rows in order; those that one vote is about stand together.
void RegisterMapper::rowRegions(const std::vector<TileAssign> &body, const Plane &plane, DeviceBlock &out) {
  for (std::size_t first = 0; first < body.size();) {
    const std::size_t count = votedTogether(body, first), end = first + count;
    if (count == 0) {
      rowRegion(body[first], plane, out);
      noteWritten(body[first++].target.array);
      continue;
    }
    const std::string name = voteOn(conditionOf(body[first]), plane, out).name;
    for (std::size_t k = first; k < end; ++k) {
      noteWritten(body[k].target.array);
      if (!isPartial(body[k])) continue;
      TileAssign others = body[k];
      others.value = others.value.arg(2);
      rowRegion(others, plane, out);
      vote->others.insert_or_assign(others.target.array, others.value);
    }
    DeviceBlock concerned;
    for (std::size_t k = first; k < end; ++k) {
      rowRegion(body[k], plane, concerned);
      std::get<DeviceRegisters>(concerned.back()).everywhere = standsElsewhere(body[k]);
    }
    out.emplace_back(
        std::make_shared<const DeviceBranch>(DeviceBranch{Expr::symbol(name, Type::Bool), std::move(concerned), {}}));
    first = end;
  }
}

} // namespace polymend::device_room
