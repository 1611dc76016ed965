// Steps of quasi-affine expressions by structure; a floor or a minimum that sees the variable has no constant step.
#include "device/stride.h"

namespace polymend::device_room {

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

std::optional<std::int64_t> differenceOf(const Expr &a, const Expr &b) {
  const Expr difference = a - b;
  for (const std::string &name : symbols(difference))
    if (stepOf(difference, name) != 0) return std::nullopt;
  const Expr value = simplify(substitute(difference, [](const std::string &) { return Expr::integer(0); }));
  return value.op() == Op::Integer ? std::optional(value->integer) : std::nullopt;
}

std::optional<std::int64_t> residueOf(const Expr &e, std::int64_t modulus, const std::set<std::string> &multiples) {
  const auto reduced = [&](std::int64_t value) { return (value % modulus + modulus) % modulus; };
  if (e.op() == Op::Integer) return reduced(e->integer);
  if (e.op() == Op::Symbol && multiples.count(e->name)) return 0;
  if (e->args.empty() || !isInteger(e.type()) || e.op() == Op::Read) return std::nullopt;
  const auto a = residueOf(e.arg(0), modulus, multiples);
  if (e.op() == Op::Cast) return isInteger(e.arg(0).type()) ? a : std::nullopt;
  if (e.op() == Op::Neg) return a ? std::optional(reduced(-*a)) : std::nullopt;
  if (e.op() != Op::Add && e.op() != Op::Sub && e.op() != Op::Mul) return std::nullopt;
  const auto b = residueOf(e.arg(1), modulus, multiples);
  if (e.op() == Op::Mul && (a == 0 || b == 0)) return 0;
  if (!a || !b) return std::nullopt;
  return reduced(e.op() == Op::Add ? *a + *b : e.op() == Op::Sub ? *a - *b : *a * *b);
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

} // namespace polymend::device_room
