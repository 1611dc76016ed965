// Whether a program is worth printing. One in the source's order whose loops all run one after another does what the
// source does with more text; on a GPU a single thread would run them a hundred times slower than the host.
#include "polymend/lower.h"

#include <algorithm>

namespace polymend {
namespace {

bool isShared(const TilePoints &points) {
  return std::any_of(points.dims.begin(), points.dims.end(),
                     [](const PointDim &dim) { return dim.kind == PointDim::Kind::Parallel; });
}

bool isLoop(const TileNode &node) {
  return std::holds_alternative<std::shared_ptr<const TileLoop>>(node) ||
         std::holds_alternative<std::shared_ptr<const TilePoints>>(node);
}

/// Does one of the nodes, or one within them, satisfy `wanted`?
bool anyOf(const TileBlock &block, const std::function<bool(const TileNode &)> &wanted) {
  return std::any_of(block.begin(), block.end(), [&](const TileNode &node) {
    if (wanted(node)) return true;
    if (const auto *loop = std::get_if<std::shared_ptr<const TileLoop>>(&node)) return anyOf((*loop)->body, wanted);
    if (const auto *branch = std::get_if<std::shared_ptr<const TileBranch>>(&node))
      return anyOf((*branch)->then, wanted) || anyOf((*branch)->otherwise, wanted);
    return false;
  });
}

/// Would a block of the GPU run the kernel's loops on one of its threads, and no other block any?
bool runsOnOneThread(const Kernel &kernel) {
  const auto shares = [](const TileNode &node) {
    const auto *points = std::get_if<std::shared_ptr<const TilePoints>>(&node);
    return points && isShared(**points);
  };
  return kernel.grid.empty() && kernel.roles.empty() && anyOf(kernel.body, isLoop) && !anyOf(kernel.body, shares);
}

bool runsOnThreads(const Kernel &kernel) { return !kernel.grid.empty() || !kernel.roles.empty(); }

} // namespace

std::optional<std::string> nothingGained(const TileProgram &program, Processor processor) {
  const std::vector<Kernel> &kernels = program.kernels;
  if (processor == Processor::Gpu && std::any_of(kernels.begin(), kernels.end(), runsOnOneThread))
    return "a GPU would run its loops on one thread";
  if (processor == Processor::Cpu && std::none_of(kernels.begin(), kernels.end(), runsOnThreads))
    return "none of its outermost loops runs in parallel";
  return std::nullopt;
}

} // namespace polymend
