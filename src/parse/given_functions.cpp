// Functions that an algorithm is given -> what they return, or do, for the values and elements that it calls them with.
// A lambda, a function by its name and an object with one operator() are read like a call of them; the standard's own
// operations are known by name.
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include "polymend/element_types.h"

#include <algorithm>
#include <map>

namespace polymend {

namespace {

/// What is called, without copies of it and conversions to a pointer.
const clang::Expr *bareFunction(const clang::Expr *e) {
  for (;;) {
    const clang::Expr *inner = e->IgnoreParenImpCasts();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(inner)) inner = full->getSubExpr();
    if (const auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner)) inner = made->getSubExpr();
    if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner)) inner = bound->getSubExpr();
    if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(inner);
        address != nullptr && address->getOpcode() == clang::UO_AddrOf)
      inner = address->getSubExpr();
    if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
        copy != nullptr && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor())
      inner = copy->getArg(0);
    if (inner == e) return e;
    e = inner;
  }
}

/// The one operator() of a class, or the one instance of it; null: none, or several.
const clang::FunctionDecl *callOperatorOf(const clang::CXXRecordDecl &type) {
  std::vector<const clang::FunctionDecl *> found;
  const auto name = type.getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Call);
  for (const clang::NamedDecl *named : type.lookup(name)) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(named)) found.push_back(function);
    if (const auto *family = llvm::dyn_cast<clang::FunctionTemplateDecl>(named))
      found.insert(found.end(), family->spec_begin(), family->spec_end());
  }
  return found.size() == 1 ? found.front() : nullptr;
}

/// An operation of the standard as an object: what it computes, and in which type; null: in that of its operands.
struct StandardOperation {
  Op op;
  clang::QualType type;
};

std::optional<StandardOperation> standardOperation(clang::QualType type) {
  static const std::map<std::string, Op> names{
      {"plus", Op::Add}, {"minus", Op::Sub}, {"multiplies", Op::Mul}, {"divides", Op::Div}, {"negate", Op::Neg}};
  const auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (record == nullptr || !record->isInStdNamespace()) return std::nullopt;
  const auto found = names.find(record->getNameAsString());
  if (found == names.end() || record->getTemplateArgs().size() != 1) return std::nullopt;
  const clang::QualType given = record->getTemplateArgs()[0].getAsType().getCanonicalType();
  return StandardOperation{found->second, given->isVoidType() ? clang::QualType() : given};
}

} // namespace

/// What stands for a parameter that an element, or a value, is given to.
Reader::Binding Reader::given(const clang::ParmVarDecl &parameter, const Given &argument, bool changes,
                              const clang::Expr &callable) {
  const clang::QualType type = parameter.getType(), referred = type.getNonReferenceType();
  const SourceRange where = rangeOf(&callable);
  const Place *place = std::get_if<Place>(&argument);
  if (type->isReferenceType() && !referred.isConstQualified()) {
    if (place == nullptr)
      refuse("'" + parameter.getNameAsString() + "' refers to a value of the algorithm's own", where);
    return *place;
  }
  if (!valueType(referred))
    refuse("a parameter of type '" + type.getAsString() + "' is not supported: write the loop", where);
  Expr initial = place != nullptr ? readAt(*place, &callable) : std::get<Expr>(argument);
  const Type wanted = *valueType(referred);
  if (isFloating(wanted)) {
    initial = convert(initial, wanted, where);
  } else if (isFloating(initial.type())) {
    refuse("'" + parameter.getNameAsString() + "' rounds to an integer: say so by a cast", where);
  } else if (referred->isBooleanType() != (initial.type() == Type::Bool)) {
    refuse("'" + parameter.getNameAsString() + "' converts to or from bool: write the loop", where);
  } else if (!referred->isBooleanType()) {
    initial = fitting(initial, referred, &callable);
  }
  // Where the function changes nothing but what is its own, a number of an array stays as it was read.
  if (!isFloating(wanted) && !changes && !changed.contains(&parameter)) return simplify(initial);
  return standing(parameter, initial, changes, where);
}

clang::QualType Reader::withGiven(const clang::Expr &callable, const std::vector<Given> &arguments,
                                  const clang::CallExpr &call, bool changes,
                                  const std::function<void(const Statements &)> &read) {
  const clang::Expr *e = bareFunction(&callable);
  const clang::FunctionDecl *callee = nullptr;
  const clang::Expr *object = nullptr;
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e))
    callee = llvm::dyn_cast<clang::FunctionDecl>(named->getDecl());
  if (const clang::CXXRecordDecl *type = e->getType()->getAsCXXRecordDecl(); callee == nullptr && type != nullptr) {
    callee = callOperatorOf(*type);
    if (!type->isLambda()) object = e;
    if (llvm::isa<clang::LambdaExpr>(e)) mayCapture(*type, true, rangeOf(e), sink);
  }
  if (callee == nullptr) refuse("which function is called for each element is not known: write the loop", rangeOf(e));
  const clang::FunctionDecl &body = bodyOf(*callee, call);
  if (body.getNumParams() != arguments.size())
    refuse("a function of so many arguments is not supported here", rangeOf(e));
  for (const auto &change : changedIn(body.getBody())) changed.insert(change);
  std::map<const clang::ValueDecl *, Binding> bound;
  for (unsigned i = 0; i < arguments.size(); ++i)
    bound[body.getParamDecl(i)] = given(*body.getParamDecl(i), arguments[i], changes, *e);
  within(body, bound, object, call, read);
  return body.getReturnType().getCanonicalType().getUnqualifiedType();
}

std::pair<Expr, clang::QualType> Reader::applied(const clang::Expr &callable, const std::vector<Given> &arguments,
                                                 const clang::CallExpr &call) {
  const SourceRange where = rangeOf(&callable);
  if (const auto operation = standardOperation(bareFunction(&callable)->getType())) {
    std::vector<Expr> values;
    for (const Given &argument : arguments) {
      const Place *place = std::get_if<Place>(&argument);
      values.push_back(place != nullptr ? readAt(*place, &callable) : std::get<Expr>(argument));
    }
    const auto wanted = operation->type.isNull() ? std::nullopt : valueType(operation->type);
    const Type type = wanted.value_or(values.front().type());
    const auto fits = [&](const Expr &value) { return wanted ? isFloating(value.type()) : value.type() == type; };
    if (!isFloating(type) || bytesOf(type) < 4 || !std::all_of(values.begin(), values.end(), fits))
      refuse("this operation on elements of this type is not supported: write the loop", where);
    for (Expr &value : values) value = convert(value, type, where);
    const bool isOne = operation->op == Op::Neg;
    if (values.size() != (isOne ? 1U : 2U)) refuse("an operation of other arguments", where);
    const clang::QualType named = type == Type::Float32 ? context.FloatTy : context.DoubleTy;
    return {Expr::make(operation->op, type, values, where), named};
  }
  Expr result;
  const std::size_t own = function.arrays.size(), from = sink != nullptr ? sink->size() : 0;
  const clang::QualType type = withGiven(callable, arguments, call, false, [&](const Statements &statements) {
    result = simplify(resultOf(statements, call));
  });
  keepsToItself(from, own, "the function that is called for each element", where);
  return {result, type};
}

} // namespace polymend
