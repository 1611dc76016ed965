// rectangular kernel -> ... -> rectangular kernel -> roles -> ... -> kernel, a line a pass.
#include "tile/passes.h"

#include "layouts.h"
#include "roles.h"

#include "tile/parts.h"
#include "tile/visit.h"

#include <array>

namespace polymend {
namespace {

constexpr std::array<RectangularPass, 6> rectangularPasses{{{"fill-units", fillUnits},
                                                            {"mask-once", maskOnce},
                                                            {"overlay", overlay},
                                                            {"start-from-bias", startFromBias},
                                                            {"copy-reads", copyReads},
                                                            {"guard-reads", guardReads}}};
constexpr std::string_view phases = "phases", roles = "roles";
constexpr std::array<RolePass, 1> rolePasses{{{"layouts", layOut}}};

/// Passes that a kernel can do without: the next way leaves them out.
constexpr std::array<std::string_view, 2> leftOut{"", "copy-reads"};

/// A rectangular kernel as one whose threads take its regions in turn: what it means.
Kernel plainly(const RectangularKernel &rectangular) {
  Kernel kernel;
  kernel.name = rectangular.name;
  kernel.grid = rectangular.grid;
  kernel.tiles = rectangular.tiles;
  kernel.body = rectangular.before;
  if (rectangular.loop) {
    const Expr chunk = Expr::symbol(rectangular.loop->variable, Type::Int64);
    const Expr isFull = Expr::make(Op::And, {Expr::make(Op::Le, {rectangular.loop->fullFirst, chunk}),
                                             Expr::make(Op::Lt, {chunk, rectangular.loop->fullLimit})});
    kernel.body.push_back(
        nodeOf(TileLoop{rectangular.loop->variable,
                        rectangular.loop->first,
                        rectangular.loop->limit,
                        rectangular.loop->step,
                        TileLoop::Kind::Serial,
                        {nodeOf(TileBranch{isFull, rectangular.loop->full, rectangular.loop->masked})}}));
  }
  append(kernel.body, rectangular.after);
  // Only kernels with roles have names for integers: here they are spelled out, the last first.
  for (std::size_t k = rectangular.lets.size(); k-- > 0;) {
    const auto &[name, value] = rectangular.lets[k];
    kernel.body = rewriteExprs(kernel.body, [&](const Expr &e) {
      return substitute(e, [&](const std::string &symbol) { return symbol == name ? value : Expr(); });
    });
  }
  return kernel;
}

/// The kernel through all passes but one.
Result<Kernel> without(std::string_view left, RectangularKernel rectangular, const PassContext &context,
                       const ShowKernel &show) {
  show(std::string(phases), plainly(rectangular));
  for (const RectangularPass &pass : rectangularPasses) {
    if (pass.name == left) continue;
    Result<RectangularKernel> next = pass.run(rectangular, context);
    if (!next) return next.refusal();
    rectangular = *next;
    show(std::string(pass.name), plainly(rectangular));
  }
  Result<Kernel> kernel = withRoles(rectangular, context.units);
  if (!kernel) return kernel;
  show(std::string(roles), *kernel);
  for (const RolePass &pass : rolePasses) {
    kernel = pass.run(*kernel, {context.units, rectangular.warpsN, rectangular.names});
    show(std::string(pass.name), *kernel);
  }
  return kernel;
}

} // namespace

std::vector<std::string> passNames() {
  std::vector<std::string> names{std::string(phases)};
  for (const RectangularPass &pass : rectangularPasses) names.emplace_back(pass.name);
  names.emplace_back(roles);
  for (const RolePass &pass : rolePasses) names.emplace_back(pass.name);
  return names;
}

Result<Kernel> throughPasses(const RectangularKernel &rectangular, const PassContext &context, const ShowKernel &show) {
  Result<Kernel> kernel = Refusal{"", {}};
  for (const std::string_view left : leftOut)
    if (!kernel) kernel = without(left, rectangular, context, show);
  return kernel;
}

} // namespace polymend
