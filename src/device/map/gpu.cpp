#include "polymend/map.h"

#include "data_ends.h"
#include "device/launches.h"
#include "device/marks.h"
#include "device/reach.h"
#include "grid.h"
#include "header.h"
#include "roles.h"
#include "staged_lines.h"
#include "strided_rows.h"

namespace polymend {

namespace {

using namespace device_room;

class GpuMapper {
public:
  GpuMapper(const TileProgram &p, const GpuFacts &facts, bool strict)
      : program(p), scope(p, strict), map{p, facts, scope} {}
  Result<DeviceProgram> run();

private:
  std::optional<Refusal> add(std::size_t &at);
  std::optional<Refusal> halves(const ByMarks &by, DeviceStep &step);
  std::optional<Refusal> grid(const Kernel &kernel, std::size_t at, DeviceBlock &host);
  [[nodiscard]] std::vector<const Kernel *> usersOf(std::size_t at) const;

  const TileProgram &program;
  Scope scope;
  GpuMap map;
  DeviceProgram result;
};

/// The kernels with roles right before number `at` that mark rows for it.
std::vector<const Kernel *> GpuMapper::usersOf(std::size_t at) const {
  const std::string &marks = program.kernels[at].fallback;
  std::vector<const Kernel *> users;
  if (marks.empty() || isNeverMarked(program, marks)) return users;
  for (std::size_t i = at; i > 0 && !program.kernels[i - 1].roles.empty() && program.kernels[i - 1].fallback == marks;
       --i)
    users.insert(users.begin(), &program.kernels[i - 1]);
  return users;
}

/// Kernel number `at`, and with it the next one where that is in the same launch.
std::optional<Refusal> GpuMapper::grid(const Kernel &kernel, std::size_t at, DeviceBlock &host) {
  const bool isWhole = &kernel == &program.kernels[at];
  const Kernel *const next = isWhole && at + 1 < program.kernels.size() ? &program.kernels[at + 1] : nullptr;
  Result<DeviceKernel> mapped = mapGrid(withStagedLines(withStridedRows(kernel), scope), next,
                                        isWhole ? usersOf(at) : std::vector<const Kernel *>(), map);
  if (!mapped) return mapped.refusal();
  host.emplace_back(DeviceLaunch{result.kernels.size()});
  result.kernels.push_back(*std::move(mapped));
  return std::nullopt;
}

/// The host knows which of the two there is to do.
std::optional<Refusal> GpuMapper::halves(const ByMarks &by, DeviceStep &step) {
  step.marks = by.marks;
  if (auto refusal = grid(by.marked, 0, step.host)) return refusal;
  return by.unmarked ? grid(*by.unmarked, 0, step.unmarked) : std::nullopt;
}

std::optional<Refusal> GpuMapper::add(std::size_t &at) {
  const Kernel &kernel = program.kernels[at];
  DeviceStep step;
  std::optional<Refusal> refusal;
  if (!kernel.roles.empty()) {
    Result<DeviceKernel> mapped = mapRoles(kernel, program, map.facts.approximates);
    if (!mapped) return mapped.refusal();
    step.host.emplace_back(DeviceLaunch{result.kernels.size()});
    result.kernels.push_back(*std::move(mapped));
  } else if (const auto by = byMarks(kernel, program)) {
    refusal = halves(*by, step);
  } else if (kernel.grid.empty()) {
    Result<DeviceStep> mapped = mapSequence(kernel, result.kernels, map);
    if (!mapped) return mapped.refusal();
    step = *std::move(mapped);
  } else {
    refusal = grid(kernel, at, step.host);
    if (!refusal && result.kernels.back().arrival) ++at;
  }
  step.when = kernel.when;
  result.steps.push_back(std::move(step));
  return refusal;
}

/// Kernels with roles come in the launch of the last one before them that they can follow.
void shareLaunches(DeviceProgram &mapped) {
  for (std::size_t at = 0; at < mapped.kernels.size(); ++at)
    for (std::size_t first = at; first > 0 && mapped.kernels[at].launch.empty(); --first)
      if (canFollow(mapped, first - 1, at)) mapped.kernels[at].launch = mapped.kernels[first - 1].name;
}

Result<DeviceProgram> GpuMapper::run() {
  result = headerOf(program);
  for (std::size_t at = 0; at < program.kernels.size(); ++at)
    if (const auto refusal = add(at)) return *refusal;
  mapMarks(program, result);
  shareLaunches(result);
  return withReaches(std::move(result));
}

} // namespace

Result<DeviceProgram> mapToGpu(const Function &function, const TileProgram &program, const GpuFacts &facts,
                               bool strict) {
  Result<DeviceProgram> result = GpuMapper(program, facts, strict).run();
  if (const auto turning = result ? turnsOn(function, *result, false) : std::nullopt) return *turning;
  if (result || result.refusal().where.valid()) return result;
  return Refusal{result.refusal().reason, function.where};
}

} // namespace polymend
