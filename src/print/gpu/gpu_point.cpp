// What a general kernel does at a point of its grid, as a function of the device: kernels with roles that marked rows
// there call it too.
#include "gpu_grid.h"

namespace polymend::print_room {

/// What the body does at a point of the grid; what may change while it runs must not be read as if it were constant.
void KernelPrinter::definePoint() {
  const std::string &memory = context.names.of("memory of a block");
  Writer out(1);
  declareShared(out);
  declareHeld(out);
  for (const PointDim &d : kernel.grid) context.signs.note(d);
  context.teamMemory = memory + " + " + std::to_string(team.sharedBytes - teamBytes);
  body(out);
  context.teamMemory.clear();
  std::string parameters = "const int " + context.names.of("thread") + ", unsigned char *const " + memory;
  const auto add = [&](const std::string &declaration, const std::string &argument) {
    parameters += ", " + declaration;
    atPoint->arguments.push_back(argument);
  };
  for (const DeviceTile &t : kernel.tiles)
    if (t.place == DeviceTile::Place::Slice)
      add(spellFor(t.array.type, context.table) + " *const " + context.names.of(t.array.name), sliceOf(t.array));
  for (const std::string &name : function.hostValues)
    if (mentions(out.text(), name)) add("const std::int64_t " + name, name);
  for (const auto &[name, type] : function.program.scalars)
    if (context.scalars.contains(name) && mentions(out.text(), name))
      add("const " + spellFor(type, context.table) + " " + name, name);
  for (const TileArray &a : function.program.arrays) {
    const std::string &name = context.names.of(a.name), type = spellFor(a.type, context.table);
    if (!plan.used.contains(a.name) || !mentions(out.text(), name)) continue;
    const bool changes = plan.written.contains(a.name) || a.name == kernel.fallback;
    add(changes ? (plan.written.contains(a.name) ? "" : "const ") + type + " *" + name
                : "const " + type + " *__restrict__ " + name,
        name);
  }
  for (const HostValue &value : values.all())
    if (mentions(out.text(), value.name)) add("const " + value.type + " " + value.name, value.name);
  for (const PointDim &d : kernel.grid) parameters += ", const std::int64_t " + context.names.of(d.variable);
  Writer text;
  text.line("/// What " + plan.name + " does at a point of its grid, by " + std::to_string(blockThreads) + " threads:");
  text.line("/// a block of it, or some of a block that marked rows there.");
  text.line("static __device__ __noinline__ void " + atPoint->name + "(" + parameters + ") {");
  text.verbatim(out.text() + "}\n\n");
  function.definitions += text.text();
  atPoint->used = plan.used;
  atPoint->written = plan.written;
  atPoint->extra.insert(atPoint->extra.end(), plan.extra.begin(),
                        plan.extra.begin() + static_cast<std::ptrdiff_t>(slices.size()));
  atPoint->values = values.all();
}

void KernelPrinter::printForRoles(const std::vector<const DeviceRoles *> &users) {
  place(kernel.tiles);
  atPoint = &function.fallbacks[kernel.fallback];
  atPoint->name = functionName(kernel.fallback + "_at", function);
  atPoint->byWholeBlocks = kernel.byWholeBlocks;
  atPoint->alone = context.names.fresh("alone");
  atPoint->chain = context.names.fresh("chain");
  atPoint->extra.emplace_back("int *" + atPoint->chain, atPoint->chain);
  Expr most;
  for (const DeviceRoles *user : users)
    most = most ? Expr::make(Op::Max, Type::Int64, {most, user->order.count}) : user->order.count;
  function.scratch.push_back({"int", atPoint->chain, plain(most, context)});
  launch();
  forget();
}

void printForRoles(const DeviceKernel &kernel, const std::vector<const DeviceRoles *> &roles, DeviceFunction &function,
                   Writer &host) {
  if (!kernel.name.empty()) host.line("// Kernel " + kernel.name + ".");
  KernelPrinter(kernel, function, host).printForRoles(roles);
}

} // namespace polymend::print_room
