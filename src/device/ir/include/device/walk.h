// What the nodes of device programs touch and hold.
#pragma once

#include "polymend/device.h"

#include <set>

namespace polymend::device_room {

/// Calls `f` on every expression that a node has itself, not on those of nodes within it.
void eachExpr(const DeviceNode &node, const std::function<void(const Expr &)> &f);

/// The node with each of these replaced.
DeviceNode withExprs(const DeviceNode &node, const std::function<Expr(const Expr &)> &f);

/// Does the node, or one within it, read or set an element of the array?
bool touches(const DeviceNode &node, const std::string &array);

/// The arrays that the nodes assign.
std::set<std::string> writtenIn(const DeviceBlock &nodes);
/// The arrays that the nodes read or assign.
std::set<std::string> usedIn(const DeviceBlock &nodes);

/// The blocks within a node: a loop's body, a branch's sides, what one thread runs.
std::vector<const DeviceBlock *> blocksOf(const DeviceNode &node);

/// The node with each of its blocks replaced.
DeviceNode withBlocks(const DeviceNode &node, const std::function<DeviceBlock(const DeviceBlock &)> &f);

} // namespace polymend::device_room
