// Straight-line programs; see straight.h. A narrowing cast is the identity: both sides round the same value.
#include "straight.h"

#include <stdexcept>

namespace polymend::algebra {
namespace {

bool known(Op op) {
  switch (op) {
  case Op::Read:
  case Op::Mod:
  case Op::FloorDiv:
  case Op::FloorMod:
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
  case Op::ShiftLeft:
  case Op::ShiftRight:
  case Op::Floor:
  case Op::Ceil:
  case Op::Round:
  case Op::Trunc:
  case Op::Call: return false;
  default: return true;
  }
}

} // namespace

std::size_t Straight::symbol(const std::string &name) {
  return numbers.try_emplace(name, numbers.size()).first->second;
}

std::vector<Instruction> Straight::compile(const Expr &e) {
  std::vector<Instruction> program;
  Slots done;
  build(e, program, done);
  return program;
}

std::size_t Straight::build(const Expr &e, std::vector<Instruction> &program, Slots &done) {
  if (const auto at = done.find(e.identity()); at != done.end()) return at->second;
  if (!known(e.op()) || e->args.size() > 3) throw std::runtime_error("an operation without a floating meaning");
  Instruction one;
  one.op = e.op();
  for (std::size_t i = 0; i < e->args.size(); ++i) one.args[i] = build(e.arg(i), program, done);
  if (e.op() == Op::Real) one.constant = e->real;
  if (e.op() == Op::Integer) one.constant = static_cast<double>(e->integer);
  if (e.op() == Op::Symbol) one.args[0] = symbol(e->name);
  program.push_back(one);
  return done[e.identity()] = program.size() - 1;
}

} // namespace polymend::algebra
