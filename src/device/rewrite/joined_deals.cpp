#include "device/joined_deals.h"

#include "device/dealt.h"
#include "device/depends.h"
#include "device/vector_loops.h"
#include "device/walk.h"
#include "tile/equal.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Deal = std::shared_ptr<const DeviceDeal>;

/// Whether each of the threads has at most one point of the region, whose assignments are all that it runs.
bool isOfSinglePoints(const DeviceDeal &deal, int threads) {
  std::int64_t points = 1;
  for (const DealtDim &d : deal.dealt) points *= d.size;
  const bool isPlain =
      deal.form == DeviceDeal::Form::Each && deal.fixed && !deal.crossed && !deal.ahead && deal.rows == 1;
  return isPlain && !deal.dealt.empty() && points <= threads && innerOf(deal).empty();
}

bool isDealtAlike(const DeviceDeal &a, const DeviceDeal &b) {
  return a.dealt.size() == b.dealt.size() &&
         std::equal(a.dealt.begin(), a.dealt.end(), b.dealt.begin(), [](const DealtDim &x, const DealtDim &y) {
           return x.dim == y.dim && x.low == y.low && x.size == y.size && x.checkFirst == y.checkFirst &&
                  x.checkLimit == y.checkLimit;
         });
}

/// The region with the variables of another one of as many dimensions; absent: it names others by these.
std::optional<DeviceDeal> inVariablesOf(const DeviceDeal &other, const DeviceDeal &deal) {
  DeviceBlock renamed{std::make_shared<const DeviceDeal>(deal)};
  const std::vector<PointDim> &to = other.points.dims, &from = deal.points.dims;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i].variable == to[i].variable) continue;
    bool isTaken = false;
    for (const DeviceNode &node : renamed)
      eachExpr(node, [&](const Expr &e) { isTaken = isTaken || dependsOn(e, to[i].variable); });
    for (const PointDim &d : from) isTaken = isTaken || d.variable == to[i].variable;
    if (isTaken) return std::nullopt;
    renamed = withSymbol(renamed, from[i].variable, Expr::symbol(to[i].variable, Type::Int64));
  }
  DeviceDeal result = *std::get<Deal>(renamed.front());
  for (std::size_t i = 0; i < to.size(); ++i) result.points.dims[i].variable = to[i].variable;
  return result;
}

/// Both as one region; absent: they may not be one.
std::optional<DeviceDeal> joined(const DeviceDeal &a, const DeviceDeal &b, int threads) {
  if (!isOfSinglePoints(a, threads) || !isOfSinglePoints(b, threads) || !isDealtAlike(a, b)) return std::nullopt;
  if (a.points.dims.size() != b.points.dims.size()) return std::nullopt;
  const std::optional<DeviceDeal> second = inVariablesOf(a, b);
  if (!second || !equal(a.points.dims, second->points.dims)) return std::nullopt;
  DeviceDeal both = a;
  for (std::size_t k : second->fused) both.fused.insert(a.points.body.size() + k);
  both.points.body.insert(both.points.body.end(), second->points.body.begin(), second->points.body.end());
  both.aside = false;
  both.stays = a.stays && b.stays && setsTheSame(both);
  return both;
}

DeviceBlock withJoined(const DeviceBlock &nodes, int threads) {
  DeviceBlock result;
  for (const DeviceNode &node : nodes) {
    const auto *next = std::get_if<Deal>(&node), *last = result.empty() ? nullptr : std::get_if<Deal>(&result.back());
    if (const auto both = next && last ? joined(**last, **next, threads) : std::nullopt)
      result.back() = std::make_shared<const DeviceDeal>(*both);
    else
      result.push_back(withBlocks(node, [&](const DeviceBlock &inner) { return withJoined(inner, threads); }));
  }
  return result;
}

} // namespace

DeviceKernel withJoinedDeals(DeviceKernel kernel) {
  if (kernel.team && kernel.team->kind == DeviceTeam::Kind::Block)
    kernel.body = withJoined(kernel.body, kernel.team->threads);
  return kernel;
}

} // namespace polymend::device_room
