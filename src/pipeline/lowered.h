// lowered: one function through the rooms from its model to what is printed of it.
#pragma once

#include "dumps.h"

#include "polymend/account.h"
#include "polymend/machine.h"
#include "polymend/map.h"

namespace polymend {

#ifdef NDEBUG
constexpr bool verifiesPasses = false;
#else
constexpr bool verifiesPasses = true; // tile programs are verified after every pass
#endif

/// A function's program, what is printed of it once it is mapped, and whether it has run beside its source.
struct Lowered {
  TileProgram program;
  std::optional<DeviceProgram> mapped{};
  bool isTried = false;
  std::optional<TileProgram> untiled{}; // the same without tiles of time; absent: it has none
};

/// One function through model, deps, relax, schedule and tile; in the order of `tree`, where there is one. `positions`:
/// loops over what each row sees of an array run over its elements, where the target has matrix units.
Result<Lowered> lowerFunction(const PipelineOptions &options, const IslContext &context,
                              const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps,
                              bool positions = false);
/// As lowerFunction, with fewer scalars or for sizes of its own where that gains something; where isl gives up the
/// function is refused, and what we get wrong costs no other function anything.
Result<Lowered> lowerWithinLimits(const PipelineOptions &options, const IslContext &context,
                                  const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps);

/// A planned function through tile: on matrix units, where the target has any and what comes of it is right, else as
/// the general kernels.
Result<Lowered> lowerPlanned(const PipelineOptions &options, FunctionTrace &trace, Dumps &dumps);
/// Maps what is not mapped yet: what is printed.
std::optional<Refusal> mapLowered(const PipelineOptions &options, FunctionTrace &trace, Lowered &lowered, Dumps &dumps);

/// What we got wrong on the function: it stays as it is, and people are asked to tell us.
Refusal invalid(const std::string &fault, FunctionTrace &trace);
/// A dependence that an order of loops breaks: a fault of ours, or of the person's who wrote the order.
std::optional<Refusal> brokenBy(FunctionTrace &trace);

/// --tile by loop variable: what is said of a name holds for all loops of the source that have it.
std::map<std::string, std::int64_t> tilesOf(const Function &function, const PipelineOptions &options);
/// What kernels of the target run on; a GPU that is not named has no matrix units.
const Machine &machineFor(const PipelineOptions &options);

} // namespace polymend
