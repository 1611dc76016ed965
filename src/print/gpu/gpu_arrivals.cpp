// The last groups to arrive combine what the others left: the next kernel runs in the launch of this one.
#include "gpu_grid.h"
#include "print/gpu_team.h"

namespace polymend::print_room {

/// A counter for each combination, zero before the launch; `points` is the number of points, over sizes.
void KernelPrinter::declareArrived(const std::string &points) {
  arrived = context.names.fresh("arrived");
  const std::string runtime(context.table.runtime), each = " / " + std::to_string(kernel.arrival->count);
  function.scratch.push_back({"std::uint32_t", arrived, points + each});
  host.line("if (const " + runtime + "Error_t error = " + runtime + "MemsetAsync(" + arrived +
            ", 0, static_cast<std::size_t>(" + context.names.of("number of points") + each +
            ") * sizeof(std::uint32_t), stream); error != " + runtime + "Success) return error;");
  plan.extra.emplace_back("std::uint32_t *" + arrived, arrived);
  // What combines runs once: its registers must not leave fewer threads to read memory.
  constexpr int enough = 1024;
  if (!team.window) plan.residentThreads = enough;
}

/// The second kernel at the point to which this group's belongs, by the last group that arrives there.
void KernelPrinter::combine(Writer &out, const std::string &point) {
  const DeviceArrival &after = *kernel.arrival;
  const std::string count = std::to_string(after.count);
  if (!after.name.empty()) out.line("// Kernel " + after.name + ".");
  out.block("if (" + context.primitive("arrivesLast") + "<" + context.names.of("group size") + ">(&" + arrived + "[" +
                point + " / " + count + "], " + count + ", " + context.names.of("turn of group") + "))",
            [&] { printTeamBlock(after.body, team, out, context); });
}

} // namespace polymend::print_room
