// A chunk mends what rows have gathered before it. Where rows of an image look at the cells around them, each line of
// cells is a chunk of its own with a few elements, and the mends take longer than the second way through them. That
// holds of loops whose bounds the rows move; where a condition chooses the elements, the source comes by all others.
#include "polymend/short_windows.h"

#include "polymend/window.h"

#include <algorithm>

namespace polymend {
namespace {

constexpr std::int64_t fewElements = 16;

const Equation &equationOf(const Relaxed &relaxed, const Member &member) {
  return relaxed.system->equations[static_cast<std::size_t>(member.equation)];
}

/// The length of the window that a mended reduction has of the innermost loop, beside which other loops turn; absent:
/// it has none.
std::optional<std::int64_t> windowOf(const Relaxed &relaxed, const Member &member, const std::set<std::string> &moved) {
  if (member.mended < 0 || member.rolled.size() < 2) return std::nullopt;
  const Equation &e = equationOf(relaxed, member);
  const auto dim = static_cast<unsigned>(member.rolled.back());
  const std::string &name = e.dims[dim];
  if (!moved.contains(name.substr(0, name.rfind('_')))) return std::nullopt;
  return constantWindow(e.domain, dim);
}

} // namespace

std::optional<std::string> shortWindows(const Function &function, const Relaxed &relaxed, const Schedule &schedule) {
  const std::set<std::string> moved = movedLoops(function);
  for (const KernelPlan &plan : schedule.kernels)
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members) {
        const auto window = windowOf(relaxed, member, moved);
        if (window && *window < fewElements)
          return "nothing gained: a mend for each " + std::to_string(*window) + " elements takes longer than they do";
      }
  return std::nullopt;
}

Schedule inSourceOrder(const Scop &scop, const std::string &why) {
  Schedule result;
  result.order = scop.schedule;
  result.why = why;
  return result;
}

} // namespace polymend
