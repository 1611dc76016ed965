// What no equation holds -> a function that is called for its value. A loop that ends when data say so, or a helper
// that holds one, is a function of the numbers that go in, as long as it touches nothing else: no array, no pointer, no
// object, nothing that outlives it. A helper is called as it stands; of a loop the text becomes one, with the variables
// that it uses as parameters and those that are used behind it as the result, several as a structure. Elements of
// arrays are parameters too, where they are read in any case and not written. That is right as long as the text means
// the same outside, no variable that it sets has another name, and a call where the source has one may not end.
#include "outlined.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "wide_elements.h"

#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

using Variables = std::vector<const clang::VarDecl *>;

bool isNumber(clang::QualType type) {
  const auto value = valueType(type);
  const bool isPlain =
      value && (isInteger(*value) || *value == Type::Bool || *value == Type::Float32 || *value == Type::Float64);
  return isPlain && !type.isVolatileQualified() && !type->isAtomicType() && !type->isEnumeralType();
}

/// A type whose values are carried as they are.
bool isResult(clang::QualType type) {
  return isNumber(type) && elementType(type) && elementType(type) == valueType(type);
}

bool isAmong(const Variables &all, const clang::VarDecl *one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool isLoopStatement(const clang::Stmt *s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

using Elements = std::vector<const clang::ArraySubscriptExpr *>;

/// A walk over what may become a function: whether it touches numbers alone, and which of those around it.
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

/// Does it call the function?
bool calls(const clang::Stmt *s, const clang::FunctionDecl &function) {
  if (s == nullptr) return false;
  const auto *call = llvm::dyn_cast<clang::CallExpr>(s);
  const clang::FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
  if (callee != nullptr && callee->getCanonicalDecl() == function.getCanonicalDecl()) return true;
  return std::any_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return calls(child, function); });
}

/// Does the statement hold another within a loop?
bool isInLoop(const clang::Stmt *s, const clang::Stmt *inner, bool within) {
  if (s == nullptr) return false;
  if (s == inner) return within;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return isInLoop(child, inner, within || isLoopStatement(s)); });
}

/// Is the variable named in `s` after `region`?
bool isNamedBehind(const clang::Stmt *s, const clang::VarDecl &variable, const clang::Stmt &region,
                   const clang::SourceManager &manager) {
  if (s == nullptr || s == &region) return false;
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s);
  if (reference != nullptr && reference->getDecl() == &variable &&
      manager.isBeforeInTranslationUnit(region.getEndLoc(), reference->getBeginLoc()))
    return true;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return isNamedBehind(child, variable, region, manager); });
}

/// May something else stand for the variable: a reference, a pointer, or a lambda that names it?
bool hasOtherNames(const clang::Stmt *s, const clang::VarDecl &variable) {
  if (s == nullptr) return false;
  if (llvm::isa<clang::LambdaExpr>(s)) return mentions(s, variable);
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(s);
      operation != nullptr && operation->getOpcode() == clang::UO_AddrOf && mentions(s, variable))
    return true;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl *one : declarations->decls())
      if (const auto *other = llvm::dyn_cast<clang::VarDecl>(one);
          other != nullptr && !other->getType()->isArithmeticType() && other->hasInit() &&
          mentions(other->getInit(), variable))
        return true;
  return std::any_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return hasOtherNames(child, variable); });
}

bool declares(const clang::Stmt *s, const clang::VarDecl &variable) {
  if (s == nullptr) return false;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
    return std::any_of(declarations->decl_begin(), declarations->decl_end(),
                       [&](const clang::Decl *one) { return one == &variable; });
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return declares(child, variable); });
}

/// Does a loop around `region` run it again with what it left in the variable?
bool comesBackTo(const clang::Stmt *s, const clang::VarDecl &variable, const clang::Stmt *region) {
  if (s == nullptr || s == region) return false;
  if (isLoopStatement(s) && isInLoop(s, region, false) && !declares(s, variable)) return true;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return comesBackTo(child, variable, region); });
}

/// The first expression within the statement that names the variable.
const clang::DeclRefExpr *namingOf(const clang::Stmt *s, const clang::VarDecl &variable) {
  if (s == nullptr) return nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s);
      reference != nullptr && reference->getDecl() == &variable)
    return reference;
  for (const clang::Stmt *child : s->children())
    if (const clang::DeclRefExpr *found = namingOf(child, variable)) return found;
  return nullptr;
}

/// Does the text mean the same outside the function that declares the variable? There is no `this`, no argument of a
/// template, and none of the types, functions and names of namespaces that the function declares.
bool meansTheSameOutside(const clang::VarDecl &variable) {
  const auto *home = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  if (home == nullptr || llvm::isa<clang::CXXMethodDecl>(home) || home->isTemplateInstantiation()) return false;
  const std::function<bool(const clang::Stmt *)> isPlain = [&](const clang::Stmt *s) {
    if (s == nullptr) return true;
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl *one : declarations->decls())
        if (!llvm::isa<clang::VarDecl, clang::StaticAssertDecl>(one)) return false;
    return std::all_of(s->child_begin(), s->child_end(), isPlain);
  };
  return isPlain(home->getBody());
}

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

/// "::a::f", as a function beside this one is called from anywhere in the file.
std::string globalName(const std::string &own, const clang::FunctionDecl &beside) {
  std::string name = "::" + own;
  for (const clang::DeclContext *around = beside.getDeclContext(); around != nullptr; around = around->getParent()) {
    const auto *scope = llvm::dyn_cast<clang::NamespaceDecl>(around);
    if (scope != nullptr && !scope->isAnonymousNamespace() && !scope->isInline())
      name = "::" + scope->getNameAsString() + name;
  }
  return name;
}

} // namespace

bool endsByData(const clang::Stmt *s, bool isInLoop) {
  if (s == nullptr) return false;
  if (llvm::isa<clang::WhileStmt, clang::DoStmt, clang::BreakStmt>(s)) return true;
  if (llvm::isa<clang::ReturnStmt>(s)) return isInLoop;
  return std::any_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return endsByData(child, isInLoop || isLoopStatement(s)); });
}

bool turnsByData(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *body = nullptr;
  return function.hasBody(body) && endsByData(body->getBody());
}

bool callsItself(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *body = nullptr;
  return function.hasBody(body) && calls(body->getBody(), function);
}

/// The value of a call of a helper that holds loops of which no equation is known; absent: it does more than that.
Expr Reader::called(const clang::FunctionDecl &helper, const clang::CallExpr &call) {
  Closed closed;
  const bool isOverloaded = !helper.getDeclContext()->getRedeclContext()->lookup(helper.getDeclName()).isSingleResult();
  if (!helper.getDeclName().isIdentifier() || isOverloaded || !isResult(helper.getReturnType()) ||
      !closed.holds(helper))
    return {};
  std::vector<Expr> args;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const Expr given = value(call.getArg(i));
    fitsSigned(given, unsignedWide, rangeOf(call.getArg(i)));
    args.push_back(convert(given, *valueType(helper.getParamDecl(i)->getType()), rangeOf(call.getArg(i))));
  }
  function.mayNotEnd = true;
  return Expr::call(globalName(helper.getNameAsString(), helper), std::move(args), typeOf(&call), rangeOf(&call));
}

/// What the loop leaves in variables that are used behind it, or by its next run; absent: it may not stand elsewhere.
std::optional<std::vector<const clang::VarDecl *>> Reader::leftBy(const clang::Stmt &s, const Variables &used) const {
  const auto changes = changedIn(&s);
  Variables results;
  for (const clang::VarDecl *variable : used) {
    const clang::Stmt *home = homeOf(*variable);
    const bool isAgain = home != nullptr && (inlineDepth > 0 || isInLoop(home, &s, false));
    if (!isAgain || !meansTheSameOutside(*variable)) return std::nullopt;
    if (!changes.contains(variable)) continue;
    if (hasOtherNames(home, *variable)) return std::nullopt;
    if (!isNamedBehind(home, *variable, s, context.getSourceManager()) && !comesBackTo(home, *variable, &s)) continue;
    if (!isResult(variable->getType())) return std::nullopt;
    results.push_back(variable);
  }
  return results;
}

std::string Reader::unusedName(std::string name) {
  const clang::SourceManager &manager = context.getSourceManager();
  while (manager.getBufferData(manager.getMainFileID()).contains(name) || !names.insert(name).second) name += "_2";
  return name;
}

/// Makes the elements that the loop reads parameters; false: it may not read one of them, or changes which one it is.
bool Reader::takeElements(const clang::Stmt &s, const std::vector<const clang::ArraySubscriptExpr *> &read,
                          OutlinedLoop &loop) {
  const auto changes = changedIn(&s);
  std::vector<std::pair<Expr, std::string>> taken;
  std::set<const clang::Stmt *> certain;
  addCertain(&s, context, certain);
  for (const clang::ArraySubscriptExpr *element : read) {
    if (!isSpelledInMainFile(context, element->getSourceRange())) return false;
    for (const auto &[changedHere, place] : changes)
      if (mentions(element, *changedHere)) return false;
    const Expr number = value(element);
    auto known = std::ranges::find_if(taken, [&](const auto &one) { return equal(one.first, number); });
    if (known == taken.end()) {
      const bool isRead = std::ranges::any_of(read, [&](const clang::ArraySubscriptExpr *other) {
        return certain.contains(other) && equal(value(other), number);
      });
      if (!isRead) return false;
      const auto *base = llvm::cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts());
      known = taken.insert(known, {number, unusedName(base->getDecl()->getNameAsString() + "_element")});
      loop.take(number, spelled(element->getType().getUnqualifiedType()) + " " + known->second);
    }
    loop.renamed[rangeOf(element).begin] = {rangeOf(element).end, known->second};
  }
  return true;
}

/// Makes the variables that the loop uses parameters, or its own where they have no value before it.
bool Reader::takeVariables(const clang::Stmt &s, const Variables &used, OutlinedLoop &loop) {
  const auto changes = changedIn(&s);
  for (const clang::VarDecl *variable : used) {
    const std::string declaration =
        spelled(variable->getType().getUnqualifiedType()) + " " + variable->getNameAsString();
    if (variable->isConstexpr() && variable->getType()->isIntegerType()) { // an array may need it for its extent
      const Expr constant = constantOf(*variable);
      if (!constant || constant.op() != Op::Integer) return false;
      loop.own += "  constexpr " + declaration + " = " + std::to_string(constant->integer) + ";\n";
      continue;
    }
    if (!variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable) && changes.contains(variable) &&
        !isNamedBefore(*variable, s)) {
      loop.own += "  " + declaration + ";\n";
      continue;
    }
    const Expr given = value(namingOf(&s, *variable));
    fitsSigned(given, unsignedWide, rangeOf(&s));
    loop.take(convert(given, *valueType(variable->getType()), rangeOf(&s)), declaration);
  }
  return true;
}

/// The function that the loop becomes: of several results a structure.
std::string Reader::textOf(const clang::Stmt &s, const std::string &name, const Variables &results,
                           const OutlinedLoop &loop) const {
  const clang::SourceManager &manager = context.getSourceManager();
  const SourceRange where = rangeOf(&s);
  std::string text = manager.getBufferData(manager.getMainFileID()).substr(where.begin, where.end - where.begin).str();
  for (auto element = loop.renamed.rbegin(); element != loop.renamed.rend(); ++element)
    text.replace(element->first - where.begin, element->second.first - element->first, element->second.second);
  if (llvm::isa<clang::DoStmt>(s)) text += ";";
  std::string quoted, list, members;
  for (const clang::VarDecl *result : results) {
    const std::string called = result->getNameAsString(), comma = list.empty() ? "" : ", ";
    quoted += comma + "'" + called + "'";
    list += comma + called;
    members += "  " + spelled(result->getType().getUnqualifiedType()) + " " + called + ";\n";
  }
  const bool isOne = results.size() == 1;
  const std::string type = isOne ? spelled(results[0]->getType().getUnqualifiedType()) : name + "_results";
  const std::string structure = isOne ? "" : "struct " + type + " {\n" + members + "};\n\n";
  return structure + "/// What " + function.name + " needs of " + quoted + ", of which no equation is known.\nstatic " +
         type + " " + name + "(" + loop.parameters + ") {\n" + loop.own + "  " + text + "\n  return " +
         (isOne ? list : "{" + list + "}") + ";\n}\n\n";
}

/// What the variable is from here on no equation says.
Place Reader::unfollowed(const clang::VarDecl &variable) {
  if (followed.erase(&variable) > 0 || !bindings.contains(&variable)) {
    Array array;
    array.name = unique(variable.getNameAsString());
    array.type = *elementType(variable.getType());
    array.where = rangeOf(variable.getSourceRange());
    bindings[&variable] = Place{addArray(array).name, {}};
  }
  const Place *place = std::get_if<Place>(&bindings.at(&variable));
  if (place == nullptr) refuse("'" + variable.getNameAsString() + "' is changed", rangeOf(variable.getSourceRange()));
  if (const Array &array = arrayNamed(place->array); !isFloating(array.type))
    writtenIntegers.insert({array.name, array.where});
  return *place;
}

/// The statement as a function of the numbers that it uses; false: it is none.
bool Reader::outlines(const clang::Stmt &s, Body &out) {
  Closed closed;
  if (!isLoopStatement(&s) || !isSpelledInMainFile(context, s.getSourceRange()) || !closed.holds(&s, false))
    return false;
  const auto results = leftBy(s, closed.used);
  OutlinedLoop loop;
  if (!results || results->empty() || !takeElements(s, closed.elements, loop) || !takeVariables(s, closed.used, loop))
    return false;
  const std::string name = unusedName(function.name + "_" + results->front()->getNameAsString());
  function.outlined.push_back(textOf(s, name, *results, loop));
  function.mayNotEnd = true;
  const SourceRange where = rangeOf(&s);
  const std::string called = globalName(name, definition);
  const auto assign = [&](const Place &place, const Expr &number) {
    const Expr stored = storedIn(arrayNamed(place.array), number, where);
    out.emplace_back(std::make_shared<const Assign>(Assign{place.array, place.subscripts, stored, where}));
  };
  if (results->size() == 1) {
    const Type type = *valueType(results->front()->getType());
    assign(unfollowed(*results->front()), Expr::call(called, loop.args, type, where));
    return true;
  }
  const Expr all = Expr::call(called, loop.args, Type::Void, where);
  std::vector<Place> left;
  for (const clang::VarDecl *result : *results) { // none is set before the call for the last has its arguments
    Array array;
    array.name = unique(result->getNameAsString() + "_left");
    array.type = *elementType(result->getType());
    array.where = where;
    left.push_back({addArray(array).name, {}});
    if (!isFloating(array.type)) writtenIntegers.insert({array.name, where});
    assign(left.back(), Expr::call("." + result->getNameAsString(), {all}, *valueType(result->getType()), where));
  }
  for (std::size_t k = 0; k < left.size(); ++k)
    assign(unfollowed(*(*results)[k]), Expr::read(left[k].array, {}, *elementType((*results)[k]->getType())));
  return true;
}

/// Is the variable named before the statement, in the text of the function that declares it?
bool Reader::isNamedBefore(const clang::VarDecl &variable, const clang::Stmt &s) const {
  const clang::SourceManager &manager = context.getSourceManager();
  const std::function<bool(const clang::Stmt *)> named = [&](const clang::Stmt *one) {
    if (one == nullptr) return false;
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(one);
    if (reference != nullptr && reference->getDecl() == &variable &&
        manager.isBeforeInTranslationUnit(one->getBeginLoc(), s.getBeginLoc()))
      return true;
    const auto children = one->children();
    return std::any_of(children.begin(), children.end(), named);
  };
  return named(homeOf(variable));
}

} // namespace polymend
