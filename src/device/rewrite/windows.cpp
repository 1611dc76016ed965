#include "device/windows.h"

#include "device/depends.h"
#include "device/vector_loops.h"
#include "device/walk.h"

#include <algorithm>
#include <optional>

namespace polymend::device_room {

namespace {

/// A loop in vectors, and the loops of a constant few turns around it, outermost first.
struct Window {
  std::vector<const DeviceLoop *> around;
  const DeviceLoop *vectors = nullptr;
};

/// The turns of a loop of constant bounds.
std::optional<std::int64_t> turnsOf(const DeviceLoop &loop) {
  const Expr first = simplify(loop.first), limit = simplify(loop.limit);
  if (first.op() != Op::Integer || limit.op() != Op::Integer) return std::nullopt;
  const std::int64_t range = limit->integer - first->integer;
  return range > 0 ? (range + loop.step - 1) / loop.step : 0;
}

std::optional<Window> windowOf(const DeviceNode &node) {
  Window window;
  const DeviceNode *at = &node;
  std::int64_t turns = 1;
  while (!(window.vectors = vectorsOf(*at))) {
    const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(at);
    if (!loop || (*loop)->kind != DeviceLoop::Kind::Serial || (*loop)->body.size() != 1) return std::nullopt;
    const auto own = turnsOf(**loop);
    if (!own || *own > mostTurnsOfLine || (turns *= *own) > mostTurnsOfWindow) return std::nullopt;
    window.around.push_back(loop->get());
    at = &(*loop)->body.front();
  }
  return window;
}

/// May the window's loop in vectors be joined with that one, as far as ranges and names say?
bool haveOneRange(const DeviceLoop &a, const Window &window) {
  const DeviceLoop &b = *window.vectors;
  const bool isNamedOtherwise =
      std::ranges::none_of(window.around, [&](const DeviceLoop *loop) { return loop->variable == a.variable; });
  return isNamedOtherwise && a.step == b.step && isSameBound(simplify(a.first), simplify(b.first)) &&
         isSameBound(simplify(a.limit), simplify(b.limit));
}

/// The loops in vectors over the range of the first, with what is around each, as one; absent: they may not be one.
std::optional<DeviceLoop> inRegisters(const std::vector<Window> &windows) {
  const DeviceLoop &first = *windows.front().vectors;
  const Expr variable = Expr::symbol(first.variable, Type::Int64);
  DeviceLoop all = first;
  all.body.clear();
  DeviceBlock assigns;
  for (const Window &window : windows) {
    DeviceBlock body = withSymbol(window.vectors->body, window.vectors->variable, variable);
    assigns.insert(assigns.end(), body.begin(), body.end());
    for (auto around = window.around.rbegin(); around != window.around.rend(); ++around) {
      DeviceLoop loop = **around;
      loop.kind = DeviceLoop::Kind::Unroll;
      loop.body = std::move(body);
      body = {std::make_shared<const DeviceLoop>(std::move(loop))};
    }
    all.body.insert(all.body.end(), body.begin(), body.end());
  }
  const std::set<std::string> written = writtenIn(assigns);
  const bool isFree = std::ranges::all_of(written, [&](const std::string &array) {
    return isDivided(assigns, array, first.variable) && !reads(first.first, array) && !reads(first.limit, array);
  });
  return isFree ? std::optional(all) : std::nullopt;
}

DeviceBlock block(const DeviceBlock &nodes) {
  DeviceBlock result;
  for (std::size_t at = 0; at < nodes.size();) {
    std::vector<Window> windows;
    bool hasTurns = false;
    for (std::size_t k = at; k < nodes.size(); ++k) {
      const auto window = windowOf(nodes[k]);
      if (!window || !haveOneRange(windows.empty() ? *window->vectors : *windows.front().vectors, *window)) break;
      windows.push_back(*window);
      hasTurns = hasTurns || !window->around.empty();
    }
    const auto one = windows.size() > 1 && hasTurns ? inRegisters(windows) : std::nullopt;
    if (one)
      result.emplace_back(std::make_shared<const DeviceLoop>(*one));
    else
      result.push_back(withBlocks(nodes[at], block));
    at += one ? windows.size() : 1;
  }
  return result;
}

/// The blocks with the elements of the tile as one scalar; absent: not all of them lie within one loop in vectors, with
/// its variable as their only subscript.
std::optional<DeviceBlock> asScalar(const DeviceBlock &nodes, const std::string &tile) {
  DeviceBlock result;
  bool isFound = false, fits = true;
  for (const DeviceNode &node : nodes) {
    if (!touches(node, tile)) {
      result.push_back(node);
      continue;
    }
    const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&node);
    if (!loop || isFound) return std::nullopt;
    isFound = true;
    if ((*loop)->kind != DeviceLoop::Kind::Vector) {
      result.push_back(withBlocks(node, [&](const DeviceBlock &inner) {
        const auto within = asScalar(inner, tile);
        fits = fits && within;
        return within.value_or(DeviceBlock());
      }));
      continue;
    }
    const auto isOwn = [&](const std::vector<Expr> &subscripts) {
      fits = fits && subscripts.size() == 1 && subscripts[0].op() == Op::Symbol &&
             subscripts[0]->name == (*loop)->variable;
    };
    const std::function<DeviceBlock(const DeviceBlock &)> scalar = [&](const DeviceBlock &inner) {
      DeviceBlock own;
      for (const DeviceNode &one : inner) {
        own.push_back(withBlocks(withExprs(one,
                                           [&](const Expr &e) {
                                             return e ? rewrite(e,
                                                                [&](const Expr &part) {
                                                                  if (part.op() != Op::Read || part->name != tile)
                                                                    return part;
                                                                  isOwn(part->args);
                                                                  ExprNode read = *part;
                                                                  read.args.clear();
                                                                  return Expr{read};
                                                                })
                                                      : e;
                                           }),
                                 scalar));
        if (auto *assign = std::get_if<DeviceAssign>(&own.back()); assign && assign->what.target.array == tile) {
          isOwn(assign->what.target.subscripts);
          assign->what.target.subscripts.clear();
        }
      }
      return own;
    };
    result.push_back(withBlocks(node, scalar));
  }
  return fits ? std::optional(result) : std::nullopt;
}

} // namespace

DeviceKernel withWindowsInRegisters(DeviceKernel kernel) {
  kernel.body = block(kernel.body);
  for (DeviceTile &tile : kernel.tiles) {
    if (tile.place != DeviceTile::Place::Stack || tile.array.extents.size() != 1) continue;
    if (const auto body = asScalar(kernel.body, tile.array.name)) {
      kernel.body = *body;
      tile.array.extents.clear();
    }
  }
  return kernel;
}

} // namespace polymend::device_room
