// What no equation holds -> a function that is called for its value. A loop that ends when data say so, or a helper
// that holds one, is a function of the numbers that go in, as long as it touches nothing else: no array, no pointer, no
// object, nothing that outlives it. A helper is called as it stands; of a loop the text becomes one, with the variables
// that it uses as parameters and those that are used behind it as the result, several as a structure. Elements of
// arrays are parameters too, where they are read in any case and not written. That is right as long as the text means
// the same outside, no variable that it sets has another name, and a call where the source has one may not end. A
// helper that has the name of others, or whose result is carried in a wider type, is called by a function that holds
// the source's own call.
#include "outlined.h"
#include "algorithms.h"
#include "closed.h"
#include "ranges.h"
#include "reader.h"
#include "sayable.h"
#include "turns.h"
#include "types.h"
#include "wide_elements.h"

#include <algorithm>
#include <map>
#include <set>
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

bool standsIn(const clang::Stmt &s, const clang::Stmt &inner) {
  return &s == &inner || std::any_of(s.child_begin(), s.child_end(), [&](const clang::Stmt *child) {
    return child != nullptr && standsIn(*child, inner);
  });
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

} // namespace

/// Is the variable named before, or behind, a part of the function that declares it?
bool isNamedBefore(const clang::VarDecl &variable, const clang::Stmt &part, const clang::SourceManager &manager) {
  return namingOf(homeOf(variable), variable, [&](const clang::DeclRefExpr &reference) {
    return manager.isBeforeInTranslationUnit(reference.getBeginLoc(), part.getBeginLoc());
  });
}

namespace {

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

} // namespace

bool comesBackTo(const clang::Stmt *s, const clang::VarDecl &variable, const clang::Stmt *region) {
  if (s == nullptr || s == region) return false;
  if (isLoopStatement(s) && isInLoop(s, region, false) && !declares(s, variable)) return true;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return comesBackTo(child, variable, region); });
}

namespace {

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

namespace {

using Functions = std::set<const clang::FunctionDecl *>;

bool hasLoops(const clang::Stmt *s, Functions &entered) {
  if (s == nullptr) return false;
  if (isLoopStatement(s)) return true;
  const auto *call = llvm::dyn_cast<clang::CallExpr>(s);
  const clang::FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr, *body = nullptr;
  if (callee != nullptr && callee->hasBody(body)) {
    const bool isFirst = entered.insert(body).second;
    if (!isFirst || hasLoops(body->getBody(), entered)) return true;
    entered.erase(body);
  }
  return std::any_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return hasLoops(child, entered); });
}

} // namespace

bool hasLoops(const clang::Stmt *s) {
  Functions entered;
  return hasLoops(s, entered);
}

bool hasLoops(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *body = nullptr;
  if (!function.hasBody(body)) return false;
  Functions entered{body};
  return hasLoops(body->getBody(), entered);
}

bool callsItself(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *body = nullptr;
  return function.hasBody(body) && calls(body->getBody(), function);
}

/// The value of a call of a helper that holds loops of which no equation is known; absent: it does more than that.
Expr Reader::called(const clang::FunctionDecl &helper, const clang::CallExpr &call, const Refusal &why) {
  if (!touchesNumbersAlone(helper)) return {};
  const bool isOverloaded = !helper.getDeclContext()->getRedeclContext()->lookup(helper.getDeclName()).isSingleResult();
  if (!helper.getDeclName().isIdentifier() || isOverloaded || helper.isTemplateInstantiation() ||
      !isCarriedAsItIs(helper.getReturnType()))
    return calledAsSpelled(helper, call, why);
  std::vector<Expr> args;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const clang::QualType type = helper.getParamDecl(i)->getType();
    args.push_back(given(value(call.getArg(i)), type, rangeOf(call.getArg(i))));
  }
  const std::string name = globalName(helper.getNameAsString(), helper);
  note({name, "", hasLoops(helper), why});
  return Expr::call(name, std::move(args), typeOf(&call), rangeOf(&call));
}

/// May the text of a statement that uses these variables stand in front of the function?
bool Reader::isSayable(const clang::Stmt &s, const Variables &used) const {
  if (definesMacros(definition, context.getSourceManager())) return false;
  if (used.empty() && (!standsIn(*definition.getBody(), s) || !meansTheSameOutside(definition))) return false;
  const clang::Stmt *home = used.empty() ? nullptr : homeOf(*used.front());
  return isSayableBefore(s, used, *definition.getBody(), context) &&
         (home == nullptr || isSayableBefore(s, used, *home, context));
}

/// The value of a call by a function that holds its text.
Expr Reader::calledAsSpelled(const clang::FunctionDecl &helper, const clang::CallExpr &call, const Refusal &why) {
  const auto touched = touchedBy(call, context);
  if (!touched || !changedIn(&call).empty() || !isSpelledInMainFile(context, call.getSourceRange())) return {};
  if (!isSayable(call, touched->used)) return {};
  if (!std::ranges::all_of(touched->used, [](const auto *variable) { return meansTheSameOutside(*variable); }))
    return {};
  OutlinedLoop text;
  if (!takeElements(call, *touched, text) || !text.left.empty() || !takeVariables(call, touched->used, text)) return {};
  const std::string plain = helper.getDeclName().isIdentifier() ? helper.getNameAsString() : "value";
  const std::string name = unusedName(function.name + "_" + plain);
  const CarriedText result = carriedText(helper.getReturnType(), renamed(call, text));
  const std::string called = globalName(name, definition);
  holdsBits(called, helper.getReturnType());
  note({called,
        "/// A call that " + function.name + " makes.\nstatic " + result.type + " " + name + "(" + text.parameters +
            ") {\n" + text.own + "  return " + result.value + ";\n}\n\n",
        hasLoops(helper), why});
  return Expr::call(called, text.args, typeOf(&call), rangeOf(&call));
}

/// What has the name may hold 2^63 and more, if it is of that type.
void Reader::holdsBits(const std::string &name, clang::QualType type) {
  if (!type->isUnsignedIntegerType() || widthOf(type) < 64) return;
  counters.erase(name);
  unsignedWide.insert(name);
}

/// What a parameter of a type is given: of 64 bits without a sign the same bits, which a sign does not change.
Expr Reader::given(const Expr &number, clang::QualType type, const SourceRange &where) const {
  if (!type->isUnsignedIntegerType() || widthOf(type) < 64) fitsSigned(number, unsignedWide, unread, where);
  return convert(number, *valueType(type), where);
}

/// A number of a type, in the type that carries it.
CarriedText Reader::carriedText(clang::QualType type, const std::string &text) const {
  if (isCarriedAsItIs(type)) return {spelled(type.getUnqualifiedType()), text};
  if (valueType(type) == Type::Int32) return {"int", text};
  return {"std::int64_t", "static_cast<std::int64_t>(" + text + ")"};
}

/// What the loop leaves in variables that are used behind it, or by its next run; absent: it may not stand elsewhere.
std::optional<std::vector<const clang::VarDecl *>> Reader::leftBy(const clang::Stmt &s, const Variables &used) const {
  const auto changes = changedIn(&s);
  Variables results;
  for (const clang::VarDecl *variable : used) {
    const clang::Stmt *home = homeOf(*variable);
    const bool isAgain = home != nullptr && (!calls.empty() || isInLoop(home, &s, false));
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

/// Makes the variables that the loop uses parameters, or its own where they have no value before it.
bool Reader::takeVariables(const clang::Stmt &s, const Variables &used, OutlinedLoop &loop) {
  const auto changes = changedIn(&s);
  NamedTypes types;
  addTypesNamedAt(used.empty() ? definition.getBody() : homeOf(*used.front()), s, types);
  for (const auto &[name, type] : types)
    loop.own += "  using " + name + " = " + spelled(type->getUnderlyingType().getCanonicalType()) + ";\n";
  for (const clang::VarDecl *variable : used) {
    const std::string declaration =
        spelled(variable->getType().getUnqualifiedType()) + " " + variable->getNameAsString();
    const bool isInteger = variable->getType().isConstQualified() && variable->getType()->isIntegerType();
    const Expr constant = isInteger ? constantOf(*variable) : Expr(); // an array may need it for its extent
    if (variable->isConstexpr() && isInteger && (!constant || constant.op() != Op::Integer)) return false;
    if (constant && constant.op() == Op::Integer) {
      loop.own += "  constexpr " + declaration + " = " + std::to_string(constant->integer) + ";\n";
      continue;
    }
    if (!variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable) && changes.contains(variable) &&
        !isNamedBefore(*variable, s, context.getSourceManager())) {
      loop.own += "  " + declaration + ";\n";
      continue;
    }
    const Expr number = value(namingOf(&s, *variable, [](const clang::DeclRefExpr &) { return true; }));
    loop.take(given(number, variable->getType(), rangeOf(&s)), declaration);
  }
  return true;
}

/// The source's text, in which the elements that it reads have other names.
std::string Reader::renamed(const clang::Stmt &s, const OutlinedLoop &loop) const {
  const clang::SourceManager &manager = context.getSourceManager();
  const SourceRange where = rangeOf(&s);
  std::string text = manager.getBufferData(manager.getMainFileID()).substr(where.begin, where.end - where.begin).str();
  for (auto element = loop.renamed.rbegin(); element != loop.renamed.rend(); ++element)
    text.replace(element->first - where.begin, element->second.first - element->first, element->second.second);
  return text;
}

/// The function that the text becomes: of several results a structure.
std::string Reader::textOf(const std::string &text, const std::string &name, const OutlinedLoop &loop) const {
  std::string quoted, list, members;
  for (const OutlinedLoop::Left &left : loop.left) {
    const CarriedText result = carriedText(left.type, left.value.empty() ? left.name : left.value);
    const std::string comma = list.empty() ? "" : ", ";
    const std::string told = "'" + (left.told.empty() ? left.name : left.told) + "'";
    if (!quoted.ends_with(told)) quoted += comma + told;
    list += comma + result.value;
    members += "  " + result.type + " " + left.name + ";\n";
  }
  const bool isOne = loop.left.size() == 1;
  const std::string type = isOne ? carriedText(loop.left.front().type, "").type : name + "_results";
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

/// The source's text as a statement that comes to its end.
std::string Reader::statementText(const clang::Stmt &s, bool isTurn, const OutlinedLoop &loop) const {
  const std::string text = renamed(s, loop), end = text.ends_with('}') || text.ends_with(';') ? "" : ";";
  return isTurn && mayEnd(&s, Until::Turn) ? "do " + text + end + " while (false);" : text + end;
}

/// What the call of the function leaves becomes that of the statement.
void Reader::leave(const OutlinedLoop &loop, const Expr &call, const Refusal &why, Body &out) {
  const auto assign = [&](const Place &place, const Expr &number) {
    put(place, storedIn(written(place, call->where), number, call->where), call->where, out);
  };
  const auto placeOf = [&](const OutlinedLoop::Left &left) {
    const Place place = left.variable != nullptr ? unfollowed(*left.variable) : left.place;
    holdsBits(place.array, left.type);
    unread.insert({place.array, why});
    return place;
  };
  if (loop.left.size() == 1) return assign(placeOf(loop.left.front()), call);
  std::vector<Place> kept;
  for (const OutlinedLoop::Left &left : loop.left) { // none is set before the call for the last has its arguments
    kept.push_back(variableFor(left.name + "_left", *elementType(left.type), call->where));
    assign(kept.back(), Expr::call("." + left.name, {call}, *valueType(left.type), call->where));
  }
  for (std::size_t k = 0; k < kept.size(); ++k)
    assign(placeOf(loop.left[k]), Expr::read(kept[k].array, {}, *elementType(loop.left[k].type)));
}

/// The statement as a function of the numbers that it uses; false: it is none. `isTurn`: it is a loop's body.
bool Reader::outlines(const clang::Stmt &s, bool isTurn, const Refusal &why, Body &out) {
  if ((!isTurn && !isLoopStatement(&s)) || !isSpelledInMainFile(context, s.getSourceRange())) return false;
  const auto touched = touchedBy(s, context, isTurn);
  if (!touched || !isSayable(s, touched->used)) return false;
  const auto results = leftBy(s, touched->used);
  OutlinedLoop loop;
  if (!results) return false;
  for (const clang::VarDecl *variable : *results)
    loop.left.push_back({variable->getNameAsString(), variable->getType().getUnqualifiedType(), variable, {}});
  if (!takeElements(s, *touched, loop) || loop.left.empty() || !takeVariables(s, touched->used, loop)) return false;
  const OutlinedLoop::Left &first = loop.left.front();
  const std::string name = unusedName(function.name + "_" + (first.told.empty() ? first.name : first.told));
  const std::string called = globalName(name, definition);
  note({called, textOf(statementText(s, isTurn, loop), name, loop), hasLoops(&s), why});
  const Type type = loop.left.size() == 1 ? *valueType(first.type) : Type::Void;
  leave(loop, Expr::call(called, loop.args, type, rangeOf(&s)), why, out);
  return true;
}

/// A function that values call from here on. Where it has loops, it may never end.
void Reader::note(const Outlined &outlined) {
  function.outlined.push_back(outlined);
  function.mayNotEnd = function.mayNotEnd || outlined.turns;
}

/// Why it cannot be read; nothing is left of the attempt then.
std::optional<Refusal> Reader::refusedBy(const std::function<void()> &read, Body *into) {
  const ReaderState before = *this;
  const std::size_t from = into != nullptr ? into->size() : 0;
  try {
    read();
  } catch (const Refusal &why) {
    ReaderState::operator=(before);
    if (into != nullptr) into->erase(into->begin() + static_cast<std::ptrdiff_t>(from), into->end());
    return why;
  }
  return std::nullopt;
}

/// A turn of a loop: by its equations, or else as a function of its own.
void Reader::loopBody(const clang::Stmt &body, Body &out) {
  if (endOf(body) != nullptr) return turnUntilData(body, out);
  const auto why = refusedBy([&] { turn({&body}, Until::Turn, out); }, &out);
  if (why && !outlines(body, true, *why, out)) throw Refusal(*why);
}

} // namespace polymend
