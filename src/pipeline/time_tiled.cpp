// Programs of small sizes, which can be interpreted, have no turns enough for a tile of the usual extents: what is
// tried is the same rewrite with small ones, in both languages.
#include "time_tiled.h"

#include "polymend/same_values.h"
#include "polymend/time_tiles.h"
#include "polymend/verify.h"
#include "polymend/verify_device.h"

#include <algorithm>

namespace polymend {
namespace {

/// Of a tile: so that several blocks share a processor, and rows may be padded.
constexpr std::int64_t usualBytes = std::int64_t{104} * 1024, padding = std::int64_t{8} * 1024;

/// What is wrong with small tiles of the program.
std::optional<std::string> faultOfSmallTiles(const PipelineOptions &options, const FunctionTrace &trace,
                                             const TileProgram &program) {
  const auto small = withTimeTiles(program, {0, true});
  if (!small) return "there are no small ones";
  for (const std::string &fault : verify(*small)) return fault;
  if (auto differs = differenceInValues(trace, program, *small)) return differs;
  const auto mapped = mapKernels(trace.function, *small, options.target, options.fp);
  if (!mapped) return mapped.refusal().reason;
  return differenceInValues(trace, program, forget(*mapped));
}

} // namespace

std::optional<Refusal> tileTime(const PipelineOptions &options, FunctionTrace &trace, Lowered &lowered) {
  if (options.target == Target::Cpp || !trace.schedule->order || trace.schedule->given) return std::nullopt;
  const std::int64_t room = gpuFacts(options.target, options.fp).sharedBytes;
  const auto tiled = withTimeTiles(lowered.program, {std::min(usualBytes, room - padding)});
  if (!tiled) return std::nullopt;
  if (const auto fault = faultOfSmallTiles(options, trace, lowered.program))
    return invalid("validation failed: tiles of time do not leave what the source does: " + *fault, trace);
  lowered.untiled = lowered.program;
  lowered.program = *tiled;
  lowered.mapped.reset();
  return std::nullopt;
}

} // namespace polymend
