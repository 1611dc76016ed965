// Statements of a function -> a function of their own. What they use of the function around them becomes parameters: a
// number that they do not change by its value, everything else by reference, so that the text in their place is a
// function called within the scope. That is right as long as nothing that they declare is used behind them, no loop of
// theirs counts with what is used elsewhere, and nothing leaves them but by their end.
#include "loops_in.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

using Variables = std::vector<const clang::VarDecl *>;

/// The variables that a statement uses, with what the lambdas use that it calls, and the members of `this`.
struct Uses {
  Variables used, declared;
  bool usesThis = false;

  void add(const clang::Stmt *s) {
    if (s == nullptr) return;
    if (llvm::isa<clang::CXXThisExpr>(s)) usesThis = true;
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) add(*reference->getDecl());
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(s))
      declared.insert(declared.end(), lambda->getCallOperator()->param_begin(), lambda->getCallOperator()->param_end());
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl *one : declarations->decls())
        if (const auto *local = llvm::dyn_cast<clang::VarDecl>(one)) declare(*local);
    for (const clang::Stmt *child : s->children()) add(child);
  }

  /// A variable, and those that hold its parts, `auto [a, b] = pair`.
  void declare(const clang::VarDecl &local) {
    declared.push_back(&local);
    if (const auto *parts = llvm::dyn_cast<clang::DecompositionDecl>(&local))
      for (const clang::BindingDecl *part : parts->bindings())
        if (const clang::VarDecl *held = part->getHoldingVar()) declared.push_back(held);
  }

  void add(const clang::ValueDecl &named) {
    if (const auto *part = llvm::dyn_cast<clang::BindingDecl>(&named)) return add(part->getBinding());
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(&named);
    if (variable == nullptr || std::find(used.begin(), used.end(), variable) != used.end()) return;
    used.push_back(variable);
    const clang::CXXRecordDecl *record = variable->getType()->getAsCXXRecordDecl();
    if (record == nullptr || !record->isLambda()) return;
    const clang::CXXMethodDecl *call = record->getLambdaCallOperator();
    declared.insert(declared.end(), call->param_begin(), call->param_end());
    add(call->getBody());
  }
};

/// Is the address of the number taken anywhere, or is it bound to a reference?
bool escapes(const clang::Stmt *s, const clang::VarDecl &variable) {
  if (s == nullptr || !variable.getType()->isArithmeticType()) return false;
  const auto isThis = [&](const clang::Expr *e) {
    const auto *reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e == nullptr ? e : e->IgnoreParenCasts());
    return reference != nullptr && reference->getDecl() == &variable;
  };
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(s);
      operation != nullptr && operation->getOpcode() == clang::UO_AddrOf && isThis(operation->getSubExpr()))
    return true;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s); call != nullptr && call->getDirectCallee() != nullptr)
    for (unsigned i = 0; i < call->getNumArgs() && i < call->getDirectCallee()->getNumParams(); ++i)
      if (call->getDirectCallee()->getParamDecl(i)->getType()->isReferenceType() &&
          !call->getDirectCallee()->isInStdNamespace() && isThis(call->getArg(i)))
        return true;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl *one : declarations->decls())
      if (const auto *local = llvm::dyn_cast<clang::VarDecl>(one);
          local != nullptr && local->getType()->isReferenceType() && isThis(local->getInit()))
        return true;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return escapes(child, variable); });
}

/// The variable that a loop sets without declaring it; null: it declares one, or sets none.
const clang::VarDecl *setBy(const clang::ForStmt &loop) {
  const auto *start = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit());
  if (start == nullptr || start->getOpcode() != clang::BO_Assign) return nullptr;
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(start->getLHS()->IgnoreParens());
  return reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// All that loops set without declaring it.
void collectSet(const clang::Stmt *s, Variables &all) {
  if (s == nullptr) return;
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s))
    if (const clang::VarDecl *variable = setBy(*loop)) all.push_back(variable);
  for (const clang::Stmt *child : s->children()) collectSet(child, all);
}

bool holds(const clang::Stmt *s, const clang::Stmt *inner) {
  if (s == nullptr || s == inner) return s != nullptr;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(), [&](const clang::Stmt *child) { return holds(child, inner); });
}

/// The first place outside the region that names the variable, but in other loops, which set it before; null: none.
const clang::Stmt *usedOutside(const clang::Stmt *s, const clang::VarDecl &variable,
                               const std::vector<const clang::Stmt *> &region) {
  if (s == nullptr || std::find(region.begin(), region.end(), s) != region.end()) return nullptr;
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s);
      loop != nullptr && setBy(*loop) == &variable && !holds(s, region.front()))
    return mentions(llvm::cast<clang::BinaryOperator>(loop->getInit())->getRHS(), variable) ? s : nullptr;
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s);
  if (reference != nullptr && reference->getDecl() == &variable) return s;
  for (const clang::Stmt *child : s->children())
    if (const clang::Stmt *use = usedOutside(child, variable, region)) return use;
  return nullptr;
}

/// Is the value made of the variables that it names, and of nothing in memory?
bool isMadeOfVariables(const clang::Stmt *s) {
  if (s == nullptr) return true;
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(s);
  const bool computes = operation != nullptr && (operation->isAdditiveOp() || operation->isMultiplicativeOp());
  if (!computes && !llvm::isa<clang::DeclRefExpr, clang::ImplicitCastExpr, clang::CXXFunctionalCastExpr,
                              clang::ParenExpr, clang::IntegerLiteral, clang::InitListExpr, clang::CXXConstructExpr,
                              clang::MaterializeTemporaryExpr, clang::ExprWithCleanups>(s))
    return false;
  return std::all_of(s->child_begin(), s->child_end(), isMadeOfVariables);
}

/// Has the class nothing but numbers and pointers to such, and constructors that do nothing but initialise them?
bool isView(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->isInStdNamespace() || record->isUnion() || record->getNumBases() != 0) return false;
  const bool plain = std::all_of(record->field_begin(), record->field_end(), [](const clang::FieldDecl *field) {
    const clang::QualType held = field->getType();
    return !field->isMutable() &&
           (held->isArithmeticType() || (held->isPointerType() && !held->getPointeeType()->isRecordType()));
  });
  return plain && std::all_of(record->ctor_begin(), record->ctor_end(), [](const clang::CXXConstructorDecl *one) {
           const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(one->getBody());
           return !one->isUserProvided() || (body != nullptr && body->body_empty());
         });
}

/// The variables around a region that stand for others from where they are declared on: integers and pointers that stay
/// and const views, made of variables that stay. A name that is declared twice may mean another variable in the region.
class Aliases {
public:
  Aliases(const clang::FunctionDecl &around, const std::map<const clang::ValueDecl *, clang::SourceRange> &changes)
      : body(around.getBody()), changed(changes) {
    Uses all;
    all.add(body);
    all.declared.insert(all.declared.end(), around.param_begin(), around.param_end());
    for (const clang::VarDecl *one : all.declared) ++declarations[one->getNameAsString()];
  }

  /// What such a variable is made of; absent: it is none.
  [[nodiscard]] std::optional<Variables> partsOf(const clang::VarDecl &variable) const {
    const clang::QualType type = variable.getType();
    const bool isPointer = type->isPointerType() && !type->getPointeeType()->isRecordType();
    const bool isInteger = type->isIntegerType() && !type->isBooleanType();
    if (llvm::isa<clang::ParmVarDecl>(variable) || variable.isStaticLocal() || !variable.hasInit() ||
        !(isPointer || isInteger || (type.isConstQualified() && isView(type))) || !stays(variable) ||
        !isMadeOfVariables(variable.getInit()))
      return std::nullopt;
    Uses parts;
    parts.add(variable.getInit());
    const bool stay = std::all_of(parts.used.begin(), parts.used.end(), [&](const clang::VarDecl *one) {
      const bool isPlain = one->getType()->isArithmeticType() || one->getType()->isPointerType();
      return isPlain && !one->hasGlobalStorage() && stays(*one) && !escapes(body, *one);
    });
    return stay && !parts.used.empty() && !parts.usesThis ? std::optional(parts.used) : std::nullopt;
  }

private:
  const clang::Stmt *body;
  const std::map<const clang::ValueDecl *, clang::SourceRange> &changed;
  std::map<std::string, int> declarations;

  [[nodiscard]] bool stays(const clang::VarDecl &variable) const {
    const auto named = declarations.find(variable.getNameAsString());
    const bool isConst = variable.getType().isConstQualified(); // calls on a const object change what it points to
    return (isConst || !changed.contains(&variable)) && named != declarations.end() && named->second == 1;
  }
};

} // namespace

/// A variable of the function around: by value where it is a number that stays, else by reference.
void Reader::readCaptured(const clang::VarDecl &variable, unsigned place) {
  const clang::QualType type = variable.getType();
  const std::string name = variable.getNameAsString();
  const SourceRange where = rangeOf(variable.getSourceRange());
  if (Expr constant = constantOf(variable)) {
    bindings[&variable] = constant;
    function.declaredAround.push_back(rangeOf(variable.getSourceRange()));
    return;
  }
  if (tableOf(variable) != nullptr) {
    function.declaredAround.push_back(rangeOf(variable.getSourceRange()));
    return declare(variable, function.body);
  }
  if (variable.isStaticLocal()) refuse("'" + name + "' keeps a value between calls", where);
  if (const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl(); record != nullptr && record->isLambda()) {
    function.declaredAround.push_back(rangeOf(variable.getSourceRange()));
    return declareLambda(variable, nullptr);
  }
  if (isFresh(variable)) fresh.insert(name);
  const bool isArgument = llvm::isa<clang::ParmVarDecl>(variable);
  const bool isArray = type->isArrayType() && !isArgument;
  const bool isChanged = valueType(type) && changed.contains(&variable);
  if (type->isVariableArrayType()) refuse("the extents of '" + name + "' are no constants", where);
  if (escapes(definition.getBody(), variable)) refuse("the address of '" + name + "' is taken", where);
  if (type->isPointerType() && changed.contains(&variable)) refuse("pointer '" + name + "' is changed", where);
  const clang::QualType taken = isArray || isChanged ? context.getLValueReferenceType(type) : type;
  const std::size_t before = function.parameters.size();
  readParameter(variable, taken, place);
  function.arguments.push_back(argumentOf(variable));
  for (std::size_t i = before; i < function.parameters.size(); ++i)
    if (orders.size() <= i) orders.push_back({place});
}

/// `everywhere`: what the function around changes.
void Reader::readScope(const Statements &region,
                       const std::map<const clang::ValueDecl *, clang::SourceRange> &everywhere) {
  Uses inside;
  for (const clang::Stmt *s : region) inside.add(s);
  const auto holds = [](const Variables &all, const clang::VarDecl *one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  const clang::SourceManager &manager = context.getSourceManager();
  const clang::SourceLocation end = region.back()->getEndLoc();
  const std::function<void(const clang::Stmt *)> behind = [&](const clang::Stmt *s) {
    if (s == nullptr) return;
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto *variable = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (variable != nullptr && manager.isBeforeInTranslationUnit(end, s->getBeginLoc()) &&
        holds(inside.declared, variable))
      refuse("'" + variable->getNameAsString() + "' is used behind the loops that it is declared with", rangeOf(s));
    for (const clang::Stmt *child : s->children()) behind(child);
  };
  behind(definition.getBody());
  Variables outer;
  for (const clang::VarDecl *variable : inside.used)
    if (variable->isStaticLocal() || (!holds(inside.declared, variable) && !variable->hasGlobalStorage()))
      outer.push_back(variable);
  Variables set;
  for (const clang::Stmt *s : region) collectSet(s, set);
  for (const clang::VarDecl *variable : set)
    if (const clang::Stmt *use =
            holds(outer, variable) ? usedOutside(definition.getBody(), *variable, region) : nullptr)
      refuse("'" + variable->getNameAsString() + "' is used outside the loop that it counts: declare it in the loop",
             rangeOf(use));
  const Aliases known(definition, everywhere);
  Variables aliases;
  for (std::size_t k = 0; k < outer.size();) {
    const auto parts = known.partsOf(*outer[k]);
    if (!parts) {
      ++k;
      continue;
    }
    aliases.push_back(outer[k]);
    outer.erase(outer.begin() + static_cast<std::ptrdiff_t>(k));
    for (const clang::VarDecl *part : *parts)
      if (!holds(outer, part) && !holds(aliases, part)) outer.push_back(part);
  }
  for (Variables *all : {&outer, &aliases})
    std::sort(all->begin(), all->end(), [&](const clang::VarDecl *a, const clang::VarDecl *b) {
      return manager.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
  for (const clang::VarDecl *variable : outer) {
    const std::string name = variable->getNameAsString();
    if (ownsElementsThroughout(*variable))
      owners.insert(name);
    else if (!llvm::isa<clang::ParmVarDecl>(variable) || everywhere.contains(variable) ||
             !variable->getType()->isPointerType() || variable->getType()->getPointeeType()->isRecordType())
      derived.insert(name);
  }
  for (unsigned k = 0; k < outer.size(); ++k) readCaptured(*outer[k], k);
  for (const clang::VarDecl *alias : aliases) {
    try {
      declare(*alias, function.body);
      function.declaredAround.push_back(rangeOf(alias->getSourceRange()));
    } catch (const Refusal &) {
      derived.insert(alias->getNameAsString());
      readCaptured(*alias, static_cast<unsigned>(outer.size()));
    }
  }
  if (inside.usesThis) {
    derived.insert("this");
    function.isMakeable = false;
    readSelf();
  }
}

Function Reader::read(const Statements &region) {
  function.where = function.bodyRange =
      rangeOf(clang::SourceRange(region.front()->getBeginLoc(), region.back()->getEndLoc()));
  if (isForItsCallers(definition)) refuse("no loop", function.where);
  nest();
  function.isNested = function.isRegion = true;
  function.outside = outermost();
  const auto everywhere = std::exchange(changed, {});
  for (const clang::Stmt *s : region) {
    if (!isSpelledInMainFile(context, s->getSourceRange())) refuse("it is written by a macro", function.where);
    changed.merge(changedIn(s));
  }
  if (const llvm::StringRef text = context.getSourceManager().getBufferData(context.getSourceManager().getMainFileID());
      function.bodyRange.end < text.size() && text[function.bodyRange.end] == ';')
    ++function.bodyRange.end;
  readScope(region, everywhere);
  for (const clang::Stmt *s : region) nameGlobals(s);
  for (const clang::Stmt *s : region) holdTables(s);
  for (const clang::Stmt *s : counted(region)) statement(s, function.body);
  return finished();
}

Result<Function> readRegion(clang::ASTContext &context, const clang::FunctionDecl &definition,
                            const std::vector<const clang::Stmt *> &statements, const ReadFor &what,
                            const std::string &name) {
  return readEitherWay(what,
                       [&](const ReadFor &how) { return Reader(context, definition, how, name).read(statements); });
}

} // namespace polymend
