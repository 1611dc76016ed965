// Arithmetic on 16-bit floats that the compiler carries in float: within an expression nothing is rounded between
// operations, only what the whole of it gives (FLT_EVAL_METHOD 16). One operation alone rounds the same either way.
#include "reader.h"

namespace polymend {

namespace {

bool isArithmetic(const clang::Expr *e) {
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e))
    return (operation->isAdditiveOp() || operation->isMultiplicativeOp()) && operation->getOpcode() != clang::BO_Rem;
  const auto *sign = llvm::dyn_cast<clang::UnaryOperator>(e);
  return sign != nullptr && (sign->getOpcode() == clang::UO_Minus || sign->getOpcode() == clang::UO_Plus);
}

Op operationOf(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_Add: return Op::Add;
  case clang::BO_Sub: return Op::Sub;
  case clang::BO_Mul: return Op::Mul;
  default: return Op::Div;
  }
}

} // namespace

bool Reader::isCarried(const clang::Expr *expression) const {
  const clang::Expr *e = expression->IgnoreParens();
  return isArithmetic(e) && e->getType().UseExcessPrecision(context);
}

Expr Reader::carried(const clang::Expr *expression) {
  const clang::Expr *e = expression->IgnoreParens();
  if (!isCarried(e)) return convert(value(e), Type::Float32, rangeOf(e));
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    const Expr left = carried(operation->getLHS());
    return node(operationOf(operation->getOpcode()), Type::Float32, {left, carried(operation->getRHS())}, e);
  }
  const auto *sign = llvm::cast<clang::UnaryOperator>(e);
  const Expr operand = carried(sign->getSubExpr());
  return sign->getOpcode() == clang::UO_Plus ? operand : node(Op::Neg, Type::Float32, {operand}, e);
}

} // namespace polymend
