// Clang expressions -> Expr. Floating-point conversions are kept as Cast nodes; conversions between integer types are
// dropped, since integers are read as integers of Z: that is right as long as nothing wraps around, which is shown,
// tested at entry, or refused (wraps.cpp). Signed overflow is undefined and needs none of it. Where only the low bits
// of a value count (`bits`, 0: all of it counts), it may differ from C++'s by multiples of 2^bits: within a sum modulo
// 2^n, below a conversion, and in a subscript, whose address is one modulo 2^64.
#include "algorithms.h"
#include "constants.h"
#include "kinds.h"
#include "optionals.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "wide_elements.h"
#include "words.h"
#include "wraps.h"

#include "polymend/element_types.h"
#include "polymend/word_functions.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

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

} // namespace

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

Expr choose(const Expr &condition, const Expr &then, const Expr &otherwise) {
  if (condition.op() == Op::Not) return choose(condition.arg(0), otherwise, then);
  if (equal(then, otherwise)) return then;
  const bool strict = condition.op() == Op::Lt;
  const bool integers = condition.op() == Op::Le && isInteger(then.type());
  if (strict || integers) {
    const Expr &a = condition.arg(0), &b = condition.arg(1);
    if (equal(then, b) && equal(otherwise, a)) return Expr::make(Op::Max, then.type(), {a, b}, condition->where);
    if (equal(then, a) && equal(otherwise, b)) return Expr::make(Op::Min, then.type(), {b, a}, condition->where);
    const Expr step = integers && equal(otherwise, b) ? simplify(a - then) : Expr();
    if (step && step.op() == Op::Integer && step->integer == 1)
      return Expr::make(Op::Min, then.type(), {b, then}, condition->where); // if (n <= k) k = n - 1
  }
  if ((strict || integers) && isInteger(then.type()) && isInteger(condition.arg(0).type())) { // a <= b ? b - a : 0
    const Expr more = simplify(then - otherwise);
    const Expr &a = condition.arg(0), &b = condition.arg(1);
    if (equal(more, simplify(b - a))) return Expr::make(Op::Max, then.type(), {otherwise, then}, condition->where);
    if (equal(more, simplify(a - b))) return Expr::make(Op::Min, then.type(), {otherwise, then}, condition->where);
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

Expr Reader::value(const clang::Expr *expression, unsigned bits) {
  expression = expression->IgnoreParens();
  const Kind kind = kindOf(*expression);
  if (kind.reading == Reading::Left || kind.reading == Reading::Foreign) refuse(refusalOf(kind), rangeOf(expression));
  if (expression->getType().isVolatileQualified()) refuse("a volatile object is not supported", rangeOf(expression));
  return valueOf(expression, bits);
}

Expr Reader::valueOf(const clang::Expr *e, unsigned bits) {
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) return variable(*reference, bits);
  if (const auto *operation = llvm::dyn_cast<clang::CastExpr>(e)) return cast(*operation, bits);
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e)) return unary(*operation, bits);
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e)) return binary(*operation, bits);
  if (const auto *operation = llvm::dyn_cast<clang::ConditionalOperator>(e)) return conditional(*operation);
  if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(e)) {
    const auto parts = rewritten->getDecomposedForm();
    if (const Expr order = orderOf(parts.Opcode, *parts.LHS, *parts.RHS, *e)) return order;
    const auto *asked = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parts.InnerBinOp);
    const clang::FunctionDecl *callee = asked != nullptr ? asked->getDirectCallee() : nullptr;
    const bool isOwn = callee != nullptr && callee->hasBody() && !callee->isInStdNamespace();
    if (isOwn || (asked != nullptr && (isOptional(parts.LHS->getType()) || isOptional(parts.RHS->getType()))))
      return value(rewritten->getSemanticForm(), bits);
  }
  if (const Expr number = tableElement(*e)) return number;
  if (const Expr number = fixedElement(e)) return number;
  if (const auto *operation = llvm::dyn_cast<clang::CallExpr>(e)) return call(*operation, bits);
  if (const auto *subscripted = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    if (const auto along = memberAlong(*subscripted)) return numberIn(*along, *e);
    return readAtOnce(e);
  }
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(e)) return memberValue(*access, bits);
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return value(full->getSubExpr(), bits);
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return value(temporary->getSubExpr(), bits);
  if (const auto *constant = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e))
    return value(constant->getReplacement(), bits);
  if (const auto *given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) return value(given->getExpr(), bits);
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e); list != nullptr && list->getNumInits() == 1)
    return value(list->getInit(0), bits);
  if (const auto *literal = llvm::dyn_cast<clang::FloatingLiteral>(e))
    return Expr::real(literal->getValueAsApproximateDouble(), typeOf(e));
  Expr constant = constantOf(e);
  const Kind kind = kindOf(*e);
  const bool typed = kind.reading == Reading::Constant && kind.words.empty();
  if (!constant)
    refuse(typed ? "a value of type '" + e->getType().getAsString() + "' is not supported" : refusalOf(kind),
           rangeOf(e));
  return constant;
}

Expr Reader::memberValue(const clang::MemberExpr &access, unsigned bits) {
  if (Expr constant = constantOf(&access)) return constant;
  if (const auto *shared = llvm::dyn_cast<clang::VarDecl>(access.getMemberDecl()))
    if (Expr constant = constantOf(*shared)) return constant;
  const bool outer = std::exchange(readsAtOnce, true);
  const Binding found = memberOf(access);
  readsAtOnce = outer;
  if (const Place *place = std::get_if<Place>(&found)) return readAt(*place, &access);
  const Expr *number = std::get_if<Expr>(&found);
  if (number == nullptr) refuse("an object of class type is not supported", rangeOf(&access));
  if (bits == 0) assumeNonNegative(*number);
  return *number;
}

Expr Reader::variable(const clang::DeclRefExpr &reference, unsigned bits) {
  if (const auto *part = llvm::dyn_cast<clang::BindingDecl>(reference.getDecl()))
    return value(part->getBinding(), bits);
  if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(reference.getDecl())) {
    if (!enumerator->getInitVal().isRepresentableByInt64()) refuse("this constant is too large", rangeOf(&reference));
    return Expr::integer(enumerator->getInitVal().getExtValue(), Type::Int64);
  }
  const auto *declared = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
  const std::string name = reference.getDecl()->getNameAsString();
  if (declared == nullptr) refuse("'" + name + "' is not a variable", rangeOf(&reference));
  const auto found = bindings.find(declared);
  if (found != bindings.end()) {
    const Expr *inlinedValue = std::get_if<Expr>(&found->second);
    if (std::holds_alternative<Object>(found->second))
      refuse("an object of class type is not supported", rangeOf(&reference));
    if (inlinedValue == nullptr && reference.getType()->isPointerType())
      refuse("pointer '" + name + "' is used as a value", rangeOf(&reference));
    if (inlinedValue == nullptr) return readAt(lvalue(&reference), &reference);
    if (bits == 0) assumeNonNegative(*inlinedValue);
    return *inlinedValue;
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

Expr Reader::cast(const clang::CastExpr &cast, unsigned bits) {
  const clang::Expr *inner = cast.getSubExpr();
  const clang::QualType to = cast.getType();
  switch (cast.getCastKind()) {
  case clang::CK_LValueToRValue: {
    const Expr read = value(inner, bits);
    if (to->isUnsignedIntegerType() && widthOf(to) == 64 && read.op() == Op::Read && !counters.contains(read->name))
      unsignedWide.insert(read->name);
    return read;
  }
  case clang::CK_NoOp: return value(inner, bits);
  case clang::CK_IntegralCast: return integralCast(cast, bits);
  case clang::CK_IntegralToFloating: {
    const Expr number = value(inner);
    const Type real = typeOf(&cast);
    if (!isWord(inner->getType()) || !mayBeBig(number)) return convert(number, real, rangeOf(&cast));
    if (real != Type::Float32 && real != Type::Float64) fitsSigned(number, unsignedWide, unread, rangeOf(&cast));
    const std::string_view name = real == Type::Float32 ? words::asFloat : words::asDouble;
    return Expr::call(std::string(name), {number}, real, rangeOf(&cast));
  }
  case clang::CK_FloatingCast:
  case clang::CK_FloatingToIntegral: return convert(value(inner), typeOf(&cast), rangeOf(&cast));
  case clang::CK_IntegralToBoolean: {
    const Expr number = value(inner);
    if (number.op() == Op::Cast && number.arg(0).type() == Type::Bool) return number.arg(0);
    if (number.op() == Op::Symbol && valuesOf(number, knowledge).least >= 0)
      return node(Op::Lt, Type::Bool, {Expr::integer(0, Type::Int32), number}, &cast);
    return node(Op::Ne, Type::Bool, {number, Expr::integer(0, Type::Int32)}, &cast);
  }
  case clang::CK_PointerToBoolean: return isGiven(inner);
  case clang::CK_FloatingToBoolean: {
    const Expr operand = value(inner);
    return node(Op::Ne, Type::Bool, {operand, Expr::real(0, operand.type())}, &cast);
  }
  default:
    if (const Expr bit = cast.getCastKind() == clang::CK_UserDefinedConversion ? bitAt(inner) : Expr()) return bit;
    if (cast.getCastKind() == clang::CK_UserDefinedConversion && valueType(to))
      if (const auto *conversion = llvm::dyn_cast<clang::CXXMemberCallExpr>(inner->IgnoreParens()))
        return call(*conversion, bits);
    refuse("this conversion to '" + to.getAsString() + "' is not supported (" + cast.getCastKindName() + ")",
           rangeOf(&cast));
  }
}

Expr Reader::unary(const clang::UnaryOperator &operation, unsigned bits) {
  const clang::Expr *inner = operation.getSubExpr();
  switch (operation.getOpcode()) {
  case clang::UO_Plus:
  case clang::UO_Extension: return value(inner, bits);
  case clang::UO_Minus: return negated(operation, bits);
  case clang::UO_Not: return complement(operation, bits);
  case clang::UO_LNot: return node(Op::Not, Type::Bool, {value(inner)}, &operation);
  case clang::UO_Deref:
    if (const Expr element = extreme(inner)) return element;
    return readAtOnce(&operation);
  default:
    if (operation.isIncrementDecrementOp() && followedIn(inner) != nullptr && inner->getType()->isIntegerType())
      return std::get<Expr>(steps(operation));
    if (operation.isIncrementDecrementOp()) return steppedWithin(operation);
    refuse("operator '" + clang::UnaryOperator::getOpcodeStr(operation.getOpcode()).str() +
               "' within an expression is not supported",
           rangeOf(&operation));
  }
}

Expr Reader::compare(clang::BinaryOperatorKind kind, Expr left, Expr right, const clang::Expr &where) const {
  if (kind == clang::BO_GT || kind == clang::BO_GE) std::swap(left, right);
  return node(comparison(kind), Type::Bool, {std::move(left), std::move(right)}, &where);
}

Expr Reader::binary(const clang::BinaryOperator &operation, unsigned bits) {
  if (chained.contains(&operation)) return readAt(lvalue(operation.getLHS()), &operation);
  if (operation.isComparisonOp() && operation.getOpcode() != clang::BO_Cmp) {
    const clang::QualType compared = operation.getLHS()->getType();
    const bool isNull = operation.getRHS()->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull) !=
                        clang::Expr::NPCK_NotNull;
    if (compared->isPointerType() && isNull && operation.isEqualityOp()) {
      const Expr given = isGiven(operation.getLHS());
      return operation.getOpcode() == clang::BO_NE ? given : simplify(Expr::make(Op::Not, Type::Bool, {given}));
    }
    if (compared->isPointerType()) {
      if (const Expr records = betweenRecords(*operation.getRHS(), *operation.getLHS()))
        return compare(operation.getOpcode(), records, Expr::integer(0), operation);
      const auto found = apart(*operation.getRHS(), *operation.getLHS());
      const auto same =
          found || !operation.isEqualityOp() ? std::nullopt : areSame(*operation.getLHS(), *operation.getRHS());
      if (same) return Expr::integer(*same == (operation.getOpcode() == clang::BO_EQ) ? 1 : 0, Type::Int32);
      if (!found) refuse("a comparison of pointers is not supported", rangeOf(&operation));
      return compare(operation.getOpcode(), found->second, Expr::integer(0), operation);
    }
    if (!compared->isArithmeticType() && !compared->isEnumeralType())
      refuse("a comparison of values of type '" + compared.getAsString() + "' is not supported", rangeOf(&operation));
    const Expr left = value(operation.getLHS()), right = value(operation.getRHS());
    const bool asWords = isWord(compared) && operation.isRelationalOp() && (mayBeBig(left) || mayBeBig(right));
    return asWords ? compare(operation.getOpcode(), inOrder(left), inOrder(right), operation)
                   : compare(operation.getOpcode(), left, right, operation);
  }
  if (operation.getOpcode() == clang::BO_Sub && operation.getLHS()->getType()->isPointerType() &&
      operation.getRHS()->getType()->isPointerType())
    return distance(*operation.getRHS(), *operation.getLHS(), operation);
  if (const Expr result = bitwise(operation, bits)) return result;
  const auto op = arithmetic(operation.getOpcode());
  if (!op)
    refuse("operator '" + operation.getOpcodeStr().str() + "' within an expression is not supported",
           rangeOf(&operation));
  if (isCarried(&operation) && (isCarried(operation.getLHS()) || isCarried(operation.getRHS())))
    return convert(carried(&operation), typeOf(&operation), rangeOf(&operation));
  const clang::QualType type = operation.getType();
  const bool ring = *op == Op::Add || *op == Op::Sub || *op == Op::Mul;
  const unsigned below = ring ? lowBits(type, bits) : 0;
  const Expr left = value(operation.getLHS(), below);
  const std::size_t known = knowledge.facts.size();
  const Expr reached = *op == Op::And ? left : *op == Op::Or ? simplify(Expr::make(Op::Not, {left})) : Expr();
  if (reached)
    for (const Expr &fact : factsOf(reached, knowledge)) knowledge.facts.push_back(fact);
  Body *outer = reached ? std::exchange(sink, nullptr) : sink;
  const Expr right = value(operation.getRHS(), below);
  sink = outer;
  knowledge.facts.resize(known);
  const bool divides = *op == Op::Div || *op == Op::Mod;
  if (divides && right.op() == Op::Integer && right->integer == 0 && !isFloating(left.type()))
    refuse("a division by zero", rangeOf(&operation));
  if (divides && isWord(operation.getType()) && (mayBeBig(left) || mayBeBig(right)))
    return wordOperation(*op, left, right, operation);
  const bool counts = ring && type->isIntegralOrEnumerationType();
  const Expr result =
      counts ? modulo(*op, type, left, right, operation) : node(*op, typeOf(&operation), {left, right}, &operation);
  if (reached) return inOneComparison(result);
  const bool wraps = ring && type->isUnsignedIntegerType() && (bits == 0 || bits > widthOf(type));
  return wraps ? wrapping(result, type, &operation) : result;
}

Expr Reader::conditional(const clang::ConditionalOperator &operation) {
  const Expr condition = simplify(value(operation.getCond()));
  const std::size_t known = knowledge.facts.size();
  Body *outer = std::exchange(sink, nullptr);
  for (const Expr &fact : factsOf(condition, knowledge)) knowledge.facts.push_back(fact);
  const Expr then = value(operation.getTrueExpr());
  knowledge.facts.resize(known);
  for (const Expr &fact : factsOf(Expr::make(Op::Not, {condition}), knowledge)) knowledge.facts.push_back(fact);
  const Expr otherwise = value(operation.getFalseExpr());
  sink = outer;
  knowledge.facts.resize(known);
  const Type type = typeOf(&operation);
  if (condition.op() == Op::Integer) return condition->integer != 0 ? then : otherwise;
  const Expr chosen = choose(condition, then, otherwise);
  return chosen.type() == type ? chosen : Expr::make(chosen.op(), type, chosen->args, rangeOf(&operation));
}

/// The value of an element, whose subscripts say now which it is.
Expr Reader::readAtOnce(const clang::Expr *expression) {
  const bool outer = std::exchange(readsAtOnce, true);
  const Place place = lvalue(expression);
  readsAtOnce = outer;
  return readAt(place, expression);
}

Expr Reader::subscript(const clang::Expr *expression) {
  Expr result = simplify(value(expression, 64));
  visit(result, [&](const Expr &node) {
    if (node.op() == Op::Call && words::isModular(node->name))
      refuse("'" + show(result) + "' is a subscript or a bound, and may wrap around in an unsigned type",
             rangeOf(expression));
  });
  if (readsAtOnce) {
    chooses(result, rangeOf(expression));
  } else if (holdsIndices && sink != nullptr && isInteger(result.type()) && mayChange(result)) {
    const SourceRange where = rangeOf(expression);
    const Place held = variableFor("at", Type::Int64, where);
    writtenIntegers.erase(held.array); // it is set before each use
    put(held, convert(result, Type::Int64, where), where, *sink);
    return readAt(held, expression);
  } else {
    freeze(result, rangeOf(expression));
  }
  return result;
}

} // namespace polymend
