// Containers that the function around a region makes. Their elements lie in memory of their own, which is younger than
// all that the function was given: no argument leads to them, nor does another such container, as long as each keeps
// the elements that it was made with or that its own members give it.
#include "containers.h"
#include "reader.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr int deepest = 4; // calls within each other

/// The variable that an object is, or is a member of.
bool isPartOf(const clang::Expr *e, const clang::VarDecl &variable) {
  e = e->IgnoreParenImpCasts();
  while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) e = member->getBase()->IgnoreParenImpCasts();
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e);
  return reference != nullptr && reference->getDecl() == &variable;
}

/// Is it made of numbers, members, and elements of containers?
bool isPlainPlace(const clang::Stmt *s) {
  if (s == nullptr) return true;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s)) {
    const auto *element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (element == nullptr || element->getOperator() != clang::OO_Subscript || method == nullptr ||
        !method->getParent()->isInStdNamespace())
      return false;
  }
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(s); operation && operation->isAssignmentOp())
    return false;
  return std::all_of(s->child_begin(), s->child_end(), isPlainPlace);
}

/// Does the function do no more than to return a number, or where one is?
bool onlyReturnsNumber(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *body = nullptr;
  if (!function.hasBody(body) || !function.getReturnType().getNonReferenceType()->isArithmeticType()) return false;
  const auto *block = llvm::dyn_cast<clang::CompoundStmt>(body->getBody());
  const auto *result =
      block != nullptr && block->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(block->body_front()) : nullptr;
  return result != nullptr && isPlainPlace(result->getRetValue());
}

/// Does a member leave its object the elements that it has, or give it new ones?
bool keepsOwn(const clang::CXXMethodDecl &method) {
  if (method.isConst() || method.isStatic()) return true;
  if (!method.getParent()->isInStdNamespace()) return onlyReturnsNumber(method);
  const clang::OverloadedOperatorKind kind = method.getOverloadedOperator();
  if (kind == clang::OO_Subscript) return true;
  if (kind == clang::OO_Equal) {
    const clang::QualType given = method.getParamDecl(0)->getType();
    return given->isLValueReferenceType() && given->getPointeeType().isConstQualified();
  }
  static const std::set<std::string> known{"data",   "begin",     "end",  "front",        "back",  "at",      "assign",
                                           "resize", "reserve",   "fill", "size",         "clear", "rbegin",  "rend",
                                           "cbegin", "push_back", "cend", "emplace_back", "empty", "capacity"};
  return method.getDeclName().isIdentifier() && known.contains(method.getNameAsString());
}

bool keeps(const clang::Stmt *s, const clang::VarDecl &variable, int depth);

bool argumentsKeep(const clang::CallExpr &call, unsigned from, const clang::VarDecl &variable, int depth) {
  const clang::FunctionDecl *callee = call.getDirectCallee(), *body = nullptr;
  const unsigned hidden =
      llvm::isa<clang::CXXOperatorCallExpr>(call) && callee != nullptr && llvm::isa<clang::CXXMethodDecl>(callee) ? 1
                                                                                                                  : 0;
  for (unsigned k = from; k < call.getNumArgs(); ++k) {
    const clang::Expr *given = call.getArg(k);
    if (!given->getType()->isRecordType() || !isPartOf(given, variable)) {
      if (!keeps(given, variable, depth)) return false;
      continue;
    }
    if (callee == nullptr || k < hidden || k - hidden >= callee->getNumParams()) return false;
    const clang::QualType type = callee->getParamDecl(k - hidden)->getType();
    if (type->isLValueReferenceType() && type->getPointeeType().isConstQualified()) continue;
    if (!type->isLValueReferenceType() || !callee->hasBody(body) || depth >= deepest ||
        !keeps(body->getBody(), *body->getParamDecl(k - hidden), depth + 1))
      return false;
  }
  return true;
}

/// Does each place that names the variable leave it its elements?
bool keeps(const clang::Stmt *s, const clang::VarDecl &variable, int depth) {
  if (s == nullptr) return true;
  const auto within = [&](const clang::Stmt *child) { return keeps(child, variable, depth); };
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(s);
      call != nullptr && isPartOf(call->getImplicitObjectArgument(), variable))
    return call->getMethodDecl() != nullptr && keepsOwn(*call->getMethodDecl()) &&
           argumentsKeep(*call, 0, variable, depth);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s);
      call != nullptr && call->getNumArgs() > 0 && isPartOf(call->getArg(0), variable)) {
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    return method != nullptr && keepsOwn(*method) && argumentsKeep(*call, 1, variable, depth);
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s))
    return within(call->getCallee()) && argumentsKeep(*call, 0, variable, depth);
  if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(s);
      loop != nullptr && isPartOf(loop->getRangeInit(), variable))
    return within(loop->getBody());
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(s);
      made != nullptr && made->getNumArgs() == 1 && isPartOf(made->getArg(0), variable))
    return made->getConstructor()->isCopyConstructor() &&
           (made->getConstructor()->isDefaulted() || made->getConstructor()->getParent()->isInStdNamespace());
  if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(s)) {
    const clang::Expr *value = result->getRetValue() != nullptr ? result->getRetValue()->IgnoreImplicit() : nullptr;
    const auto *moved = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(value);
    if (moved != nullptr && moved->getNumArgs() == 1 && isPartOf(moved->getArg(0), variable)) return true;
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(s); member != nullptr && isPartOf(member, variable))
    return member->getType()->isArithmeticType();
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) return reference->getDecl() != &variable;
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(s)) return !mentions(lambda, variable);
  const auto children = s->children();
  return std::all_of(children.begin(), children.end(), within);
}

/// Do the objects hold nothing that lies elsewhere, but for elements of containers?
bool holdsItself(clang::QualType type) {
  if (type->isArithmeticType() || type->isEnumeralType()) return true;
  if (const auto *array = llvm::dyn_cast<clang::ConstantArrayType>(type.getCanonicalType().getTypePtr()))
    return holdsItself(array->getElementType());
  const std::string container = containerName(type);
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (record == nullptr) return false;
  if (container == "vector" || container == "array") {
    const auto &given = llvm::cast<clang::ClassTemplateSpecializationDecl>(record)->getTemplateArgs();
    const clang::CXXRecordDecl *memory = container == "vector" ? given[1].getAsType()->getAsCXXRecordDecl() : nullptr;
    const bool isUsual =
        container == "array" || (memory != nullptr && memory->isInStdNamespace() && memory->getName() == "allocator");
    return isUsual && holdsItself(given[0].getAsType());
  }
  return container.empty() && !record->isInStdNamespace() && !record->isUnion() && record->getNumBases() == 0 &&
         record->hasDefinition() &&
         std::all_of(record->field_begin(), record->field_end(),
                     [](const clang::FieldDecl *field) { return holdsItself(field->getType()); });
}

/// Is all that the expression names a parameter or a constant?
bool namesParametersAlone(const clang::Stmt *s) {
  if (s == nullptr) return true;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable != nullptr && !llvm::isa<clang::ParmVarDecl>(variable) && !variable->getType()->isArithmeticType())
      return false;
  }
  if (llvm::isa<clang::CallExpr, clang::CXXThisExpr>(s)) return false;
  if (const auto *given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(s)) return namesParametersAlone(given->getExpr());
  return std::all_of(s->child_begin(), s->child_end(), namesParametersAlone);
}

/// Is what the constructor makes of its arguments made of their numbers, or a copy?
bool makesNew(const clang::CXXConstructorDecl &constructor) {
  if (constructor.isMoveConstructor()) return false;
  if (constructor.isCopyConstructor())
    return (constructor.isDefaulted() || constructor.getParent()->isInStdNamespace()) &&
           constructor.getParamDecl(0)->getType()->getPointeeType().isConstQualified();
  const bool takesNumbers =
      std::all_of(constructor.param_begin(), constructor.param_end(), [](const clang::ParmVarDecl *one) {
        const clang::QualType type = one->getType().getNonReferenceType();
        return type->isArithmeticType() || (one->hasDefaultArg() && type->isRecordType());
      });
  if (!takesNumbers) return false;
  if (constructor.getParent()->isInStdNamespace()) return true;
  const clang::FunctionDecl *written = nullptr;
  if (!constructor.hasBody(written))
    return constructor.isDefaulted() && !constructor.getParent()->hasInClassInitializer();
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(written->getBody());
  const auto &own = *llvm::cast<clang::CXXConstructorDecl>(written);
  return body != nullptr && body->body_empty() &&
         std::all_of(own.init_begin(), own.init_end(), [](const clang::CXXCtorInitializer *part) {
           return part->isMemberInitializer() && namesParametersAlone(part->getInit());
         });
}

/// Is it made of numbers, or as a copy?
bool isMadeNew(const clang::VarDecl &variable) {
  if (!variable.hasInit()) return true;
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(variable.getInit()->IgnoreImplicit());
  return made != nullptr && makesNew(*made->getConstructor()) &&
         std::none_of(made->arg_begin(), made->arg_end(), [](const clang::Expr *given) {
           return !given->isLValue() && given->getType()->isRecordType() && !llvm::isa<clang::CXXDefaultArgExpr>(given);
         });
}

} // namespace

/// Is it an argument that holds its elements itself, and none that it is given within the function?
bool Reader::ownsElementsThroughout(const clang::VarDecl &variable) const {
  const clang::QualType type = variable.getType().getNonReferenceType();
  return llvm::isa<clang::ParmVarDecl>(variable) && type->isRecordType() && holdsItself(type) &&
         keeps(definition.getBody(), variable, 0);
}

/// Is it a container, or a structure of some, whose elements no argument leads to, nor another such variable?
bool Reader::isFresh(const clang::VarDecl &variable) const {
  const clang::QualType type = variable.getType();
  return !llvm::isa<clang::ParmVarDecl>(variable) && variable.hasLocalStorage() && type->isRecordType() &&
         holdsItself(type) && isMadeNew(variable) && keeps(definition.getBody(), variable, 0);
}

} // namespace polymend
