// A kernel's definition and the call that starts it; memory of the device that lives for one call.
#include "device/extents.h"
#include "print/gpu_kernel.h"
#include "print/gpu_team.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::elementsOf;

std::string functionName(const std::string &wish, const DeviceFunction &function) {
  std::string name = function.context.names.fresh(wish);
  while (mentions(function.source, name) || !function.context.needs.kernels.insert(name).second)
    name = function.context.names.fresh(name);
  return name;
}

std::string kernelName(const std::string &wish, const DeviceFunction &function) {
  return functionName(wish + "_kernel", function);
}

void defineAndLaunch(const LaunchPlan &plan, const std::string &body, DeviceFunction &function, Writer &host) {
  Context &context = function.context;
  std::string parameters, arguments;
  const auto add = [&](const std::string &declaration, const std::string &argument) {
    parameters += (parameters.empty() ? "" : ", ") + declaration;
    arguments += ", " + argument;
  };
  const auto isWide = [&](const std::string &name) {
    return std::ranges::any_of(context.wide, [&](const std::string &wide) { return context.names.of(wide) == name; });
  };
  for (const std::string &name : function.hostValues)
    if (mentions(body, name)) add((isWide(name) ? "std::int64_t" : plan.index) + " " + name, name);
  for (const auto &[name, type] : function.program.scalars)
    if (context.scalars.contains(name) && mentions(body, name)) add(spellFor(type, context.table) + " " + name, name);
  const auto addArray = [&](const TileArray &a, bool isWork) {
    const std::string &name = context.names.of(a.name);
    if (!plan.used.contains(a.name) || !mentions(body, name)) return;
    const bool written = plan.written.contains(a.name);
    const std::string pointer = plan.mayShare ? " *" : " *__restrict__ ";
    add((written ? "" : "const ") + spellFor(a.type, context.table) + pointer + name, isWork ? name + "Memory" : name);
  };
  for (const TileArray &a : function.program.arrays)
    if (a.space == Space::Argument) addArray(a, false);
  for (const TileArray *a : function.work) addArray(*a, true);
  for (const auto &[declaration, argument] : plan.extra) add(declaration, argument);
  const bool asks = !function.meeting.empty() && !plan.mayShare;
  if (asks) add("const int *" + function.meeting, function.meeting);
  const bool isGuarded = !function.guard.empty() && !plan.isGuard;
  if (isGuarded) add("const long long *" + function.guard, function.guard);
  for (const HostValue &value : plan.values) {
    if (!mentions(body, value.name)) continue;
    host.line("const " + value.type + " " + value.name + " = " + value.text + ";");
    add((value.type == "int" ? value.type : plan.index) + " " + value.name, value.name);
  }
  Writer out;
  const bool grouped = !plan.groups.empty(), counted = !plan.terms.empty();
  const std::string group = grouped ? context.names.of("group size") : "";
  const bool isRepeated = !plan.launches.empty();
  const std::string choice = counted      ? context.names.of(termsAhead)
                             : isRepeated ? context.names.of(numberOfLaunch)
                                          : group;
  const std::string threadsOfGroup = !grouped ? "" : context.primitive(plan.apart ? "threadsApart" : "groupThreads");
  const std::string threads = grouped ? threadsOfGroup + "(" + group + ")" : std::to_string(plan.threads);
  const std::string bounds =
      plan.threads == 1
          ? ""
          : "__launch_bounds__(" + threads + (plan.residents > 0 ? ", " + std::to_string(plan.residents) : "") +
                (plan.windowBytes.empty() ? "" : ", polymend_rt::groupResidents(" + group + ")") +
                (isRepeated ? ", " + plan.residentsOf + "(" + choice + ")" : "") +
                (plan.residentThreads > 0 && context.options.target == Target::Cuda
                     ? ", " + std::to_string(plan.residentThreads) + " / " + threads
                     : "") +
                ") ";
  const bool isSized = !plan.reach.empty();
  const std::string type = isSized ? "class " + plan.index : "", between = isSized && !choice.empty() ? ", " : "";
  const std::string parameter = type + between + (choice.empty() ? "" : "int " + choice);
  out.line((parameter.empty() ? "" : "template <" + parameter + "> ") + "__global__ void " + bounds + plan.name + "(" +
           parameters + ") {");
  if (!context.table.roundedProduct) out.directive("#pragma clang fp contract(off)");
  if (isGuarded) out.inside([&] { out.line("if (*" + function.guard + " != 0) return;"); });
  if (asks)
    out.inside([&] { out.line("if (" + function.meeting + " != nullptr && *" + function.meeting + " != 0) return;"); });
  out.verbatim(body + "}\n\n");
  function.definitions += out.text();
  const std::string error = std::string(context.table.runtime) + "Error_t",
                    ok = std::string(context.table.runtime) + "Success";
  const auto start = [&](const std::string &kernel, const std::string &blocks, const std::string &size) {
    return context.primitive("launch") + "(" + kernel + ", " + blocks + ", " + size + ", " +
           (plan.windowBytes.empty() ? std::to_string(plan.bytes) : plan.windowBytes) + ", stream" + arguments + ")";
  };
  const auto instance = [&](const std::string &chosen) {
    const std::string given = (isSized ? plan.index : "") + (isSized && !chosen.empty() ? ", " : "") + chosen;
    return plan.name + (given.empty() ? "" : "<" + given + ">");
  };
  const std::string chosen = choice + "()", ofGroup = threadsOfGroup + "(" + chosen + ")",
                    started = "[&](auto " + choice + ") { return ";
  std::string call;
  if (grouped)
    call = (plan.beside ? context.primitive("withTurns") + (plan.apart ? "<true>(" : "<false>(")
                        : context.primitive("withGroup") + "<" + std::to_string(plan.fours) + ">(") +
           plan.groups + ", " + plan.length + ", " + started +
           start(instance(chosen),
                 context.primitive("groupBlocks") + "(" + plan.groups + ", " + chosen + ", " + ofGroup + ")", ofGroup) +
           "; })";
  else if (counted)
    call = context.primitive("withTerms") + "(" + plan.terms + ", " + started +
           start(instance(chosen), plan.blocks, threads) + "; })";
  else
    call = start(instance(""), plan.blocks, plan.blockSize.empty() ? threads : plan.blockSize);
  const auto checked = [&](const std::string &begun) {
    const std::string own = context.names.fresh("index");
    const std::string sized = !isSized ? begun
                                       : context.primitive("withIndex") + "(" + plan.reach + ", [&](auto " + own +
                                             ") { using " + plan.index + " = decltype(" + own + "); return " + begun +
                                             "; })";
    host.line("if (const " + error + " error = " + sized + "; error != " + ok + ") return error;");
  };
  if (!isRepeated) return checked(call);
  for (std::size_t k = 0; k < plan.launches.size(); ++k)
    checked(start(instance(std::to_string(k)), plan.launches[k], threads));
}

void placeGlobal(const TileArray &array, Context &context) {
  context.places[array.name] = {&array, array.extents.empty() ? Shape::Cell : Shape::Linear};
}

void printAllocation(const std::vector<ScratchPart> &parts, Context &context, Writer &host) {
  if (parts.empty()) return;
  const std::string scratch = context.names.fresh("scratch"), runtime(context.table.runtime);
  std::vector<std::string> begins;
  host.line(context.primitive("Scratch") + " " + scratch + "(stream);");
  for (const ScratchPart &part : parts) {
    begins.push_back(context.names.fresh(part.name + "At"));
    host.line("const std::size_t " + begins.back() + " = " + scratch + ".reserve<" + part.type + ">(" + part.count +
              ");");
  }
  host.line("if (const " + runtime + "Error_t error = " + scratch + ".allocate(); error != " + runtime +
            "Success) return error;");
  for (std::size_t k = 0; k < parts.size(); ++k)
    host.line(parts[k].type + " *const " + parts[k].name + " = " + scratch + ".at<" + parts[k].type + ">(" + begins[k] +
              ");");
}

void printScratch(const TileArray &array, const std::string &name, const std::string &rows, DeviceFunction &function,
                  Writer &host) {
  Context &context = function.context;
  const Expr elements = simplify(elementsOf(array));
  const std::string count = rows.empty() ? printExpr(elements, context) : printFactor(elements, context) + " * " + rows;
  const ScratchPart part{spellFor(array.type, context.table), name, count};
  if (function.hostValues.size() == function.program.sizes.size())
    function.scratch.push_back(part);
  else
    printAllocation({part}, context, host);
}

} // namespace polymend::print_room
