// Which thread has which element of an array that each region touches in one way alone.
#include "device/deal.h"
#include "device/stride.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// The position of the subscript that is the bare variable, if it is in no other.
std::optional<std::size_t> positionOf(const std::vector<Expr> &subscripts, const std::string &variable) {
  std::optional<std::size_t> position;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    if (!dependsOn(subscripts[i], variable)) continue;
    if (position || simplify(subscripts[i]).op() != Op::Symbol) return std::nullopt;
    position = i;
  }
  return position;
}

std::string ownerOfAccess(const std::vector<Expr> &subscripts, const TilePoints &points, bool crossed,
                          const std::vector<DealtDim> &dealt) {
  std::string owner = crossed ? "crossed" : "by";
  for (const DealtDim &d : dealt) {
    const std::optional<std::size_t> position = positionOf(subscripts, points.dims[d.dim].variable);
    if (!position) return "";
    owner += " " + std::to_string(*position) + ":" + std::to_string(d.low) + "+" + std::to_string(d.size);
  }
  return owner;
}

/// The one dimension that all threads share, where each of them has at most one element of it: number t has thread t.
std::optional<DealtDim> sharedDim(const DeviceDeal &deal, int threads) {
  const std::vector<PointDim> &dims = deal.points.dims;
  if (deal.form != DeviceDeal::Form::Whole || dims.size() != 1) return std::nullopt;
  const Interval b = boundsOfDims(deal.points).at(dims[0].variable);
  const Expr first = simplify(dims[0].first);
  const bool fromZero = first.op() == Op::Integer && first->integer == 0;
  if (!fromZero || !b.high() || *b.high() < 0 || *b.high() >= threads) return std::nullopt;
  DealtDim dim;
  dim.size = *b.high() + 1;
  return dim;
}

} // namespace

std::string ownerOf(const std::string &array, const DeviceDeal &deal, int threads) {
  const TilePoints &points = deal.points;
  const std::optional<DealtDim> shared = sharedDim(deal, threads);
  if (deal.form != DeviceDeal::Form::Each && !shared) return "";
  if (!shared && deal.dealt.empty()) return deal.ahead ? "" : "one";
  if (!shared && (!deal.fixed || deal.rows > 1)) return "";
  const std::vector<DealtDim> dealt = shared ? std::vector{*shared} : deal.dealt;
  const auto ownerAt = [&](const std::vector<Expr> &subscripts) {
    return ownerOfAccess(subscripts, points, deal.crossed, dealt);
  };
  std::set<std::string> owners;
  const auto look = [&](const Expr &e) {
    if (e.op() == Op::Read && e->name == array) owners.insert(ownerAt(e->args));
  };
  for (const TileAssign &a : points.body) {
    if (a.target.array == array) owners.insert(ownerAt(a.target.subscripts));
    visit(a.value, look);
    visit(a.where, look);
  }
  for (const PointDim &d : points.dims) {
    visit(d.first, [&](const Expr &e) {
      if (e.op() == Op::Read && e->name == array) owners.insert("");
    });
    visit(d.limit, [&](const Expr &e) {
      if (e.op() == Op::Read && e->name == array) owners.insert("");
    });
  }
  return owners.size() == 1 ? *owners.begin() : "";
}

} // namespace polymend::device_room
