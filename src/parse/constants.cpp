// Constants: what Clang can evaluate, and literals combined by the operations that IEEE 754 rounds correctly, so that
// folding gives the very value that the program would compute. A float operation done in double and rounded once more
// is correctly rounded too, since 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding innocuous?").
#include "constants.h"
#include "reader.h"
#include "types.h"

#include "polymend/element_types.h"

#include <algorithm>
#include <cmath>

namespace polymend {

namespace {

double compute(Op op, double a, double b) {
  switch (op) {
  case Op::Add: return a + b;
  case Op::Sub: return a - b;
  case Op::Mul: return a * b;
  case Op::Div: return b != 0 ? a / b : std::nan("");
  case Op::Sqrt: return std::sqrt(a);
  default: return std::nan("");
  }
}

} // namespace

std::optional<double> foldReal(Op op, Type type, const std::vector<Expr> &args) {
  const bool literals = std::all_of(args.begin(), args.end(),
                                    [&](const Expr &arg) { return arg.op() == Op::Real && arg.type() == type; });
  if (!literals || (type != Type::Float32 && type != Type::Float64) || args.empty()) return std::nullopt;
  const double value = roundTo(type, compute(op, args.front()->real, args.back()->real));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Expr Reader::constantOf(const clang::APValue &value, clang::QualType type) const {
  const auto kind = valueType(type);
  if (!kind) return {};
  if (value.isInt() && !isFloating(*kind) && value.getInt().isRepresentableByInt64())
    return Expr::integer(value.getInt().getExtValue(), *kind);
  if (value.isInt() && type->isUnsignedIntegerType() && value.getInt().getBitWidth() == 64) // the bits of a word
    return Expr::integer(static_cast<std::int64_t>(value.getInt().getZExtValue()), *kind);
  if (!value.isFloat() || !isFloating(*kind)) return {};
  llvm::APFloat number = value.getFloat();
  bool inexact = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return Expr::real(number.convertToDouble(), *kind);
}

Expr Reader::constantOf(const clang::Expr *expression) const {
  if (expression->isValueDependent() || !expression->getType()->isArithmeticType()) return {};
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsRValue(result, context) || result.HasSideEffects) return {};
  return constantOf(result.Val, expression->getType());
}

Expr Reader::constantOf(const clang::VarDecl &variable) const {
  const clang::QualType type = variable.getType();
  if (!type.isConstQualified() || type.isVolatileQualified() || !type->isArithmeticType()) return {};
  const clang::VarDecl *defining = nullptr;
  const clang::Expr *init = variable.getAnyInitializer(defining);
  if (init == nullptr || init->isValueDependent() || llvm::isa<clang::ParmVarDecl>(variable)) return {};
  const clang::APValue *constant = defining->evaluateValue();
  return constant != nullptr ? constantOf(*constant, type) : Expr();
}

} // namespace polymend
