// The launch of a kernel with roles: persistent blocks where the device and the addresses allow them, else all that the
// kernel would mark is marked, and the general kernel after it computes everything.
#include "print/role_launch.h"

#include "print/kernel.h"

#include <algorithm>

namespace polymend::print_room {

void launchRoles(RoleFrame &frame, RoleUnits &units, const std::string &body, Writer &host) {
  const Kernel &kernel = frame.kernel;
  DeviceFunction &function = frame.function;
  Context &context = frame.context;
  const auto local = [&](const std::string &wish) -> const std::string & { return frame.local(wish); };
  LaunchPlan plan;
  plan.name = kernelName(kernel.name, function);
  for (const TileRole &role : kernel.roles) {
    plan.written.merge(writtenIn(role.body));
    plan.used.merge(usedIn(role.body));
  }
  plan.blocks = local("blocks");
  plan.threads = static_cast<int>(units.threads());
  plan.residents = 1;
  plan.bytes = frame.bytes + 8 * frame.barriers + 1024 + 64;
  units.parameters(plan);
  // Kernels that stand in for each other count in the same words.
  const auto shared = function.tickets.find(kernel.again);
  const bool counted = !kernel.again.empty() && shared != function.tickets.end();
  const std::string tickets = counted ? shared->second : local("tickets");
  if (!kernel.again.empty()) function.tickets[kernel.again] = tickets;
  plan.extra.emplace_back("std::uint32_t *" + local("tickets"), tickets);
  plan.extra.emplace_back("std::int64_t " + local("points"), local("points"));
  const std::string runtime(context.table.runtime), error = runtime + "Error_t", ok = runtime + "Success";
  const auto check = [&](const std::string &call) {
    host.line("if (const " + error + " error = " + call + "; error != " + ok + ") return error;");
  };
  std::string condition = units.runs(plan);
  // 16-bit results go out in words of 16 bytes.
  for (const TileArray &a : function.program.arrays)
    if ((frame.elementBytes == 2 || isNarrow(a.type)) && a.space == Space::Argument && a.written) {
      condition += " && reinterpret_cast<std::uintptr_t>(" + context.names.of(a.name) + ") % 16 == 0";
      if (a.extents.size() > 1) condition += " && " + frame.plain(a.extents.back()) + " % 8 == 0";
    }
  const std::string again = kernel.again.empty() ? "" : context.names.of(kernel.again) + "Memory";
  const auto mark = [&](int value) {
    const TileArray &marks = *std::find_if(function.program.arrays.begin(), function.program.arrays.end(),
                                           [&](const TileArray &a) { return a.name == kernel.again; });
    return runtime + "MemsetAsync(" + again + ", " + number(value) + ", static_cast<std::size_t>(" +
           frame.plain(elementsOf(marks)) + ") * sizeof(int), stream)";
  };
  if (!counted) function.scratch.push_back({"std::uint32_t", tickets, "3"});
  const auto clear = [&](int value) {
    return runtime + "MemsetAsync(" + tickets + ", " + number(value) + ", 12, stream)";
  };
  const bool asked =
      std::any_of(function.program.kernels.begin(), function.program.kernels.end(), [&](const Kernel &other) {
        return other.roles.empty() && !again.empty() && other.again == kernel.again;
      });
  const auto launched = [&] {
    host.block("if (" + condition + ")", "} else {", [&] {
      units.beforeLaunch(check, host);
      host.line("const std::int64_t " + local("points") + " = " + frame.plain(kernel.order->count) + ";");
      host.line("const std::int64_t " + local("blocks") + " = " + context.primitive("persistentBlocks") + "(" +
                local("points") + ");");
      // Where no kernel asks for the mark, and no block takes a second ticket, nothing reads the words.
      if (!asked) host.line("if (" + local("blocks") + " < " + local("points") + ")");
      if (asked)
        check(clear(0));
      else
        host.inside([&] { check(clear(0)); });
      defineAndLaunch(plan, body, function, host);
    });
    host.inside([&] {
      check(clear(1));
      if (!again.empty()) check(mark(1));
    });
    host.line("}");
  };
  host.line("// Kernel " + kernel.name + (kernel.when ? ", where sizes make it the faster one" : "") +
            ", where the device and the addresses allow it.");
  if (kernel.when)
    host.block("if (" + frame.plain(kernel.when) + ")", launched);
  else
    launched();
}

} // namespace polymend::print_room
