// The last groups to arrive combine what the others left: the next kernel runs in the launch of this one.
#include "gpu_combine.h"
#include "gpu_grid.h"

#include <algorithm>

namespace polymend::print_room {

/// Each of the second kernel's tiles must be a scalar that threads hold, and groups must be able to run it. It is run
/// once in many points: few registers count, not how fast it is.
void GridPrinter::chooseCombination() {
  if (!groups || !after || function.hostValues.size() != function.program.sizes.size()) return;
  const std::optional<std::int64_t> found = arrivalsFor(kernel, *after);
  if (!found) return;
  const std::map<std::string, Place> before = context.places;
  const std::set<std::string> used = usedIn(after->body);
  Kernel second = *after;
  std::erase_if(second.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  for (const TileArray &a : after->tiles) context.places[a.name] = {&a, Shape::Native};
  second.body = afterBody = prepareBody(after->body, context.strict());
  afterHeld = heldScalars(second, context);
  const bool scalars = std::all_of(second.tiles.begin(), second.tiles.end(),
                                   [&](const TileArray &a) { return afterHeld.contains(a.name); });
  if (scalars) afterGroups = planGroups(afterBody, second.grid, afterHeld, context, false);
  if (!afterGroups) {
    context.places = before;
    return;
  }
  arrivals = found;
  afterGroups->memory.kept.clear();
  afterGroups->memory.fours = 1;
  context.held.insert(afterHeld.begin(), afterHeld.end());
  plan.written.merge(writtenIn(afterBody));
  plan.used.merge(usedIn(afterBody));
}

/// A counter for each combination, zero before the launch; `points` is the number of points, over sizes.
void GridPrinter::declareArrived(const std::string &points) {
  arrived = context.names.fresh("arrived");
  const std::string runtime(context.table.runtime), each = " / " + std::to_string(*arrivals);
  function.scratch.push_back({"std::uint32_t", arrived, points + each});
  host.line("if (const " + runtime + "Error_t error = " + runtime + "MemsetAsync(" + arrived +
            ", 0, static_cast<std::size_t>(" + context.names.of("number of points") + each +
            ") * sizeof(std::uint32_t), stream); error != " + runtime + "Success) return error;");
  plan.extra.emplace_back("std::uint32_t *" + arrived, arrived);
  // What combines runs once: its registers must not leave fewer threads to read memory.
  constexpr int enough = 1024;
  if (plan.windowBytes.empty()) plan.residentThreads = enough;
}

/// The second kernel at the point to which this group's belongs, by the last group that arrives there.
void GridPrinter::combine(Writer &out, const std::string &point) {
  Surroundings s;
  s.team = Team::Group;
  s.memory = afterGroups->memory;
  for (const std::string &array : plan.written)
    if (!context.held.contains(array)) s.shared.insert(array);
  const std::string count = std::to_string(*arrivals);
  if (!after->name.empty()) out.line("// Kernel " + after->name + ".");
  out.block("if (" + context.primitive("arrivesLast") + "<" + context.names.of("group size") + ">(&" + arrived + "[" +
                point + " / " + count + "], " + count + ", " + context.names.of("turn of group") + "))",
            [&] { printTeamBody(afterBody, s, out, context); });
}

} // namespace polymend::print_room
