// Steps of quasi-affine expressions by structure; a floor or a minimum that sees the variable has no constant step.
#include "print/stride.h"

namespace polymend::print_room {

bool dependsOn(const Expr &e, const std::string &variable) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Symbol && node->name == variable); });
  return found;
}

std::optional<std::int64_t> stepOf(const Expr &e, const std::string &variable) {
  if (!dependsOn(e, variable)) return 0;
  if (e.op() == Op::Symbol) return 1;
  if (e.op() == Op::Cast) return stepOf(e.arg(0), variable);
  std::optional<std::int64_t> a = stepOf(e.arg(0), variable);
  if (e.op() == Op::Neg && a) return -*a;
  if (e->args.size() != 2) return std::nullopt;
  std::optional<std::int64_t> b = stepOf(e.arg(1), variable);
  if (!a || !b) return std::nullopt;
  if (e.op() == Op::Add) return *a + *b;
  if (e.op() == Op::Sub) return *a - *b;
  if (e.op() != Op::Mul) return std::nullopt;
  if (*a == 0 && e.arg(0).op() == Op::Integer) return e.arg(0)->integer * *b;
  if (*b == 0 && e.arg(1).op() == Op::Integer) return e.arg(1)->integer * *a;
  return std::nullopt;
}

Motion motionOf(const std::vector<Expr> &subscripts, const std::string &variable) {
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const std::optional<std::int64_t> step = stepOf(subscripts[i], variable);
    const bool last = i + 1 == subscripts.size();
    if (step == 0) continue;
    return last && step == 1 ? Motion::Unit : Motion::Other;
  }
  return Motion::Still;
}

} // namespace polymend::print_room
