#include "print/marks.h"

namespace polymend::print_room {

bool isNeverMarked(const TileProgram &program, const std::string &array) {
  bool found = false, zero = true;
  for (const Kernel &kernel : program.kernels) {
    if (array.empty() || kernel.roles.empty() || kernel.again != array) continue;
    found = true;
    rewrite(kernel, [&](const TileAssign &a) {
      if (a.target.array != array) return a;
      zero = zero && a.update == Update::Set && a.value.op() == Op::Integer && a.value->integer == 0;
      return a;
    });
  }
  return found && zero;
}

TileBlock readingOneFor(const TileBlock &nodes, const std::map<std::string, std::string> &integers) {
  return rewrite(nodes, [&](const TileAssign &a) {
    const auto one = [&](const Expr &e) {
      const auto at = e.op() == Op::Read ? integers.find(e->name) : integers.end();
      return at == integers.end() ? e : Expr::symbol(at->second, Type::Int64);
    };
    TileAssign result = a;
    result.value = rewrite(a.value, one);
    if (a.where) result.where = rewrite(a.where, one);
    return result;
  });
}

} // namespace polymend::print_room
