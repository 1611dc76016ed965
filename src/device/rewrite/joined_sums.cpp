#include "device/joined_sums.h"

#include "device/vector_loops.h"
#include "device/walk.h"
#include "tile/equal.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Walk = std::shared_ptr<const DeviceDeal>;
using SerialLoop = std::shared_ptr<const DeviceLoop>;

/// So many values at most, in registers of a thread.
constexpr std::size_t mostSums = 4;

bool shareNames(const std::set<std::string> &a, const std::set<std::string> &b) {
  return std::ranges::any_of(a, [&](const std::string &name) { return b.contains(name); });
}

/// Does neither touch what the other sets?
bool areApart(const DeviceNode &a, const DeviceNode &b) {
  return !shareNames(writtenIn({a}), usedIn({b})) && !shareNames(writtenIn({b}), usedIn({a}));
}

/// Is it a walk over points of which each thread takes its share, and nothing else?
bool isWalk(const DeviceDeal &deal) {
  return deal.form == DeviceDeal::Form::Whole && deal.aside && !deal.ahead && !deal.any && deal.streams.empty() &&
         deal.loaded.empty() && deal.early.empty();
}

DeviceBlock withFewerWalks(const DeviceBlock &nodes);

/// Both walks as one; null: they may not be.
Walk oneWalk(const DeviceDeal &a, const DeviceDeal &b) {
  if (!isWalk(a) || !isWalk(b) || a.split != b.split || a.points.dims.size() != b.points.dims.size()) return nullptr;
  if (a.points.body.size() + b.points.body.size() > mostSums) return nullptr;
  DeviceBlock renamed{std::make_shared<const DeviceDeal>(b)};
  for (std::size_t i = 0; i < a.points.dims.size(); ++i)
    renamed = withSymbol(renamed, b.points.dims[i].variable, Expr::symbol(a.points.dims[i].variable, Type::Int64));
  DeviceDeal second = *std::get<Walk>(renamed.front()), both = a;
  for (std::size_t i = 0; i < a.points.dims.size(); ++i) second.points.dims[i].variable = a.points.dims[i].variable;
  if (!equal(a.points.dims, second.points.dims)) return nullptr;
  for (const std::size_t k : second.fused) both.fused.insert(a.points.body.size() + k);
  both.points.body.insert(both.points.body.end(), second.points.body.begin(), second.points.body.end());
  return std::make_shared<const DeviceDeal>(std::move(both));
}

/// Both loops as one, in which walks have become fewer; null: none has.
SerialLoop oneWalk(const DeviceLoop &a, const DeviceLoop &b) {
  const bool areAlike = a.kind == DeviceLoop::Kind::Serial && b.kind == a.kind && a.step == b.step && !a.goesOn &&
                        !b.goesOn && equal(a.first, b.first) && equal(a.limit, b.limit);
  if (!areAlike) return nullptr;
  DeviceLoop both = a;
  for (const DeviceNode &node : withSymbol(b.body, b.variable, Expr::symbol(a.variable, Type::Int64)))
    both.body.push_back(node);
  const std::size_t apart = both.body.size();
  both.body = withFewerWalks(both.body);
  return both.body.size() < apart ? std::make_shared<const DeviceLoop>(std::move(both)) : nullptr;
}

std::optional<DeviceNode> oneWalk(const DeviceNode &a, const DeviceNode &b) {
  if (!areApart(a, b)) return std::nullopt;
  const auto *deal = std::get_if<Walk>(&a), *other = std::get_if<Walk>(&b);
  const auto *loop = std::get_if<SerialLoop>(&a), *next = std::get_if<SerialLoop>(&b);
  if (deal && other)
    if (Walk both = oneWalk(**deal, **other)) return both;
  if (loop && next)
    if (SerialLoop both = oneWalk(**loop, **next)) return both;
  return std::nullopt;
}

/// Does it give a scalar a number?
bool givesNumber(const DeviceNode &node) {
  const auto *assign = std::get_if<DeviceAssign>(&node);
  return assign && assign->what.update == Update::Set && !assign->what.where &&
         assign->what.target.subscripts.empty() &&
         (assign->what.value.op() == Op::Real || assign->what.value.op() == Op::Integer);
}

DeviceBlock withFewerWalks(const DeviceBlock &nodes) {
  DeviceBlock result;
  for (const DeviceNode &node : nodes) {
    const DeviceNode own = withBlocks(node, withFewerWalks);
    std::size_t at = result.size(); // behind what `own` may be joined with
    while (at > 0 && givesNumber(result[at - 1])) --at;
    const auto isLater = [&](const DeviceNode &number) { return areApart(result[at - 1], number); };
    const auto numbers = result.begin() + static_cast<std::ptrdiff_t>(at);
    const auto both =
        at > 0 && std::all_of(numbers, result.end(), isLater) ? oneWalk(result[at - 1], own) : std::nullopt;
    if (!both) {
      result.push_back(own);
      continue;
    }
    result.erase(numbers - 1);
    result.push_back(*both);
  }
  return result;
}

} // namespace

DeviceKernel withJoinedSums(DeviceKernel kernel) {
  const bool isOfGroups = kernel.team && kernel.team->kind == DeviceTeam::Kind::Group;
  if (isOfGroups && !kernel.team->row && !kernel.team->begin) kernel.body = withFewerWalks(kernel.body);
  return kernel;
}

} // namespace polymend::device_room
