#include "device/joined_loops.h"

#include "device/vector_loops.h"
#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// Do all values fill vectors alike?
bool isOfOneWidth(const DeviceBlock &body) {
  std::set<std::int64_t> widths;
  for (const DeviceNode &node : body) widths.insert(bytesOf(std::get<DeviceAssign>(node).what.value.type()));
  return widths.size() <= 1;
}

/// Both as one loop; absent: they may not be one.
std::optional<DeviceLoop> joined(const DeviceLoop &a, const DeviceLoop &b) {
  if (a.step != b.step || !equal(a.first, b.first) || !equal(a.limit, b.limit)) return std::nullopt;
  DeviceLoop both = a;
  for (const DeviceNode &node : withSymbol(b.body, b.variable, Expr::symbol(a.variable, Type::Int64)))
    both.body.push_back(node);
  const std::set<std::string> written = writtenIn(both.body);
  const bool isFree = std::all_of(written.begin(), written.end(), [&](const std::string &array) {
    return isDivided(both.body, array, a.variable) && !reads(a.first, array) && !reads(a.limit, array);
  });
  return isFree && isOfOneWidth(both.body) ? std::optional(both) : std::nullopt;
}

DeviceBlock block(const DeviceBlock &nodes) {
  DeviceBlock result;
  for (const DeviceNode &n : nodes) {
    const DeviceLoop *next = vectorsOf(n), *last = next && !result.empty() ? vectorsOf(result.back()) : nullptr;
    if (const auto both = last ? joined(*last, *next) : std::nullopt)
      result.back() = std::make_shared<const DeviceLoop>(*both);
    else
      result.push_back(withBlocks(n, block));
  }
  return result;
}

} // namespace

DeviceKernel withJoinedLoops(DeviceKernel kernel) {
  kernel.body = block(kernel.body);
  return kernel;
}

} // namespace polymend::device_room
