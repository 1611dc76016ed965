#include "device/vector_loops.h"

#include "device/depends.h"
#include "device/walk.h"

#include <algorithm>
#include <map>

namespace polymend::device_room {

namespace {

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

} // namespace

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

bool isDivided(const DeviceBlock &body, const std::string &array, const std::string &variable) {
  std::optional<std::map<std::size_t, Expr>> places; // how far from the variable each subscript is that moves with it
  eachAccess(body, array, [&](const std::vector<Expr> &subscripts) {
    std::map<std::size_t, Expr> own;
    for (std::size_t k = 0; k < subscripts.size(); ++k) {
      const Expr distance = simplify(subscripts[k] - Expr::symbol(variable, Type::Int64));
      const bool isKnown = places && !(places->contains(k) && equal(places->at(k), distance));
      if (!dependsOn(distance, variable) && !isKnown) own.emplace(k, distance);
    }
    places = own;
  });
  return places && !places->empty();
}

DeviceBlock withSymbol(const DeviceBlock &nodes, const std::string &name, const Expr &value) {
  const auto replace = [&](const Expr &e) {
    return e ? substitute(e, [&](const std::string &symbol) { return symbol == name ? value : Expr(); }) : e;
  };
  DeviceBlock result;
  for (const DeviceNode &node : nodes)
    result.push_back(
        withBlocks(withExprs(node, replace), [&](const DeviceBlock &inner) { return withSymbol(inner, name, value); }));
  return result;
}

} // namespace polymend::device_room
