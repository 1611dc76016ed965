#include "polymend/map.h"

namespace polymend {

GpuFacts gpuFacts(Target target, FloatMode fp) {
  const bool approximates = fp == FloatMode::Approx;
  if (target == Target::Cuda) return {std::int64_t{163} * 1024, true, approximates};
  return {std::int64_t{64} * 1024, false, approximates};
}

Result<DeviceProgram> mapKernels(const Function &function, const TileProgram &program, Target target, FloatMode fp) {
  const bool strict = fp == FloatMode::Strict;
  if (target == Target::Cpp) return mapToCpu(function, program, strict);
  return mapToGpu(function, program, gpuFacts(target, fp), strict);
}

Result<DeviceProgram> mapTo(const Function &function, const TileProgram &program, Target target, FloatMode fp) {
  Result<DeviceProgram> mapped = mapKernels(function, program, target, fp);
  if (!mapped || target == Target::Cpp) return mapped;
  if (auto refusal = mapEntries(function, program, fp == FloatMode::Strict, *mapped)) return *refusal;
  return mapped;
}

} // namespace polymend
