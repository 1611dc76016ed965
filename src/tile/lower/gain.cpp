// Whether a program is worth printing. One in the source's order whose loops all run one after another does what the
// source does with more text; on a GPU a single thread would run them a hundred times slower than the host.
#include "polymend/lower.h"

#include "tile/visit.h"
#include "worth.h"

#include <algorithm>

namespace polymend {
namespace {

bool isShared(const TilePoints &points) {
  return std::any_of(points.dims.begin(), points.dims.end(),
                     [](const PointDim &dim) { return dim.kind == PointDim::Kind::Parallel; });
}

/// Would a block of the GPU run the kernel's loops on one of its threads, and no other block any?
bool runsOnOneThread(const Kernel &kernel) {
  const auto always = [](const auto &) { return true; };
  const bool loops = any<TileLoop>(kernel.body, always) || any<TilePoints>(kernel.body, always);
  return kernel.grid.empty() && kernel.roles.empty() && loops && !any<TilePoints>(kernel.body, isShared);
}

/// Would one thread of the GPU run a loop of the kernel, turn after turn, between regions that others share? A few
/// turns are as good as none.
bool runsALoopOnOneThread(const Kernel &kernel) {
  constexpr std::int64_t few = 16;
  const auto holdsNoRegion = [](const TileLoop &loop) {
    const Expr trips = tripsOf(loop);
    if (trips.op() == Op::Integer && trips->integer <= few) return false;
    return !any<TilePoints>(loop.body, [](const TilePoints &) { return true; });
  };
  return kernel.grid.empty() && kernel.roles.empty() && any<TileLoop>(kernel.body, holdsNoRegion);
}

/// The most loops that are around a region whose points threads share, and around another node; both -1 for none.
struct SerialDepths {
  int shared = -1, alone = -1;
};

void walkLoops(const TileBlock &nodes, int around, SerialDepths &depths) {
  for (const TileNode &node : nodes) {
    if (const auto *loop = as<TileLoop>(node)) {
      const Expr trips = tripsOf(*loop);
      constexpr std::int64_t few = 16;
      walkLoops(loop->body, around + (trips.op() == Op::Integer && trips->integer <= few ? 0 : 1), depths);
    } else if (const auto *branch = as<TileBranch>(node)) {
      walkLoops(branch->then, around, depths);
      walkLoops(branch->otherwise, around, depths);
    } else {
      const auto *points = as<TilePoints>(node);
      int &most = points != nullptr && isShared(*points) ? depths.shared : depths.alone;
      most = std::max(most, around);
    }
  }
}

/// Does one thread of the GPU, or a block of them, take more turns than there are between regions that others share?
bool turnsBesideRegions(const Kernel &kernel) {
  if (!kernel.grid.empty() || !kernel.roles.empty()) return false;
  SerialDepths depths;
  walkLoops(kernel.body, 0, depths);
  return depths.shared >= 0 && depths.alone > depths.shared;
}

/// How many loops are around each other where threads share one of them, and, of many turns, where none do.
struct Depths {
  std::size_t shared = 0, alone = 0;
};

bool hasFewTurns(const Expr &first, const Expr &limit) {
  constexpr std::int64_t few = 64;
  const Expr trips = simplify(limit - first);
  return trips.op() == Op::Integer && trips->integer <= few;
}

/// The loops around a place.
struct Around {
  std::size_t all = 0, many = 0;
  bool isShared = false;

  [[nodiscard]] Around within(const Expr &first, const Expr &limit) const {
    return {all + 1, many + (hasFewTurns(first, limit) ? 0 : 1), isShared};
  }
};

void walk(const TileBlock &nodes, const Around &around, Depths &depths) {
  for (const TileNode &node : nodes) {
    if (const auto *loop = as<TileLoop>(node)) {
      Around inner = around.within(loop->first, loop->limit);
      inner.isShared = inner.isShared || loop->kind == TileLoop::Kind::Shared;
      walk(loop->body, inner, depths);
      continue;
    }
    if (const auto *branch = as<TileBranch>(node)) {
      walk(branch->then, around, depths);
      walk(branch->otherwise, around, depths);
      continue;
    }
    Around own = around;
    const auto *points = as<TilePoints>(node);
    if (points != nullptr)
      for (const PointDim &dim : points->dims) own = own.within(dim.first, dim.limit);
    const bool isInVectors = points != nullptr && isShared(*points); // a gain without threads
    if (isInVectors && !own.isShared) continue;
    if (own.isShared)
      depths.shared = std::max(depths.shared, own.all);
    else
      depths.alone = std::max(depths.alone, own.many);
  }
}

/// Do threads share shallower nests alone, as the copy before a recurrence?
bool isMostlySerial(const TileProgram &program) {
  Depths depths;
  for (const Kernel &kernel : program.kernels)
    if (runsOnThreads(kernel))
      walk(kernel.body, {kernel.grid.size(), kernel.grid.size(), !kernel.grid.empty() || !kernel.roles.empty()},
           depths);
    else
      depths.alone = std::max(depths.alone, depthOf(kernel.body));
  return depths.alone > depths.shared;
}

} // namespace

std::optional<std::string> nothingGained(const TileProgram &program, Processor processor) {
  const std::vector<Kernel> &kernels = program.kernels;
  if (processor == Processor::Gpu && std::any_of(kernels.begin(), kernels.end(), runsOnOneThread))
    return "a GPU would run its loops on one thread";
  if (processor == Processor::Gpu && std::ranges::any_of(kernels, [](const Kernel &kernel) {
        return runsALoopOnOneThread(kernel) || turnsBesideRegions(kernel);
      }))
    return "a GPU would run one of its loops on one thread";
  if (processor == Processor::Cpu && std::none_of(kernels.begin(), kernels.end(), runsOnThreads))
    return "none of its outermost loops runs in parallel";
  if (processor == Processor::Cpu && isMostlySerial(program)) return "its deepest loops run one after another";
  return std::nullopt;
}

} // namespace polymend
