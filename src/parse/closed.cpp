// Numbers alone: what a statement, or a whole function, touches. It may make, read and set what is its own, of any
// literal type, read and set numbers around it and elements of arrays around it that these numbers say, read constants
// of the file, and call what does no more than that with what it is given. It leads to nothing else, neither by a
// pointer nor by an object, and to nothing that outlives it.
#include "closed.h"

#include "certain.h"
#include "outlined.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

using Variables = std::vector<const clang::VarDecl *>;

bool isAmong(const Variables &all, const clang::ValueDecl *one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Does the function do nothing but compute, as far as its declaration says?
bool onlyComputes(const clang::FunctionDecl &callee) {
  if (isPureLibrary(callee) || callee.hasAttr<clang::ConstAttr>()) return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  const bool isStandard = callee.isInStdNamespace() || (method != nullptr && method->getParent()->isInStdNamespace());
  const std::string name = callee.getDeclName().isIdentifier() ? callee.getNameAsString() : "";
  const bool throws = name == "at" || name == "value" || name == "substr";
  return isStandard && callee.isConstexpr() && !throws;
}

/// Does nobody's code run where an object of the type ends?
bool endsWithoutCode(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record == nullptr || !record->hasDefinition() || record->hasTrivialDestructor() || record->isInStdNamespace();
}

bool isOfLambda(const clang::FunctionDecl &callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  return method != nullptr && method->getParent()->isLambda();
}

/// The variable that an expression names; null: it is no name of one.
const clang::VarDecl *named(const clang::Stmt *s) {
  const auto *e = llvm::dyn_cast_or_null<clang::Expr>(s);
  const auto *reference = e != nullptr ? llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) : nullptr;
  return reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// A walk over what may become a function.
class Closed {
public:
  explicit Closed(const clang::ASTContext &clangContext) : context(clangContext) {}
  NumbersAround around;

  /// `isTurn`: it is a loop's body, which may go on with the next turn.
  bool holds(const clang::Stmt &s, bool isTurn) {
    whole = &s;
    if (isTurn) nameNumbers(s);
    return isClosed(&s, {isTurn ? 1 : 0, 0, isTurn});
  }

  /// A function whose memory is its own and what it is given.
  bool holds(const clang::FunctionDecl &function) {
    const clang::FunctionDecl *body = nullptr;
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    if (!function.hasBody(body) || body->isVariadic() || function.hasAttr<clang::WeakAttr>() ||
        (method != nullptr && method->isVirtual()) || !llvm::isa<clang::CompoundStmt>(body->getBody()))
      return false;
    if (std::find(entered.begin(), entered.end(), body) != entered.end()) return true; // it calls itself
    if (entered.size() > deepest) return false;
    Closed own(context);
    own.entered = entered;
    own.entered.push_back(body);
    own.declared.assign(body->param_begin(), body->param_end());
    own.mayReturn = own.mayNameItself = true;
    if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(body))
      for (const clang::CXXCtorInitializer *one : constructor->inits())
        if (!own.isClosed(one->getInit(), {})) return false;
    return own.isClosed(body->getBody(), {}) && own.around.used.empty() && own.around.elements.empty();
  }

  /// Is it an integer that numbers around the statement make?
  [[nodiscard]] bool isAround(const clang::Stmt *e) const {
    if (const clang::VarDecl *variable = named(e))
      return isNumber(variable->getType()) &&
             (isOutside(*variable) || isAmong(around.numbers, variable) ||
              (variable->isFileVarDecl() && variable->isUsableInConstantExpressions(context)));
    if (const auto *constant = llvm::dyn_cast<clang::DeclRefExpr>(e))
      return llvm::isa<clang::EnumConstantDecl>(constant->getDecl());
    if (const auto *number = llvm::dyn_cast<clang::Expr>(e); number != nullptr && isPart(*number)) return true;
    if (!llvm::isa<clang::BinaryOperator, clang::ParenExpr, clang::ImplicitCastExpr, clang::CStyleCastExpr,
                   clang::CXXStaticCastExpr, clang::CXXFunctionalCastExpr, clang::IntegerLiteral, clang::FullExpr>(e) &&
        !isSign(e))
      return false;
    return std::all_of(e->child_begin(), e->child_end(), [&](const clang::Stmt *child) { return isAround(child); });
  }

private:
  static constexpr std::size_t deepest = 16;
  /// The loops and switches that a place is in, and whether the outermost loop is that whose turn it is.
  struct Within {
    int loops = 0, switches = 0;
    bool isTurn = false;
  };
  const clang::ASTContext &context;
  const clang::Stmt *whole = nullptr; // of no function
  Variables declared;
  std::vector<const clang::FunctionDecl *> entered;
  bool mayReturn = false, mayNameItself = false;

  /// Own integers that are known before the rest runs: made of numbers around it, and never changed.
  void nameNumbers(const clang::Stmt &s) {
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(&s);
    if (block == nullptr) return;
    const auto changes = changedIn(&s);
    for (const clang::Stmt *one : block->body()) {
      const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(one);
      if (declarations == nullptr) continue;
      for (const clang::Decl *each : declarations->decls()) {
        const auto *variable = llvm::dyn_cast<clang::VarDecl>(each);
        if (variable == nullptr) continue;
        const bool isFixed = variable->hasLocalStorage() && variable->hasInit() && isNumber(variable->getType()) &&
                             variable->getType()->isIntegerType() && !changes.contains(variable);
        if (isFixed && isAround(variable->getInit())) around.numbers.push_back(variable);
      }
    }
  }

  /// Is it a variable of the function around the statement?
  [[nodiscard]] bool isOutside(const clang::VarDecl &variable) const {
    const clang::SourceManager &manager = context.getSourceManager();
    const clang::SourceLocation place = variable.getLocation();
    return whole != nullptr && variable.hasLocalStorage() &&
           (manager.isBeforeInTranslationUnit(place, whole->getBeginLoc()) ||
            manager.isBeforeInTranslationUnit(whole->getEndLoc(), place));
  }

  static bool isSign(const clang::Stmt *e) {
    const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e);
    return operation != nullptr &&
           (operation->getOpcode() == clang::UO_Minus || operation->getOpcode() == clang::UO_LNot);
  }

  /// Is it a number of an object around: a member, or what a method without arguments says?
  [[nodiscard]] bool isPart(const clang::Expr &e) const {
    const clang::Expr *base = nullptr;
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&e);
        member != nullptr && llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
      base = member->getBase();
    if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&e);
        call != nullptr && call->getNumArgs() == 0 && call->getMethodDecl()->isConst())
      base = call->getImplicitObjectArgument();
    const clang::VarDecl *object = named(base);
    return object != nullptr && isOutside(*object) && isNumber(e.getType()) &&
           !isRecordOfNumbers(object->getType().getNonReferenceType());
  }

  /// The element of an array around it that the expression leads to, what a reference or a record around it is, or the
  /// part of an object; absent: it leads to none.
  [[nodiscard]] std::optional<NumberAround> elementOf(const clang::Expr &given) const {
    const clang::Expr *e = given.IgnoreParens();
    if (isPart(*e)) return NumberAround{e, {}, false, false, false, {}};
    while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (member->isArrow() || !llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return std::nullopt;
      e = member->getBase()->IgnoreParens();
    }
    const bool isMember = e != given.IgnoreParens();
    if (!e->isLValue() || !(isRecordOfNumbers(e->getType()) || (!isMember && isNumber(e->getType()))))
      return std::nullopt;
    NumberAround element{e, {}, true, false, false, {}};
    while (true) {
      const auto *inner = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
      const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
      const bool isCall = call != nullptr && call->getNumArgs() > 1 &&
                          (call->getOperator() == clang::OO_Subscript || call->getOperator() == clang::OO_Call);
      if (inner == nullptr && !isCall) break;
      if (inner != nullptr) element.subscripts.push_back(inner->getIdx());
      for (unsigned i = 1; inner == nullptr && i < call->getNumArgs(); ++i)
        element.subscripts.push_back(call->getArg(i));
      e = (inner != nullptr ? inner->getBase() : call->getArg(0))->IgnoreParenImpCasts();
    }
    const clang::VarDecl *variable = named(e);
    if (variable == nullptr || !isOutside(*variable)) return std::nullopt;
    const clang::QualType type = variable->getType();
    const auto *lambda = type.getNonReferenceType()->getAsCXXRecordDecl();
    const bool isItself = element.subscripts.empty();
    if ((lambda != nullptr && lambda->isLambda()) || (isItself && isNumber(type))) return std::nullopt;
    return element;
  }

  /// Notes an element, whose subscripts numbers around it say.
  bool takes(NumberAround element, bool reads, bool writes) {
    element.reads = reads;
    element.writes = writes;
    const bool isKnownBefore =
        std::ranges::all_of(element.subscripts, [&](const clang::Expr *one) { return isAround(one); });
    if (isKnownBefore) around.elements.push_back(element);
    return isKnownBefore;
  }

  /// An element around it where it is set; of a member of one the others stay as they are.
  std::optional<bool> isSet(const clang::Expr &target, const clang::Expr &value, const Within &within) {
    const auto set = elementOf(target);
    if (!set) return std::nullopt;
    return takes(*set, set->where != target.IgnoreParens(), true) && isClosed(&value, within);
  }

  /// An element around it where it is read, set, or both, as of an update; absent: the statement is something else.
  std::optional<bool> ofElement(const clang::Stmt *s, const Within &within) {
    const auto *e = llvm::dyn_cast<clang::Expr>(s);
    if (e == nullptr) return std::nullopt;
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      const bool isRead = cast->getCastKind() == clang::CK_LValueToRValue || cast->getType().isConstQualified();
      const auto read = isRead ? elementOf(*cast->getSubExpr()) : std::nullopt;
      return read ? std::optional(takes(*read, true, false)) : std::nullopt;
    }
    if (const auto *assignment = llvm::dyn_cast<clang::BinaryOperator>(e);
        assignment != nullptr && assignment->getOpcode() == clang::BO_Assign)
      return isSet(*assignment->getLHS(), *assignment->getRHS(), within);
    if (const auto *assignment = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
        assignment != nullptr && assignment->getOperator() == clang::OO_Equal && assignment->getNumArgs() == 2 &&
        assignment->getDirectCallee() != nullptr && assignment->getDirectCallee()->isTrivial())
      return isSet(*assignment->getArg(0), *assignment->getArg(1), within);
    if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(e);
        address != nullptr && address->getOpcode() == clang::UO_AddrOf && elementOf(*address->getSubExpr()))
      return false;
    if (llvm::isa<clang::ParenExpr>(e)) return std::nullopt;
    if (const auto updated = elementOf(*e))
      return takes(*updated, true, updated->isPlace && !e->getType().isConstQualified());
    return std::nullopt;
  }

  bool isClosed(const clang::Stmt *s, const Within &within) {
    if (s == nullptr) return true;
    if (llvm::isa<clang::BreakStmt>(s)) return within.loops + within.switches > (within.isTurn ? 1 : 0);
    if (llvm::isa<clang::ContinueStmt>(s)) return within.loops > 0;
    if (llvm::isa<clang::ReturnStmt>(s) && !mayReturn) return false;
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s)) return areClosed(*declarations, within);
    if (const auto closed = ofElement(s, within)) return *closed;
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) return isClosed(*reference);
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(s)) return isClosed(*lambda);
    if (const auto *given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(s)) return isClosed(given->getExpr(), within);
    if (const auto *given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(s)) return isClosed(given->getExpr(), within);
    if (!isKnown(s) || !mayRun(s)) return false;
    Within inner = within;
    inner.loops += isLoopStatement(s) ? 1 : 0;
    inner.switches += llvm::isa<clang::SwitchStmt>(s) ? 1 : 0;
    inner.isTurn = within.isTurn && !isLoopStatement(s) && !llvm::isa<clang::SwitchStmt>(s);
    const auto children = s->children();
    return std::all_of(children.begin(), children.end(),
                       [&](const clang::Stmt *child) { return isClosed(child, inner); });
  }

  bool areClosed(const clang::DeclStmt &declarations, const Within &within) {
    for (const clang::Decl *one : declarations.decls()) {
      if (llvm::isa<clang::TypedefNameDecl, clang::CXXRecordDecl, clang::StaticAssertDecl, clang::EmptyDecl>(one))
        continue;
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr) return false;
      const clang::QualType type = variable->getType();
      const bool isFixed = type.isConstant(context) && variable->evaluateValue() != nullptr;
      if (!variable->hasLocalStorage() && !isFixed) return false;
      if (type.isVolatileQualified() || !type.getNonReferenceType()->isLiteralType(context) || !endsWithoutCode(type))
        return false;
      declared.push_back(variable);
      if (!sizesAreClosed(*variable, within) || !isClosed(variable->getInit(), within)) return false;
    }
    return true;
  }

  bool sizesAreClosed(const clang::VarDecl &variable, const Within &within) {
    if (llvm::isa<clang::DecltypeType>(variable.getType())) return false;
    if (variable.getTypeSourceInfo() == nullptr) return true; // of a loop over a range
    clang::TypeLoc at = variable.getTypeSourceInfo()->getTypeLoc();
    for (auto sized = at.getAs<clang::ArrayTypeLoc>(); sized; sized = at.getAs<clang::ArrayTypeLoc>()) {
      if (!isClosed(sized.getSizeExpr(), within)) return false;
      at = sized.getElementLoc();
    }
    return true;
  }

  /// A lambda sees variables around it, and nothing of an object.
  bool isClosed(const clang::LambdaExpr &lambda) {
    for (const clang::LambdaCapture &capture : lambda.captures())
      if (!capture.capturesVariable() || capture.getCapturedVar()->isInitCapture()) return false;
    for (const clang::ParmVarDecl *parameter : lambda.getCallOperator()->parameters()) declared.push_back(parameter);
    const bool outer = std::exchange(mayReturn, true);
    const bool closed = isClosed(lambda.getBody(), {});
    mayReturn = outer;
    return closed;
  }

  /// What is its own, a constant of the file, or a number of the function around.
  bool isClosed(const clang::DeclRefExpr &reference) {
    if (llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl>(reference.getDecl())) return true;
    if (const auto *part = llvm::dyn_cast<clang::BindingDecl>(reference.getDecl()))
      return isAmong(declared, part->getDecomposedDecl());
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
    if (variable == nullptr) return false;
    if (isAmong(declared, variable)) return true;
    const clang::QualType type = variable->getType();
    if (!variable->hasLocalStorage())
      return variable->isFileVarDecl() && type.isConstant(context) &&
             (type->getBaseElementTypeUnsafe()->isArithmeticType() || variable->isConstexpr());
    if (!isNumber(type)) return false;
    if (!isAmong(around.used, variable)) around.used.push_back(variable);
    return true;
  }

  bool mayCall(const clang::FunctionDecl *callee) {
    return callee != nullptr && (onlyComputes(*callee) || callee->isTrivial() || isOfLambda(*callee) || holds(*callee));
  }

  /// Does it call what may be called, and take no address of what only has another name here?
  bool mayRun(const clang::Stmt *s) {
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s)) return mayCall(call->getDirectCallee());
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(s)) return mayCall(made->getConstructor());
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(s))
      return !llvm::isa<clang::VarDecl>(member->getMemberDecl());
    const auto *address = llvm::dyn_cast<clang::UnaryOperator>(s);
    if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return true;
    const clang::VarDecl *variable = named(address->getSubExpr());
    return variable == nullptr || !variable->getType()->isReferenceType();
  }

  [[nodiscard]] bool isKnown(const clang::Stmt *s) const {
    if (const auto *e = llvm::dyn_cast<clang::Expr>(s); e != nullptr && e->getType().isVolatileQualified())
      return false;
    if (llvm::isa<clang::CXXThisExpr>(s)) return mayNameItself;
    if (const auto *made = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(s)) return endsWithoutCode(made->getType());
    return llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                     clang::CXXForRangeStmt, clang::SwitchStmt, clang::SwitchCase, clang::ReturnStmt, clang::NullStmt,
                     clang::AttributedStmt, clang::BreakStmt, clang::ContinueStmt, clang::BinaryOperator,
                     clang::UnaryOperator, clang::ConditionalOperator, clang::ParenExpr, clang::ImplicitCastExpr,
                     clang::CStyleCastExpr, clang::CXXFunctionalCastExpr, clang::CXXStaticCastExpr,
                     clang::ArraySubscriptExpr, clang::MemberExpr, clang::IntegerLiteral, clang::FloatingLiteral,
                     clang::ImaginaryLiteral, clang::CharacterLiteral, clang::CXXBoolLiteralExpr,
                     clang::CXXNullPtrLiteralExpr, clang::InitListExpr, clang::ImplicitValueInitExpr,
                     clang::CXXScalarValueInitExpr, clang::FullExpr, clang::MaterializeTemporaryExpr,
                     clang::CXXStdInitializerListExpr, clang::CXXConstructExpr, clang::CXXRewrittenBinaryOperator,
                     clang::SubstNonTypeTemplateParmExpr, clang::CallExpr, clang::UnaryExprOrTypeTraitExpr>(s);
  }
};

} // namespace

bool isNumber(clang::QualType type) {
  const auto value = valueType(type);
  const bool isPlain =
      value && (isInteger(*value) || *value == Type::Bool || *value == Type::Float32 || *value == Type::Float64);
  return isPlain && !type.isVolatileQualified() && !type->isAtomicType() && !type->isEnumeralType();
}

bool isRecordOfNumbers(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->isUnion() || record->isLambda() ||
      record->field_empty() || !record->isAggregate() || record->getNumBases() != 0 ||
      record->isLocalClass() != nullptr || !record->hasTrivialDestructor() || type.isVolatileQualified())
    return false;
  return std::all_of(record->field_begin(), record->field_end(), [](const clang::FieldDecl *field) {
    const clang::QualType part = field->getType();
    return !field->isBitField() && !field->isMutable() && field->getDeclName() && !part.isConstQualified() &&
           ((isNumber(part) && elementType(part)) || isRecordOfNumbers(part));
  });
}

bool isResult(clang::QualType type) { return isNumber(type) && elementType(type); }

bool isCarriedAsItIs(clang::QualType type) {
  const bool wraps = type->isUnsignedIntegerType() && !type->isBooleanType();
  return elementType(type) == valueType(type) && !wraps;
}

bool isLoopStatement(const clang::Stmt *s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

bool touchesNumbersAlone(const clang::FunctionDecl &function) {
  const auto *parameters = &function;
  const bool takesNumbers = std::all_of(parameters->param_begin(), parameters->param_end(),
                                        [](const clang::ParmVarDecl *one) { return isNumber(one->getType()); });
  return takesNumbers && isResult(function.getReturnType()) && !llvm::isa<clang::CXXMethodDecl>(function) &&
         Closed(function.getASTContext()).holds(function);
}

std::optional<NumbersAround> touchedBy(const clang::Stmt &s, const clang::ASTContext &context, bool isTurn) {
  Closed closed(context);
  if (!closed.holds(s, isTurn)) return std::nullopt;
  const auto certain = runsUnder(s, context, [&](const clang::Expr &e) { return closed.isAround(&e); });
  for (NumberAround &element : closed.around.elements)
    if (const auto found = certain.find(element.where); found != certain.end()) element.under = found->second;
  return closed.around;
}

} // namespace polymend
