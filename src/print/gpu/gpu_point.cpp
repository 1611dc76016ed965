// What a general kernel does at a point of its grid, as a function of the device: kernels with roles that marked rows
// there call it too.
#include "gpu_grid.h"
#include "polymend/atoms.h"
#include "print/gpu_rings.h"
#include "print/region.h"

#include <algorithm>

namespace polymend::print_room {

/// Do copying threads have to join the computing ones of such a kernel, for a team to be large enough?
bool GridPrinter::needsWholeBlocks(const Kernel &user) const {
  return groupThreads(atomOf(user)) * computingGroups(user) < blockThreads;
}

/// Can they? Of warp groups that hand registers over, one copies.
bool GridPrinter::hasWholeBlocks(const Kernel &user) const {
  return user.roles.back().registers > 0 && groupThreads(atomOf(user)) * (computingGroups(user) + 1) >= blockThreads;
}

/// Whether blocks of these kernels with roles can run points: their threads and memory are enough, and nothing but
/// marks is read that only they write.
bool GridPrinter::serves(const std::vector<const Kernel *> &users) {
  if (perThread || groups || !plan.extra.empty()) return false;
  return std::all_of(users.begin(), users.end(), [&](const Kernel *user) {
    std::set<std::string> left;
    for (const TileRole &role : user->roles) left.merge(writtenIn(role.body));
    left.erase(kernel.fallback);
    const bool own = std::none_of(left.begin(), left.end(), [&](const std::string &array) {
      return plan.used.contains(array) && !plan.written.contains(array) && globals().contains(array);
    });
    const bool enough = !needsWholeBlocks(*user) || (users.size() == 1 && hasWholeBlocks(*user));
    return own && enough && teamOffset() + teamBytes <= ringBytes(*user) && pointsInTile(*user, kernel);
  });
}

/// The arrays of global memory.
std::set<std::string> GridPrinter::globals() const {
  std::set<std::string> names;
  for (const TileArray &a : function.program.arrays) names.insert(a.name);
  return names;
}

/// What the body does at a point of the grid; what may change while it runs must not be read as if it were constant.
void GridPrinter::definePoint() {
  const std::string &memory = context.names.of("memory of a block");
  Writer out(1);
  declareShared(out);
  declareHeld(out);
  for (const PointDim &d : kernel.grid) noteSign(d, context);
  context.teamMemory = memory + " + " + std::to_string(teamOffset());
  printTeamBody(body, surroundings(), out, context);
  context.teamMemory.clear();
  std::string parameters = "const int " + context.names.of("thread") + ", unsigned char *const " + memory;
  const auto add = [&](const std::string &declaration, const std::string &argument) {
    parameters += ", " + declaration;
    atPoint->arguments.push_back(argument);
  };
  for (const TileArray *a : layout.scratch)
    add(spellFor(a->type, context.table) + " *const " + context.names.of(a->name), sliceOf(*a));
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

bool GridPrinter::printForRoles(const std::vector<const Kernel *> &users) {
  const bool can = !kernel.fallback.empty() && !prepare() && serves(users);
  if (can) {
    atPoint = &function.fallbacks[kernel.fallback];
    atPoint->name = functionName(kernel.fallback + "_at", function);
    atPoint->byWholeBlocks = needsWholeBlocks(*users.front());
    atPoint->alone = context.names.fresh("alone");
    atPoint->chain = context.names.fresh("chain");
    atPoint->extra.emplace_back("int *" + atPoint->chain, atPoint->chain);
    Expr most;
    for (const Kernel *user : users)
      most = most ? Expr::make(Op::Max, Type::Int64, {most, user->order->count}) : user->order->count;
    function.scratch.push_back({"int", atPoint->chain, plain(most, context)});
    plan.bytes = teamOffset() + teamBytes;
    launch();
  }
  forget();
  return can;
}

bool printForRoles(const Kernel &kernel, const std::vector<const Kernel *> &roles, DeviceFunction &function,
                   Writer &host) {
  const std::set<std::string> used = usedIn(kernel.body);
  Kernel needed = kernel;
  std::erase_if(needed.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  if (!GridPrinter(needed, function, host).printForRoles(roles)) return false;
  function.fallbacks.at(kernel.fallback).general = &kernel;
  return true;
}

} // namespace polymend::print_room
