#include "device/joined_loops.h"

#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// The loop in vectors that a node is; null: it is something else, or holds more than assignments.
const DeviceLoop *vectorsOf(const DeviceNode &node) {
  const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&node);
  if (!loop || (*loop)->kind != DeviceLoop::Kind::Vector) return nullptr;
  const DeviceBlock &body = (*loop)->body;
  const bool isPlain = std::all_of(body.begin(), body.end(), [](const DeviceNode &n) {
    const auto *assign = std::get_if<DeviceAssign>(&n);
    return assign && !assign->declares;
  });
  return isPlain ? loop->get() : nullptr;
}

/// Calls `f` on the subscripts of every element of the array that the assignments touch.
void eachAccess(const DeviceBlock &body, const std::string &array,
                const std::function<void(const std::vector<Expr> &)> &f) {
  for (const DeviceNode &node : body) {
    const TileAssign &a = std::get<DeviceAssign>(node).what;
    if (a.target.array == array) f(a.target.subscripts);
    eachExpr(node, [&](const Expr &e) {
      visit(e, [&](const Expr &part) {
        if (part.op() == Op::Read && part->name == array) f(part->args);
      });
    });
  }
}

/// Does each iteration have elements of the array for itself?
bool isDivided(const DeviceBlock &body, const std::string &array, const std::string &variable) {
  std::optional<std::set<std::size_t>> places; // of subscripts that are the variable everywhere
  eachAccess(body, array, [&](const std::vector<Expr> &subscripts) {
    std::set<std::size_t> own;
    for (std::size_t k = 0; k < subscripts.size(); ++k)
      if (subscripts[k].op() == Op::Symbol && subscripts[k]->name == variable && (!places || places->contains(k)))
        own.insert(k);
    places = own;
  });
  return places && !places->empty();
}

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
  const Expr variable = Expr::symbol(a.variable, Type::Int64);
  for (const DeviceNode &node : b.body)
    both.body.push_back(withExprs(node, [&](const Expr &e) {
      return e ? substitute(e, [&](const std::string &name) { return name == b.variable ? variable : Expr(); }) : e;
    }));
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
