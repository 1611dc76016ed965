// The launch of a kernel with roles: persistent blocks where the device and the addresses allow them, else all that the
// kernel would mark is marked, and the general kernel after it computes everything.
#include "role_launch.h"

#include "device/extents.h"
#include "device/walk.h"
#include "role_fallback.h"
#include "role_units.h"
#include "tile/touched.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::elementsOf;
using device_room::usedIn;
using device_room::writtenIn;

namespace {

const TileArray &arrayOf(const std::string &name, const DeviceFunction &function) {
  return *std::find_if(function.program.arrays.begin(), function.program.arrays.end(),
                       [&](const TileArray &a) { return a.name == name; });
}

} // namespace

void launchRoles(RoleFrame &frame, const Expr &when, const std::string &body, Writer &host) {
  const DeviceKernel &kernel = frame.kernel;
  const DeviceRoles &roles = frame.roles;
  DeviceFunction &function = frame.function;
  Context &context = frame.context;
  const auto local = [&](const std::string &wish) -> const std::string & { return frame.local(wish); };
  LaunchPlan plan;
  plan.name = kernelName(kernel.name, function);
  for (const DeviceBlock *block : {&roles.copies, &roles.computes}) {
    plan.written.merge(writtenIn(*block));
    plan.used.merge(usedIn(*block));
    for (const auto &[name, value] : roles.lets) noteReads(value, plan.used);
  }
  plan.values = frame.values.all();
  plan.blocks = local("blocks");
  plan.threads = static_cast<int>(roles.threads);
  plan.residents = 1;
  plan.bytes = roles.bytes + 8 * roles.barriers + 1024 + 64;
  const UnitsLaunch units = frame.beside ? launchOfEngine(frame, plan) : launchOfThreads(frame, plan);
  for (const std::string &header : units.headers) context.needs.headers.insert(header);
  // Kernels that stand in for each other count in the same words.
  PointFunction *const point = frame.fallback ? &function.fallbacks.at(kernel.fallback) : nullptr;
  const auto shared = function.marks.find(kernel.fallback);
  const bool counted = point ? !point->tickets.empty() : !kernel.fallback.empty() && shared != function.marks.end();
  const std::string tickets = !counted ? local("tickets") : point ? point->tickets : shared->second.tickets;
  if (point) takeFallback(*point, plan);
  plan.extra.emplace_back("std::uint32_t *" + local("tickets"), tickets);
  plan.extra.emplace_back("std::int64_t " + local("points"), local("points"));
  const std::string runtime(context.table.runtime), error = runtime + "Error_t", ok = runtime + "Success";
  const auto check = [&](const std::string &call) {
    host.line("if (const " + error + " error = " + call + "; error != " + ok + ") return error;");
  };
  std::string condition = units.condition;
  for (const std::string &name : roles.aligned) {
    const TileArray &a = arrayOf(name, function);
    condition += " && reinterpret_cast<std::uintptr_t>(" + context.names.of(name) + ") % 16 == 0";
    if (a.extents.size() > 1) condition += " && " + frame.plain(a.extents.back()) + " % 8 == 0";
  }
  const std::string fallback = kernel.fallback.empty() ? "" : context.names.of(kernel.fallback) + "Memory";
  const auto mark = [&](int value) {
    const Expr elements = elementsOf(arrayOf(kernel.fallback, function)); // none where a size is negative
    const Expr count = simplify(Expr::make(Op::Max, Type::Int64, {elements, Expr::integer(0)}));
    return runtime + "MemsetAsync(" + fallback + ", " + number(value) + ", static_cast<std::size_t>(" +
           frame.plain(count) + ") * sizeof(int), stream)";
  };
  const bool asked = roles.marks == DeviceMarks::Word;
  if (point) point->tickets = tickets;
  // The host's variable in place of marks that the kernel never sets.
  const bool unmarked = roles.marks == DeviceMarks::Never;
  const bool first = unmarked && !function.unmarked.contains(kernel.fallback);
  if (first) {
    function.unmarked[kernel.fallback] = context.names.fresh(kernel.fallback);
    context.names.alias(function.unmarked[kernel.fallback]);
  }
  const std::string count = counted || !asked ? "" : context.names.fresh("mark_words");
  if (asked && !counted) function.marks[kernel.fallback] = {tickets, count};
  // A word for each block that may mark something stands behind the counters.
  const std::string counters = number(ticketCounters), all = "INT64_MAX";
  if (!counted)
    function.scratch.push_back(
        {"std::uint32_t", tickets,
         counters + (asked ? " + " + context.primitive("persistentBlocks") + "(" + all + ")" : "")});
  const auto clear = [&](int value, std::int64_t words) {
    return runtime + "MemsetAsync(" + tickets + ", " + number(value) + ", " + number(4 * words) + ", stream)";
  };
  const auto launched = [&] {
    const bool elsewhere = asked || (!fallback.empty() && !unmarked);
    host.block("if (" + condition + ")", elsewhere ? "} else {" : "}", [&] {
      for (const auto &[name, described] : units.maps) {
        host.line("CUtensorMap " + name + ";");
        check(described);
      }
      host.line("const std::int64_t " + local("points") + " = " + frame.plain(roles.order.count) + ";");
      host.line("const std::int64_t " + local("blocks") + " = " + context.primitive("persistentBlocks") + "(" +
                local("points") + ");");
      // Where no block takes a third ticket, nothing reads the counters.
      host.line("if (2 * " + local("blocks") + " < " + local("points") + ")");
      host.inside([&] { check(clear(0, ticketCounters)); });
      if (asked) host.line(function.marks.at(kernel.fallback).count + " = " + local("blocks") + ";");
      if (point) host.line(point->alone + " = false;");
      if (unmarked) host.line(function.unmarked.at(kernel.fallback) + " = 0;");
      defineAndLaunch(plan, body, function, host);
    });
    if (!elsewhere) return;
    host.inside([&] {
      if (asked) check(clear(1, ticketCounters + 1));
      if (!unmarked) check(mark(1));
    });
    host.line("}");
  };
  if (first)
    host.line("int " + function.unmarked.at(kernel.fallback) +
              " = 1; // what the general kernel computes: all, or nothing");
  if (!count.empty())
    host.line("std::int64_t " + count + " = 1; // words behind the counters of " + tickets +
              ", not zero where a block marked something");
  host.line("// Kernel " + kernel.name + (when ? ", where sizes make it the faster one" : "") +
            ", where the device and the addresses allow it.");
  if (when)
    host.block("if (" + frame.plain(when) + ")", launched);
  else
    launched();
}

} // namespace polymend::print_room
