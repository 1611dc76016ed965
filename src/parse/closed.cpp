// Numbers alone: what a statement, or a whole function, touches. It may read and set variables and arrays of its own
// and numbers around it, read constants of the file and elements of arrays around it, and call what does no more than
// that: no pointer, no object, nothing that outlives it.
#include "closed.h"

#include "outlined.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

using Variables = std::vector<const clang::VarDecl *>;

bool isAmong(const Variables &all, const clang::VarDecl *one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

using Elements = std::vector<const clang::ArraySubscriptExpr *>;

/// A walk over what may become a function.
class Closed {
public:
  Variables used;    // that it does not declare, in the order of the text
  Elements elements; // of arrays around it

  /// `returns`: it is a whole function.
  bool holds(const clang::Stmt *s, bool returns) {
    mayReturn = returns;
    return isClosed(s, 0, 0);
  }
  bool holds(const clang::FunctionDecl &function) {
    const clang::FunctionDecl *body = nullptr;
    if (!function.hasBody(body) || llvm::isa<clang::CXXMethodDecl>(body) || body->isVariadic() ||
        body->isTemplateInstantiation() || !isNumber(body->getReturnType()))
      return false;
    if (std::find(entered.begin(), entered.end(), body) != entered.end()) return true; // it calls itself
    for (const clang::ParmVarDecl *parameter : body->parameters())
      if (!isNumber(parameter->getType())) return false;
    Closed own;
    own.entered = entered;
    own.entered.push_back(body);
    own.declared.assign(body->param_begin(), body->param_end());
    return own.holds(body->getBody(), true) && own.used.empty() && own.elements.empty();
  }

private:
  Variables declared;
  std::vector<const clang::FunctionDecl *> entered;
  bool mayReturn = false;

  bool isClosed(const clang::Stmt *s, int loops, int switches) {
    if (s == nullptr) return true;
    if (llvm::isa<clang::BreakStmt>(s)) return loops + switches > 0;
    if (llvm::isa<clang::ContinueStmt>(s)) return loops > 0;
    if (llvm::isa<clang::ReturnStmt>(s) && !mayReturn) return false;
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s)) return areClosed(*declarations, loops, switches);
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) return isClosed(*reference);
    if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(s); element != nullptr && isAround(*element)) {
      elements.push_back(element);
      return true;
    }
    if (const clang::Expr *target = targetOf(s); target != nullptr && !isNameOfOwn(target)) return false;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s); call != nullptr && !isClosed(*call)) return false;
    if (!isKnown(s)) return false;
    const bool chooses = llvm::isa<clang::SwitchStmt>(s);
    const auto children = s->children();
    return std::all_of(children.begin(), children.end(), [&](const clang::Stmt *child) {
      return isClosed(child, loops + (isLoopStatement(s) ? 1 : 0), switches + (chooses ? 1 : 0));
    });
  }

  bool areClosed(const clang::DeclStmt &declarations, int loops, int switches) {
    for (const clang::Decl *one : declarations.decls()) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || !variable->hasLocalStorage()) return false;
      const clang::QualType type = variable->getType();
      const auto *array = type->isConstantArrayType() ? type->getBaseElementTypeUnsafe() : nullptr;
      if (!isNumber(array != nullptr ? clang::QualType(array, 0) : type)) return false;
      clang::TypeLoc at = variable->getTypeSourceInfo()->getTypeLoc();
      for (auto sized = at.getAs<clang::ArrayTypeLoc>(); sized; sized = at.getAs<clang::ArrayTypeLoc>()) {
        if (!isClosed(sized.getSizeExpr(), loops, switches)) return false;
        at = sized.getElementLoc();
      }
      if (llvm::isa<clang::DecltypeType>(type)) return false;
      declared.push_back(variable);
      if (!isClosed(variable->getInit(), loops, switches)) return false;
    }
    return true;
  }

  /// What an operation changes; null: nothing.
  static const clang::Expr *targetOf(const clang::Stmt *s) {
    if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(s);
        operation != nullptr && operation->isAssignmentOp())
      return operation->getLHS()->IgnoreParens();
    const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(s);
    return operation != nullptr && operation->isIncrementDecrementOp() ? operation->getSubExpr()->IgnoreParens()
                                                                       : nullptr;
  }

  /// A variable, or an element of an array that is declared here.
  [[nodiscard]] bool isNameOfOwn(const clang::Expr *target) const {
    if (llvm::isa<clang::DeclRefExpr>(target)) return true;
    while (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target))
      target = element->getBase()->IgnoreParenImpCasts();
    const auto *base = llvm::dyn_cast<clang::DeclRefExpr>(target);
    const auto *array = base != nullptr ? llvm::dyn_cast<clang::VarDecl>(base->getDecl()) : nullptr;
    return array != nullptr && isAmong(declared, array);
  }

  /// Is it a number in an array of the function around, which takes and names nothing but variables of that?
  [[nodiscard]] bool isAround(const clang::ArraySubscriptExpr &element) const {
    const auto *base = llvm::dyn_cast<clang::DeclRefExpr>(element.getBase()->IgnoreParenImpCasts());
    const auto *array = base != nullptr ? llvm::dyn_cast<clang::VarDecl>(base->getDecl()) : nullptr;
    return array != nullptr && array->hasLocalStorage() && !isAmong(declared, array) && isNumber(element.getType()) &&
           isAround(element.getIdx());
  }
  [[nodiscard]] bool isAround(const clang::Stmt *s) const {
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      return variable != nullptr && isNumber(variable->getType()) && !isAmong(declared, variable);
    }
    if (!llvm::isa<clang::BinaryOperator, clang::ParenExpr, clang::ImplicitCastExpr, clang::IntegerLiteral>(s))
      return false;
    return std::all_of(s->child_begin(), s->child_end(), [&](const clang::Stmt *child) { return isAround(child); });
  }

  /// A number or array of its own, a constant of the file, or a number of the function around.
  bool isClosed(const clang::DeclRefExpr &reference) {
    if (llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl>(reference.getDecl())) return true;
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
    if (variable == nullptr) return false;
    if (isAmong(declared, variable)) return true;
    const clang::QualType type = variable->getType();
    if (!variable->hasLocalStorage())
      return variable->isFileVarDecl() && type.isConstant(variable->getASTContext()) &&
             type->getBaseElementTypeUnsafe()->isArithmeticType();
    if (!isNumber(type)) return false;
    if (!isAmong(used, variable)) used.push_back(variable);
    return true;
  }

  bool isClosed(const clang::CallExpr &call) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    if (callee == nullptr) return false;
    const auto given = call.arguments();
    const bool takesNumbers = std::all_of(given.begin(), given.end(), [](const clang::Expr *one) {
      return isNumber(one->getType().getNonReferenceType());
    });
    if (!takesNumbers || !isNumber(call.getType().getNonReferenceType())) return false;
    return isPureLibrary(*callee) || holds(*callee);
  }

  static bool isKnown(const clang::Stmt *s) {
    if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(s))
      return operation->getOpcode() != clang::UO_AddrOf && operation->getOpcode() != clang::UO_Deref;
    if (const auto *e = llvm::dyn_cast<clang::Expr>(s); e != nullptr && e->getType().isVolatileQualified())
      return false;
    return llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                     clang::SwitchStmt, clang::SwitchCase, clang::ReturnStmt, clang::NullStmt, clang::AttributedStmt,
                     clang::BinaryOperator, clang::ConditionalOperator, clang::ParenExpr, clang::ImplicitCastExpr,
                     clang::CStyleCastExpr, clang::CXXFunctionalCastExpr, clang::CXXStaticCastExpr,
                     clang::ArraySubscriptExpr, clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral,
                     clang::CXXBoolLiteralExpr, clang::InitListExpr, clang::ImplicitValueInitExpr, clang::FullExpr,
                     clang::MaterializeTemporaryExpr, clang::CallExpr, clang::UnaryExprOrTypeTraitExpr>(s) &&
           !llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(s);
  }
};

} // namespace

bool isNumber(clang::QualType type) {
  const auto value = valueType(type);
  const bool isPlain =
      value && (isInteger(*value) || *value == Type::Bool || *value == Type::Float32 || *value == Type::Float64);
  return isPlain && !type.isVolatileQualified() && !type->isAtomicType() && !type->isEnumeralType();
}

bool isResult(clang::QualType type) {
  return isNumber(type) && elementType(type) && elementType(type) == valueType(type);
}

bool isLoopStatement(const clang::Stmt *s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

std::optional<NumbersAround> touchedBy(const clang::Stmt &s) {
  Closed closed;
  if (!closed.holds(&s, false)) return std::nullopt;
  return NumbersAround{closed.used, closed.elements};
}

bool touchesNumbersAlone(const clang::FunctionDecl &function) { return Closed().holds(function); }

namespace {

bool leavesEarly(const clang::Stmt *s) {
  if (s == nullptr) return false;
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(s)) return true;
  return std::any_of(s->child_begin(), s->child_end(), leavesEarly);
}

/// Does the condition of a loop hold at first, whatever its data are?
bool holdsAtFirst(const clang::ForStmt &loop, const clang::ASTContext &context) {
  if (loop.getCond() == nullptr) return true;
  const auto *test = llvm::dyn_cast<clang::BinaryOperator>(loop.getCond()->IgnoreParens());
  const auto *declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  const auto *variable = declarations != nullptr && declarations->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(declarations->getSingleDecl())
                             : nullptr;
  const auto *left =
      test != nullptr ? llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts()) : nullptr;
  if (variable == nullptr || left == nullptr || left->getDecl() != variable || !variable->hasInit()) return false;
  clang::Expr::EvalResult first, limit;
  if (!variable->getInit()->EvaluateAsInt(first, context) || !test->getRHS()->EvaluateAsInt(limit, context))
    return false;
  const std::int64_t a = first.Val.getInt().getExtValue(), b = limit.Val.getInt().getExtValue();
  return (test->getOpcode() == clang::BO_LT && a < b) || (test->getOpcode() == clang::BO_LE && a <= b);
}

/// Adds the elements that are read whatever data say, before anything else can end the statement; false: something may
/// have.
bool addCertain(const clang::Stmt *s, const clang::ASTContext &context, std::set<const clang::Stmt *> &certain) {
  if (s == nullptr) return true;
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s)) {
    addCertain(loop->getInit(), context, certain);
    addCertain(loop->getCond(), context, certain);
    if (holdsAtFirst(*loop, context)) addCertain(loop->getBody(), context, certain);
    return !endsByData(loop->getBody());
  }
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(s)) {
    addCertain(loop->getCond(), context, certain);
    return true;
  }
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(s)) return addCertain(loop->getBody(), context, certain);
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(s)) {
    addCertain(choice->getCond(), context, certain);
    return !leavesEarly(choice);
  }
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(s);
      operation != nullptr && operation->isLogicalOp())
    return addCertain(operation->getLHS(), context, certain);
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(s))
    return addCertain(choice->getCond(), context, certain);
  if (llvm::isa<clang::SwitchStmt>(s)) return false;
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(s)) return false;
  if (llvm::isa<clang::ArraySubscriptExpr>(s)) certain.insert(s);
  return std::all_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return addCertain(child, context, certain); });
}

} // namespace

std::set<const clang::Stmt *> readInAnyCase(const clang::Stmt &s, const clang::ASTContext &context) {
  std::set<const clang::Stmt *> certain;
  addCertain(&s, context, certain);
  return certain;
}

} // namespace polymend
