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
  const Expr range = simplify(loop.limit - loop.first);
  if (range.op() != Op::Integer || simplify(loop.first).op() != Op::Integer) return std::nullopt;
  return range->integer > 0 ? 1 + (range->integer - 1) / loop.step : 0;
}

std::optional<Window> windowOf(const DeviceNode &node) {
  Window window;
  const DeviceNode *at = &node;
  std::int64_t turns = 1;
  while (!(window.vectors = vectorsOf(*at))) {
    const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(at);
    if (!loop || (*loop)->kind != DeviceLoop::Kind::Serial || (*loop)->body.size() != 1) return std::nullopt;
    const auto own = turnsOf(**loop);
    if (!own || *own > mostTurnsOfLine) return std::nullopt;
    turns *= *own;
    if (turns > mostTurnsOfWindow) return std::nullopt;
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

/// Makes elements of a tile a scalar, in the loop in vectors whose variable is their only subscript.
class Scalar {
public:
  Scalar(const std::string &array, const std::string &subscript) : tile(array), variable(subscript) {}

  /// The nodes with it; absent: an element has another subscript.
  std::optional<DeviceBlock> in(const DeviceBlock &nodes) {
    DeviceBlock result = block(nodes);
    return fits ? std::optional(std::move(result)) : std::nullopt;
  }

private:
  DeviceBlock block(const DeviceBlock &nodes) {
    DeviceBlock result;
    for (const DeviceNode &node : nodes) {
      result.push_back(withBlocks(withExprs(node, [this](const Expr &e) { return e ? expr(e) : e; }),
                                  [this](const DeviceBlock &inner) { return block(inner); }));
      if (auto *assign = std::get_if<DeviceAssign>(&result.back()); assign && assign->what.target.array == tile)
        drop(assign->what.target.subscripts);
    }
    return result;
  }

  Expr expr(const Expr &e) {
    return rewrite(e, [this](const Expr &part) {
      if (part.op() != Op::Read || part->name != tile) return part;
      ExprNode read = *part;
      drop(read.args);
      return Expr{read};
    });
  }

  void drop(std::vector<Expr> &subscripts) {
    fits = fits && subscripts.size() == 1 && subscripts[0].op() == Op::Symbol && subscripts[0]->name == variable;
    subscripts.clear();
  }

  const std::string &tile, &variable;
  bool fits = true;
};

/// The block with the elements of the tile as one scalar; absent: they are not all within one loop in vectors.
std::optional<DeviceBlock> withScalar(DeviceBlock nodes, const std::string &tile) {
  const auto isTouched = [&](const DeviceNode &node) { return touches(node, tile); };
  const auto at = std::ranges::find_if(nodes, isTouched);
  if (std::ranges::count_if(nodes, isTouched) != 1) return std::nullopt;
  const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&*at);
  if (!loop) return std::nullopt;
  DeviceLoop result = **loop;
  const bool inVectors = result.kind == DeviceLoop::Kind::Vector;
  const auto body = inVectors ? Scalar(tile, result.variable).in(result.body) : withScalar(result.body, tile);
  if (!body) return std::nullopt;
  result.body = *body;
  *at = std::make_shared<const DeviceLoop>(std::move(result));
  return nodes;
}

} // namespace

DeviceKernel withWindowsInRegisters(DeviceKernel kernel) {
  kernel.body = block(kernel.body);
  for (DeviceTile &tile : kernel.tiles) {
    if (tile.place != DeviceTile::Place::Stack || tile.array.extents.size() != 1) continue;
    if (const auto body = withScalar(kernel.body, tile.array.name)) {
      kernel.body = *body;
      tile.array.extents.clear();
    }
  }
  return kernel;
}

} // namespace polymend::device_room
