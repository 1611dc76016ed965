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

/// The arrays that the kernel reads and writes.
void takeArrays(const DeviceRoles &roles, LaunchPlan &plan) {
  for (const DeviceBlock *block : {&roles.copies, &roles.computes}) {
    plan.written.merge(writtenIn(*block));
    plan.used.merge(usedIn(*block));
    for (const auto &[name, value] : roles.lets) noteReads(value, plan.used);
  }
  if (roles.order.runs) noteReads(roles.order.runs->length, plan.used);
}

/// How blocks of the kernel are started.
LaunchPlan planOf(RoleFrame &frame) {
  const DeviceRoles &roles = frame.roles;
  LaunchPlan plan;
  plan.name = kernelName(frame.kernel.name, frame.function);
  plan.values = frame.values.all();
  plan.blocks = frame.local("blocks");
  plan.threads = static_cast<int>(roles.threads);
  plan.residents = 1;
  plan.bytes = roles.bytes + 8 * roles.barriers + 1024 + 64;
  return plan;
}

/// What the kernel's units need; its condition asks all that must hold for the kernel to run.
UnitsLaunch unitsOf(RoleFrame &frame, LaunchPlan &plan) {
  Context &context = frame.context;
  takeArrays(frame.roles, plan);
  UnitsLaunch units = frame.beside ? launchOfEngine(frame, plan) : launchOfThreads(frame, plan);
  for (const std::string &header : units.headers) context.needs.headers.insert(header);
  for (const std::string &name : frame.roles.aligned) {
    const TileArray &a = arrayOf(name, frame.function);
    units.condition += " && reinterpret_cast<std::uintptr_t>(" + context.names.of(name) + ") % 16 == 0";
    if (a.extents.size() > 1) units.condition += " && " + frame.plain(a.extents.back()) + " % 8 == 0";
  }
  return units;
}

/// A call of the runtime that the host goes on after if it went well.
void check(const std::string &call, const Context &context, Writer &host) {
  const std::string runtime(context.table.runtime);
  host.line("if (const " + runtime + "Error_t error = " + call + "; error != " + runtime + "Success) return error;");
}

std::string clearTickets(const std::string &tickets, int value, std::int64_t words, const Context &context) {
  return std::string(context.table.runtime) + "MemsetAsync(" + tickets + ", " + number(value) + ", " +
         number(4 * words) + ", stream)";
}

/// The host's variable in place of marks that the kernel never sets, declared unless it was.
std::string unmarkedOf(const RoleFrame &frame, Writer &host) {
  const std::string &marks = frame.kernel.fallback;
  const auto [at, isNew] = frame.function.unmarked.try_emplace(marks);
  if (!isNew) return at->second;
  at->second = frame.context.names.fresh(marks);
  frame.context.names.alias(at->second);
  host.line("int " + at->second + " = 1; // what the general kernel computes: all, or nothing");
  return at->second;
}

} // namespace

void launchRoles(RoleStart &start, const std::string &body, Writer &host) {
  RoleFrame &frame = start.frame;
  const DeviceKernel &kernel = frame.kernel;
  const DeviceRoles &roles = frame.roles;
  DeviceFunction &function = frame.function;
  Context &context = frame.context;
  const auto local = [&](const std::string &wish) -> const std::string & { return frame.local(wish); };
  LaunchPlan plan = planOf(frame);
  const UnitsLaunch units = unitsOf(frame, plan);
  // Kernels that stand in for each other count in the same words.
  PointFunction *const point = frame.fallback ? &function.fallbacks.at(kernel.fallback) : nullptr;
  const auto shared = function.marks.find(kernel.fallback);
  const bool counted = point ? !point->tickets.empty() : !kernel.fallback.empty() && shared != function.marks.end();
  const std::string tickets = !counted ? local("tickets") : point ? point->tickets : shared->second.tickets;
  if (point) takeFallback(*point, plan);
  plan.extra.emplace_back("std::uint32_t *" + local("tickets"), tickets);
  const auto &runs = roles.order.runs;
  if (!runs) plan.extra.emplace_back("std::int64_t " + local("points"), local("points"));
  const std::string runtime(context.table.runtime);
  const std::string fallback = kernel.fallback.empty() ? "" : context.names.of(kernel.fallback) + "Memory";
  const auto mark = [&](int value) {
    const Expr elements = elementsOf(arrayOf(kernel.fallback, function)); // none where a size is negative
    const Expr count = simplify(Expr::make(Op::Max, Type::Int64, {elements, Expr::integer(0)}));
    return runtime + "MemsetAsync(" + fallback + ", " + number(value) + ", static_cast<std::size_t>(" +
           frame.plain(count) + ") * sizeof(int), stream)";
  };
  const bool asked = roles.marks == DeviceMarks::Word;
  if (point) point->tickets = tickets;
  const bool unmarked = roles.marks == DeviceMarks::Never;
  const std::string count = counted || !asked ? "" : context.names.fresh("mark_words");
  if (asked && !counted) function.marks[kernel.fallback] = {tickets, count};
  // A word for each block that may mark something stands behind the counters.
  const std::string counters = number(ticketCounters), all = "INT64_MAX";
  if (!counted)
    function.scratch.push_back(
        {"std::uint32_t", tickets,
         counters + (asked ? " + " + context.primitive("persistentBlocks") + "(" + all + ")" : "")});
  const std::string flag = unmarked ? unmarkedOf(frame, host) : "";
  const auto launched = [&] {
    const bool elsewhere = asked || (!fallback.empty() && !unmarked);
    host.block("if (" + units.condition + ")", elsewhere ? "} else {" : "}", [&] {
      for (const auto &[name, described] : units.maps) {
        host.line("CUtensorMap " + name + ";");
        check(described, context, host);
      }
      // How many there are of runs only the device knows.
      const std::string all = frame.plain(roles.order.count);
      host.line("const std::int64_t " + local("points") + " = " +
                (runs ? frame.plain(runs->count) + " <= 0 || " + all + " <= 0 ? 0 : INT64_MAX" : all) + ";");
      host.line("const std::int64_t " + local("blocks") + " = " + context.primitive("persistentBlocks") + "(" +
                local("points") + ");");
      // Where no block takes a third ticket, nothing reads the counters.
      if (!runs) host.line("if (2 * " + local("blocks") + " < " + local("points") + ")");
      const auto fresh = [&] { check(clearTickets(tickets, 0, ticketCounters, context), context, host); };
      runs ? fresh() : host.inside(fresh);
      if (asked) host.line(function.marks.at(kernel.fallback).count + " = " + local("blocks") + ";");
      if (point) host.line(point->alone + " = false;");
      if (unmarked) host.line(flag + " = 0;");
      defineAndLaunch(plan, body, function, host);
    });
    if (!elsewhere) return;
    host.inside([&] {
      if (asked) check(clearTickets(tickets, 1, ticketCounters + 1, context), context, host);
      if (!unmarked) check(mark(1), context, host);
    });
    host.line("}");
  };
  if (!count.empty())
    host.line("std::int64_t " + count + " = 1; // words behind the counters of " + tickets +
              ", not zero where a block marked something");
  host.line("// Kernel " + kernel.name + (start.when ? ", where sizes make it the faster one" : "") +
            ", where the device and the addresses allow it.");
  if (start.when)
    host.block("if (" + frame.plain(start.when) + ")", launched);
  else
    launched();
}

void launchTogether(std::deque<RoleStart> &starts, const std::string &body, Writer &host) {
  RoleFrame &first = starts.front().frame;
  DeviceFunction &function = first.function;
  Context &context = first.context;
  LaunchPlan plan = planOf(first);
  const std::string &tickets = first.local("tickets");
  function.scratch.push_back({"std::uint32_t", tickets, number(ticketCounters)});
  std::string kernels, all;
  std::vector<UnitsLaunch> units;
  std::set<std::string> maps;
  for (RoleStart &start : starts) {
    units.push_back(unitsOf(start.frame, plan));
    for (const auto &[name, described] : units.back().maps) maps.insert(name);
    kernels += (kernels.empty() ? "" : ", ") + start.frame.kernel.name;
    all += (all.empty() ? "" : " + ") + first.resolved(start.frame.points());
  }
  plan.extra.emplace_back("std::uint32_t *" + tickets, tickets);
  host.line("// Kernels " + kernels + " in one launch, each where the device and the addresses allow it.");
  for (const std::string &name : maps) host.line("CUtensorMap " + name + "{};");
  for (std::size_t k = 0; k < starts.size(); ++k) {
    RoleFrame &frame = starts[k].frame;
    const std::string flag = unmarkedOf(frame, host), points = first.resolved(frame.points());
    const std::string asked = starts[k].when ? "(" + frame.plain(starts[k].when) + ") && " : "";
    plan.extra.emplace_back("std::int64_t " + points, points);
    host.line("std::int64_t " + points + " = 0;");
    host.block("if (" + asked + units[k].condition + ")", [&] {
      for (const auto &[name, described] : units[k].maps) check(described, context, host);
      host.line(points + " = " + context.primitive("extent") + "(0, " + frame.plain(frame.roles.order.count) + ");");
      host.line(flag + " = 0;");
    });
  }
  const std::string &blocks = first.local("blocks");
  host.line("const std::int64_t " + blocks + " = " + context.primitive("persistentBlocks") + "(" + all + ");");
  host.line("if (2 * " + blocks + " < " + all + ")");
  host.inside([&] { check(clearTickets(tickets, 0, ticketCounters, context), context, host); });
  defineAndLaunch(plan, body, function, host);
}

} // namespace polymend::print_room
