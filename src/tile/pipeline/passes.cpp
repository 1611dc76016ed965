// boxed kernel -> ... -> boxed kernel -> roles -> ... -> kernel, a line a pass.
#include "tile/passes.h"

#include "layouts.h"
#include "roles.h"

#include "tile/parts.h"
#include "tile/visit.h"

#include <array>

namespace polymend {
namespace {

constexpr std::array<BoxedPass, 5> boxedPasses{{{"mask-once", maskOnce},
                                                {"overlay", overlay},
                                                {"start-from-bias", startFromBias},
                                                {"copy-reads", copyReads},
                                                {"guard-reads", guardReads}}};
constexpr std::string_view phases = "phases", roles = "roles";
constexpr std::array<RolePass, 1> rolePasses{{{"layouts", layOut}}};

/// Passes that a kernel can do without: the next way leaves them out.
constexpr std::array<std::string_view, 2> leftOut{"", "copy-reads"};

/// A boxed kernel as one whose threads take its regions in turn: what it means.
Kernel plainly(const BoxedKernel &boxed) {
  Kernel kernel;
  kernel.name = boxed.name;
  kernel.grid = boxed.grid;
  kernel.tiles = boxed.tiles;
  kernel.body = boxed.before;
  if (boxed.loop) {
    const Expr chunk = Expr::symbol(boxed.loop->variable, Type::Int64);
    const Expr isFull = Expr::make(Op::And, {Expr::make(Op::Le, {boxed.loop->fullFirst, chunk}),
                                             Expr::make(Op::Lt, {chunk, boxed.loop->fullLimit})});
    kernel.body.push_back(nodeOf(TileLoop{boxed.loop->variable,
                                          boxed.loop->first,
                                          boxed.loop->limit,
                                          boxed.loop->step,
                                          TileLoop::Kind::Serial,
                                          {nodeOf(TileBranch{isFull, boxed.loop->full, boxed.loop->masked})}}));
  }
  append(kernel.body, boxed.after);
  // Only kernels with roles have names for integers: here they are spelled out, the last first.
  for (std::size_t k = boxed.lets.size(); k-- > 0;) {
    const auto &[name, value] = boxed.lets[k];
    kernel.body = rewriteExprs(kernel.body, [&](const Expr &e) {
      return substitute(e, [&](const std::string &symbol) { return symbol == name ? value : Expr(); });
    });
  }
  return kernel;
}

/// The kernel through all passes but one.
Result<Kernel> without(std::string_view left, BoxedKernel boxed, const PassContext &context, const ShowKernel &show) {
  show(std::string(phases), plainly(boxed));
  for (const BoxedPass &pass : boxedPasses) {
    if (pass.name == left) continue;
    Result<BoxedKernel> next = pass.run(boxed, context);
    if (!next) return next.refusal();
    boxed = *next;
    show(std::string(pass.name), plainly(boxed));
  }
  Result<Kernel> kernel = withRoles(boxed, context.units);
  if (!kernel) return kernel;
  show(std::string(roles), *kernel);
  for (const RolePass &pass : rolePasses) {
    kernel = pass.run(*kernel, {context.units, boxed.beside, boxed.names});
    show(std::string(pass.name), *kernel);
  }
  return kernel;
}

} // namespace

std::vector<std::string> passNames() {
  std::vector<std::string> names{std::string(phases)};
  for (const BoxedPass &pass : boxedPasses) names.emplace_back(pass.name);
  names.emplace_back(roles);
  for (const RolePass &pass : rolePasses) names.emplace_back(pass.name);
  return names;
}

Result<Kernel> throughPasses(const BoxedKernel &boxed, const PassContext &context, const ShowKernel &show) {
  Result<Kernel> kernel = Refusal{"", {}};
  for (const std::string_view left : leftOut)
    if (!kernel) kernel = without(left, boxed, context, show);
  return kernel;
}

} // namespace polymend
