#include "device/dealt.h"

#include <algorithm>

namespace polymend::device_room {

bool isStream(const Expr &e, const DeviceStream &s) {
  if (e.op() != Op::Read || e->name != s.array || e->args.size() != s.subscripts.size()) return false;
  for (std::size_t i = 0; i < s.subscripts.size(); ++i)
    if (!equal(e->args[i], s.subscripts[i])) return false;
  return true;
}

bool isNarrow(const Interval &bounds) {
  return bounds.low() && bounds.high() && *bounds.low() >= -narrowLimit && *bounds.high() <= narrowLimit;
}

std::map<std::string, Interval> boundsOfDims(const TilePoints &points) {
  std::map<std::string, Interval> known;
  for (const PointDim &d : points.dims) {
    const Interval first = boundsOf(d.first, known), limit = boundsOf(d.limit, known);
    known[d.variable] = {first.least, intervalOf(Op::Sub, limit, {1, 1}).most};
  }
  return known;
}

std::vector<std::size_t> innerOf(const DeviceDeal &deal) {
  std::vector<std::size_t> inner;
  for (std::size_t i = 0; i < deal.points.dims.size(); ++i)
    if (std::none_of(deal.dealt.begin(), deal.dealt.end(), [&](const DealtDim &d) { return d.dim == i; }))
      inner.push_back(i);
  return inner;
}

} // namespace polymend::device_room
