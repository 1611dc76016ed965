#include "gpu_index_guard.h"

#include "print/index_guard.h"

namespace polymend::print_room {

namespace {

constexpr int faultWords = 6; // of an IndexFault

/// The loop of all threads of a launch over the outermost variable of a check.
std::string sharedLoop(const PointDim &dim, Context &context) {
  const std::string variable = context.names.bind(dim.variable, dim.variable), type = "for (std::int64_t ";
  return type + variable + " = (" + plain(dim.first, context) +
         ") + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; " + variable + " < " +
         plain(dim.limit, context) + "; " + variable + " += static_cast<std::int64_t>(gridDim.x) * blockDim.x)";
}

/// Parameters of the function that are no sizes: lengths of containers.
void addLengths(const Function &function, const std::string &body, DeviceFunction &device, LaunchPlan &plan) {
  for (const Parameter &p : function.parameters) {
    const bool isSize =
        std::find(device.program.sizes.begin(), device.program.sizes.end(), p.name) != device.program.sizes.end();
    if (!p.isArray && !isSize && !device.context.scalars.contains(p.name) && mentions(body, p.name))
      plan.extra.emplace_back("std::int64_t " + p.name, p.name);
  }
}

/// The arrays that a check reads.
std::set<std::string> readBy(const IndexCheck &check) {
  std::set<std::string> arrays;
  const auto look = [&](const Expr &e) {
    if (e)
      visit(e, [&](const Expr &node) {
        if (node.op() == Op::Read) arrays.insert(node->name);
      });
  };
  for (const Expr *e : {&check.element, &check.value, &check.least, &check.limit, &check.where}) look(*e);
  for (const PointDim &dim : check.dims) {
    look(dim.first);
    look(dim.limit);
  }
  return arrays;
}

void printDeviceCheck(const Function &function, std::size_t number, DeviceFunction &device, Writer &queued) {
  Context &context = device.context;
  const OnDevice onDevice(context);
  const IndexCheck &check = device.program.checks[number];
  LaunchPlan plan;
  plan.mayShare = true;
  plan.isGuard = true;
  plan.name = kernelName(device.program.function + "_index", device);
  plan.used = readBy(check);
  const bool isOnce = check.dims.empty();
  plan.blocks = isOnce ? "1" : "1024";
  plan.extra.emplace_back("long long *" + device.guard, device.guard);
  const TellFault tell = [&](const std::string &fault, Writer &out) {
    out.line(context.primitive("noteIndexFault") + "(" + device.guard + ", " + fault + ");");
  };
  Writer out(1);
  out.line("if (*" + device.guard + " != 0) return;");
  const std::string head = isOnce ? "if (threadIdx.x == 0)" : sharedLoop(check.dims.front(), context);
  out.block(head, [&] { printCheckAtPoint(check, number + 1, tell, out, context); });
  addLengths(function, out.text(), device, plan);
  defineAndLaunch(plan, out.text(), device, queued);
}

} // namespace

void printDeviceGuard(const Function &function, const std::string &given, DeviceFunction &device, Writer &queued) {
  Context &context = device.context;
  const std::string runtime(context.table.runtime), own = context.names.fresh("ownFault");
  device.guard = context.names.fresh("fault");
  device.scratch.push_back({"long long", own, std::to_string(faultWords)});
  queued.line("// Do index arrays lead where there are elements? Where one does not, no kernel does anything.");
  queued.line("long long *const " + device.guard + " = " + given + " != nullptr ? " + given + " : " + own + ";");
  queued.line("if (const " + runtime + "Error_t error = " + runtime + "MemsetAsync(" + device.guard + ", 0, " +
              std::to_string(faultWords) + " * sizeof(long long), stream); error != " + runtime +
              "Success) return error;");
  for (std::size_t k = 0; k < device.program.checks.size(); ++k)
    if (device.program.checks[k].kind == IndexCheck::Kind::Within) printDeviceCheck(function, k, device, queued);
}

} // namespace polymend::print_room
