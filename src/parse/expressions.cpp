// Clang expressions -> Expr. Floating-point conversions are kept as Cast nodes; conversions between integer types are
// dropped, since integers are read as integers of Z: that is right as long as no unsigned value wraps around, which is
// shown here or refused (a size given as a signed parameter is not negative where it is compared with an unsigned one).
#include "parse/constants.h"
#include "parse/ranges.h"
#include "parse/reader.h"
#include "parse/types.h"

#include <algorithm>

namespace polymend {

namespace {

bool keepsModulus(const clang::Expr *expression) {
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return operation->isAdditiveOp() || operation->getOpcode() == clang::BO_Mul;
  return llvm::isa<clang::CastExpr, clang::UnaryOperator>(expression);
}

std::string nameOf(const clang::Expr *expression) {
  if (llvm::isa<clang::LambdaExpr>(expression)) return "a lambda";
  if (llvm::isa<clang::CXXNewExpr, clang::CXXDeleteExpr>(expression)) return "dynamic memory";
  if (llvm::isa<clang::MemberExpr>(expression)) return "a member of a structure";
  if (llvm::isa<clang::CXXThrowExpr>(expression)) return "a throw expression";
  if (llvm::isa<clang::CXXThisExpr>(expression)) return "this";
  if (llvm::isa<clang::CXXConstructExpr, clang::CXXTemporaryObjectExpr>(expression)) return "an object of class type";
  if (llvm::isa<clang::StringLiteral>(expression)) return "a string";
  if (llvm::isa<clang::StmtExpr>(expression)) return "a statement expression";
  return std::string("an expression of kind ") + expression->getStmtClassName();
}

Op comparison(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_LT:
  case clang::BO_GT: return Op::Lt;
  case clang::BO_LE:
  case clang::BO_GE: return Op::Le;
  case clang::BO_EQ: return Op::Eq;
  default: return Op::Ne;
  }
}

std::optional<Op> arithmetic(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_Add: return Op::Add;
  case clang::BO_Sub: return Op::Sub;
  case clang::BO_Mul: return Op::Mul;
  case clang::BO_Div: return Op::Div;
  case clang::BO_Rem: return Op::Mod;
  case clang::BO_LAnd: return Op::And;
  case clang::BO_LOr: return Op::Or;
  default: return std::nullopt;
  }
}

} // namespace

Expr choose(const Expr &condition, const Expr &then, const Expr &otherwise) {
  if (condition.op() == Op::Not) return choose(condition.arg(0), otherwise, then);
  const bool strict = condition.op() == Op::Lt;
  const bool integers = condition.op() == Op::Le && isInteger(then.type());
  if (strict || integers) {
    const Expr &a = condition.arg(0), &b = condition.arg(1);
    if (equal(then, b) && equal(otherwise, a)) return Expr::make(Op::Max, then.type(), {a, b}, condition->where);
    if (equal(then, a) && equal(otherwise, b)) return Expr::make(Op::Min, then.type(), {b, a}, condition->where);
  }
  return Expr::make(Op::Select, then.type(), {condition, then, otherwise}, condition->where);
}

Type Reader::typeOf(const clang::Expr *expression) const {
  const auto type = valueType(expression->getType());
  if (!type) refuse("type '" + expression->getType().getAsString() + "' is not supported", rangeOf(expression));
  return *type;
}

Expr Reader::node(Op op, Type type, std::vector<Expr> args, const clang::Expr *expression) const {
  if (const auto value = foldReal(op, type, args)) return Expr::real(*value, type);
  return Expr::make(op, type, std::move(args), rangeOf(expression));
}

Expr Reader::value(const clang::Expr *expression) {
  expression = expression->IgnoreParens();
  const bool outer = wrapsHarmlessly;
  wrapsHarmlessly = outer && keepsModulus(expression);
  Expr result = valueOf(expression);
  wrapsHarmlessly = outer;
  return result;
}

Expr Reader::valueOf(const clang::Expr *e) {
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) return variable(*reference);
  if (const auto *operation = llvm::dyn_cast<clang::CastExpr>(e)) return cast(*operation);
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e)) return unary(*operation);
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e)) return binary(*operation);
  if (const auto *operation = llvm::dyn_cast<clang::ConditionalOperator>(e)) return conditional(*operation);
  if (const auto *operation = llvm::dyn_cast<clang::CallExpr>(e)) return call(*operation);
  if (llvm::isa<clang::ArraySubscriptExpr>(e)) return readAt(lvalue(e), e);
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return value(full->getSubExpr());
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) return value(temporary->getSubExpr());
  if (const auto *constant = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e))
    return value(constant->getReplacement());
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e); list != nullptr && list->getNumInits() == 1)
    return value(list->getInit(0));
  if (const auto *literal = llvm::dyn_cast<clang::FloatingLiteral>(e))
    return Expr::real(literal->getValueAsApproximateDouble(), typeOf(e));
  Expr constant = constantOf(e);
  if (!constant) refuse(nameOf(e) + " is not supported", rangeOf(e));
  return constant;
}

Expr Reader::variable(const clang::DeclRefExpr &reference) {
  if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(reference.getDecl()))
    return Expr::integer(enumerator->getInitVal().getExtValue(), Type::Int64);
  const auto *declared = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
  const std::string name = reference.getDecl()->getNameAsString();
  if (declared == nullptr) refuse("'" + name + "' is not a variable", rangeOf(&reference));
  const auto found = bindings.find(declared);
  if (found != bindings.end()) {
    const Expr *inlinedValue = std::get_if<Expr>(&found->second);
    return inlinedValue != nullptr ? *inlinedValue : readAt(lvalue(&reference), &reference);
  }
  if (Expr constant = constantOf(*declared)) return constant;
  if (!declared->hasGlobalStorage() || declared->isStaticLocal())
    refuse("integer variable '" + name + "' changes after its initialisation, or is used outside its loop",
           rangeOf(&reference));
  return readAt(lvalue(&reference), &reference);
}

Expr Reader::convert(const Expr &value, Type type, const SourceRange &where) const {
  if (value.type() == type) return value;
  if (isFloating(type) && value.op() == Op::Real) return Expr::real(roundTo(type, value->real), type);
  const bool exact = value.op() == Op::Integer && std::abs(value->integer) < (std::int64_t{1} << 53U);
  if (isFloating(type) && exact) return Expr::real(roundTo(type, static_cast<double>(value->integer)), type);
  return Expr::make(Op::Cast, type, {value}, where);
}

Expr Reader::cast(const clang::CastExpr &cast) {
  const clang::Expr *inner = cast.getSubExpr();
  const clang::QualType to = cast.getType();
  switch (cast.getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp: return value(inner);
  case clang::CK_IntegralCast: {
    const Expr operand = value(inner);
    if (inner->getType()->isBooleanType()) return convert(operand, typeOf(&cast), rangeOf(&cast));
    const bool constant = operand.op() == Op::Integer && operand->integer >= 0 && operand->integer < 128;
    const auto width = context.getIntWidth(to);
    if (width < 32 && width < context.getIntWidth(inner->getType()) && !constant)
      refuse("a conversion to a narrow integer may change the value", rangeOf(&cast));
    const bool becomesUnsigned = to->isUnsignedIntegerType() && inner->getType()->isSignedIntegerType();
    if (operand.op() == Op::Integer && !becomesUnsigned) return Expr::integer(operand->integer, typeOf(&cast));
    const bool size = operand.op() == Op::Symbol && isParameter(operand->name) &&
                      (wrapsHarmlessly || llvm::isa<clang::ImplicitCastExpr>(cast));
    return becomesUnsigned && !size ? checkedUnsigned(operand, &cast) : operand;
  }
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingCast:
  case clang::CK_FloatingToIntegral: return convert(value(inner), typeOf(&cast), rangeOf(&cast));
  case clang::CK_IntegralToBoolean:
    return node(Op::Ne, Type::Bool, {value(inner), Expr::integer(0, Type::Int32)}, &cast);
  case clang::CK_FloatingToBoolean: {
    const Expr operand = value(inner);
    return node(Op::Ne, Type::Bool, {operand, Expr::real(0, operand.type())}, &cast);
  }
  default: refuse("this conversion to '" + to.getAsString() + "' is not supported", rangeOf(&cast));
  }
}

bool Reader::isParameter(const std::string &name) const {
  return std::any_of(function.parameters.begin(), function.parameters.end(),
                     [&](const Parameter &parameter) { return parameter.name == name; });
}

Expr Reader::checkedUnsigned(const Expr &value, const clang::Expr *expression) const {
  const bool harmless = wrapsHarmlessly && context.getIntWidth(expression->getType()) == 64;
  if (!harmless && !isNonNegative(value, knowledge))
    refuse("'" + show(value) + "' may be negative and wrap around in an unsigned type", rangeOf(expression));
  return value;
}

Expr Reader::unary(const clang::UnaryOperator &operation) {
  const clang::Expr *inner = operation.getSubExpr();
  switch (operation.getOpcode()) {
  case clang::UO_Plus:
  case clang::UO_Extension: return value(inner);
  case clang::UO_Minus: {
    const Expr operand = value(inner);
    if (operand.op() == Op::Real) return Expr::real(-operand->real, operand.type());
    const Expr result = simplify(node(Op::Neg, typeOf(&operation), {operand}, &operation));
    return operation.getType()->isUnsignedIntegerType() ? checkedUnsigned(result, &operation) : result;
  }
  case clang::UO_LNot: return node(Op::Not, Type::Bool, {value(inner)}, &operation);
  case clang::UO_Deref: return readAt(lvalue(&operation), &operation);
  default:
    refuse("operator '" + clang::UnaryOperator::getOpcodeStr(operation.getOpcode()).str() +
               "' within an expression is not supported",
           rangeOf(&operation));
  }
}

Expr Reader::compare(const clang::BinaryOperator &operation, Expr left, Expr right) const {
  const bool swapped = operation.getOpcode() == clang::BO_GT || operation.getOpcode() == clang::BO_GE;
  if (swapped) std::swap(left, right);
  return node(comparison(operation.getOpcode()), Type::Bool, {std::move(left), std::move(right)}, &operation);
}

Expr Reader::binary(const clang::BinaryOperator &operation) {
  if (operation.isComparisonOp() && operation.getOpcode() != clang::BO_Cmp) {
    if (!operation.getLHS()->getType()->isArithmeticType())
      refuse("a comparison of pointers is not supported", rangeOf(&operation));
    const Expr left = value(operation.getLHS());
    return compare(operation, left, value(operation.getRHS()));
  }
  const auto op = arithmetic(operation.getOpcode());
  if (!op)
    refuse("operator '" + operation.getOpcodeStr().str() + "' within an expression is not supported",
           rangeOf(&operation));
  const Expr left = value(operation.getLHS());
  const std::size_t known = knowledge.facts.size();
  if (*op == Op::And)
    for (const Expr &fact : factsOf(left)) knowledge.facts.push_back(fact);
  const Expr right = value(operation.getRHS());
  knowledge.facts.resize(known);
  const bool divides = *op == Op::Div || *op == Op::Mod;
  if (divides && right.op() == Op::Integer && right->integer == 0 && !isFloating(left.type()))
    refuse("a division by zero", rangeOf(&operation));
  const Expr result = node(*op, typeOf(&operation), {left, right}, &operation);
  return *op == Op::Sub && operation.getType()->isUnsignedIntegerType() ? checkedUnsigned(result, &operation) : result;
}

Expr Reader::conditional(const clang::ConditionalOperator &operation) {
  const Expr condition = simplify(value(operation.getCond()));
  const std::size_t known = knowledge.facts.size();
  for (const Expr &fact : factsOf(condition)) knowledge.facts.push_back(fact);
  const Expr then = value(operation.getTrueExpr());
  knowledge.facts.resize(known);
  for (const Expr &fact : factsOf(Expr::make(Op::Not, {condition}))) knowledge.facts.push_back(fact);
  const Expr otherwise = value(operation.getFalseExpr());
  knowledge.facts.resize(known);
  const Type type = typeOf(&operation);
  if (condition.op() == Op::Integer) return condition->integer != 0 ? then : otherwise;
  const Expr chosen = choose(condition, then, otherwise);
  return chosen.type() == type ? chosen : Expr::make(chosen.op(), type, chosen->args, rangeOf(&operation));
}

Expr Reader::subscript(const clang::Expr *expression) {
  const bool outer = wrapsHarmlessly;
  wrapsHarmlessly = true;
  Expr result = simplify(value(expression));
  wrapsHarmlessly = outer;
  visit(result, [&](const Expr &node) {
    if (node.op() == Op::Cast && isInteger(node.type()) && isFloating(node.arg(0).type()))
      refuse("an index or bound made from a floating-point value is not supported", rangeOf(expression));
  });
  return result;
}

} // namespace polymend
