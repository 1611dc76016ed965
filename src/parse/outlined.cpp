// What no equation holds -> a function that is called for its value. A loop that ends when data say so, or a helper
// that holds one, is a function of the numbers that go in, as long as it touches nothing else: no array, no pointer, no
// object, nothing that outlives it. A helper is called as it stands; of a loop the text becomes one, with the variables
// that it uses as parameters and those that are used behind it as the result, several as a structure. Elements of
// arrays are parameters too, where they are read in any case and not written. That is right as long as the text means
// the same outside, no variable that it sets has another name, and a call where the source has one may not end.
#include "outlined.h"
#include "closed.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "wide_elements.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

using Variables = std::vector<const clang::VarDecl *>;

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

/// The first place within the statement that names the variable and fits; null: there is none.
template <class Fits>
const clang::DeclRefExpr *namingOf(const clang::Stmt *s, const clang::VarDecl &variable, const Fits &fits) {
  if (s == nullptr) return nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s);
      reference != nullptr && reference->getDecl() == &variable && fits(*reference))
    return reference;
  for (const clang::Stmt *child : s->children())
    if (const clang::DeclRefExpr *found = namingOf(child, variable, fits)) return found;
  return nullptr;
}

/// Is the variable named before, or behind, a part of the function that declares it?
bool isNamedBefore(const clang::VarDecl &variable, const clang::Stmt &part, const clang::SourceManager &manager) {
  return namingOf(homeOf(variable), variable, [&](const clang::DeclRefExpr &reference) {
    return manager.isBeforeInTranslationUnit(reference.getBeginLoc(), part.getBeginLoc());
  });
}
bool isNamedBehind(const clang::VarDecl &variable, const clang::Stmt &part, const clang::SourceManager &manager) {
  return namingOf(homeOf(variable), variable, [&](const clang::DeclRefExpr &reference) {
    return manager.isBeforeInTranslationUnit(part.getEndLoc(), reference.getBeginLoc());
  });
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
  const bool isOverloaded = !helper.getDeclContext()->getRedeclContext()->lookup(helper.getDeclName()).isSingleResult();
  if (!helper.getDeclName().isIdentifier() || isOverloaded || !isResult(helper.getReturnType()) ||
      !touchesNumbersAlone(helper))
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
    if (!isNamedBehind(*variable, s, context.getSourceManager()) && !comesBackTo(home, *variable, &s)) continue;
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
  const std::set<const clang::Stmt *> certain = readInAnyCase(s, context);
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
        !isNamedBefore(*variable, s, context.getSourceManager())) {
      loop.own += "  " + declaration + ";\n";
      continue;
    }
    const Expr given = value(namingOf(&s, *variable, [](const clang::DeclRefExpr &) { return true; }));
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
    bindings[&variable] =
        variableFor(variable.getNameAsString(), *elementType(variable.getType()), rangeOf(variable.getSourceRange()));
  }
  const Place *place = std::get_if<Place>(&bindings.at(&variable));
  if (place == nullptr) refuse("'" + variable.getNameAsString() + "' is changed", rangeOf(variable.getSourceRange()));
  if (const Array &array = arrayNamed(place->array); !isFloating(array.type))
    writtenIntegers.insert({array.name, array.where});
  return *place;
}

/// The statement as a function of the numbers that it uses; false: it is none.
bool Reader::outlines(const clang::Stmt &s, Body &out) {
  if (!isLoopStatement(&s) || !isSpelledInMainFile(context, s.getSourceRange())) return false;
  const auto touched = touchedBy(s);
  if (!touched) return false;
  const auto results = leftBy(s, touched->used);
  OutlinedLoop loop;
  if (!results || results->empty() || !takeElements(s, touched->elements, loop) ||
      !takeVariables(s, touched->used, loop))
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
    left.push_back(variableFor(result->getNameAsString() + "_left", *elementType(result->getType()), where));
    assign(left.back(), Expr::call("." + result->getNameAsString(), {all}, *valueType(result->getType()), where));
  }
  for (std::size_t k = 0; k < left.size(); ++k)
    assign(unfollowed(*(*results)[k]), Expr::read(left[k].array, {}, *elementType((*results)[k]->getType())));
  return true;
}

} // namespace polymend
