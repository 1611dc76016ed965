#include "device/marks.h"
#include "device/team_body.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

bool isNeverMarked(const TileProgram &program, const std::string &array) {
  bool found = false, zero = true;
  for (const Kernel &kernel : program.kernels) {
    if (array.empty() || kernel.roles.empty() || kernel.fallback != array) continue;
    found = true;
    eachAssign(kernel, [&](const TileAssign &a) {
      const bool clears = a.update == Update::Set && a.value.op() == Op::Integer && a.value->integer == 0;
      zero = zero && (clears || a.target.array != array);
    });
  }
  return found && zero;
}

namespace {

/// The assignment that a node is, or that a region has alone.
const TileAssign *oneAssign(const TileNode &node) {
  if (const auto *a = as<TileAssign>(node)) return a;
  const auto *p = as<TilePoints>(node);
  return p && p->body.size() == 1 ? &p->body[0] : nullptr;
}

bool isZero(const Expr &e) { return e.op() == Op::Integer && e->integer == 0; }

} // namespace

std::optional<ByMarks> byMarks(const Kernel &kernel, const TileProgram &program) {
  if (!kernel.roles.empty() || kernel.body.size() != 3) return std::nullopt;
  // any = 0, any max= marks[...], if (any != 0) ... else ...
  const TileAssign *clear = oneAssign(kernel.body[0]), *gather = oneAssign(kernel.body[1]);
  const auto *branch = as<TileBranch>(kernel.body[2]);
  if (!clear || !gather || !branch) return std::nullopt;
  const std::string &any = clear->target.array;
  const std::string marks = gather->value.op() == Op::Read ? gather->value->name : "";
  const bool gathers = clear->update == Update::Set && isZero(clear->value) && !clear->where &&
                       gather->target.array == any && gather->update == Update::Max && !gather->where &&
                       isNeverMarked(program, marks);
  const Expr &test = branch->condition;
  const bool tests = test.op() == Op::Ne && test.arg(0).op() == Op::Read && test.arg(0)->name == any &&
                     test.arg(0)->args.empty() && isZero(test.arg(1));
  const bool alone = !usedIn(branch->then).contains(any) && !usedIn(branch->otherwise).contains(any);
  if (!gathers || !tests || !alone) return std::nullopt;
  const auto half = [&](const TileBlock &body) {
    Kernel k = kernel;
    k.body = body;
    k.fallback.clear();
    std::erase_if(k.tiles, [&](const TileArray &a) { return a.name == any; });
    return k;
  };
  ByMarks result{half(branch->then), {}, marks};
  if (!branch->otherwise.empty()) {
    result.unmarked = half(branch->otherwise);
    result.unmarked->name += "_unmarked";
  }
  return result;
}

} // namespace polymend::device_room
