// What a call of a function that returns a value changes besides. A number that it takes by reference, the state of a
// generator, is one: the call's statements go before the statement around it and what it returns is kept in a variable.
// That is right as long as no other part of that statement reads or changes the number, and the call is made in any
// case. What stands behind a return that a condition leads to may run whatever that says, where nobody can tell: it
// writes variables of its own and reads nothing that need not be there.
#include "effects.h"
#include "affine.h"
#include "ranges.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

void collectTargets(const Body &body, std::size_t from, std::set<std::string> &targets) {
  for (std::size_t k = from; k < body.size(); ++k) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&body[k])) {
      collectTargets((*loop)->body, 0, targets);
    } else if (const auto *choice = std::get_if<std::shared_ptr<const Branch>>(&body[k])) {
      collectTargets((*choice)->then, 0, targets);
      collectTargets((*choice)->otherwise, 0, targets);
    } else {
      targets.insert(std::get<std::shared_ptr<const Assign>>(body[k])->target);
    }
  }
}

/// Do statements from number `from` on set variables from number `own` on alone, from numbers, variables and what is
/// read in any case?
bool mayRunAnyway(const Body &body, std::size_t from, const std::vector<Array> &arrays, std::size_t own,
                  const std::vector<Expr> &known) {
  const auto isRead = [&](const Expr &read) {
    return read->args.empty() ||
           std::any_of(known.begin(), known.end(), [&](const Expr &other) { return equal(read, other); });
  };
  const auto isSafe = [&](const Expr &e) {
    bool safe = true;
    visit(e, [&](const Expr &node) {
      safe = safe && !mayTrap(node) && node.op() != Op::Call && (node.op() != Op::Read || isRead(node));
    });
    return safe;
  };
  if (writesOthers(body, from, arrays, own)) return false;
  return std::all_of(body.begin() + static_cast<std::ptrdiff_t>(from), body.end(), [&](const Node &node) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node))
      return isSafe((*loop)->first) && isSafe((*loop)->limit) && mayRunAnyway((*loop)->body, 0, arrays, own, known);
    if (const auto *choice = std::get_if<std::shared_ptr<const Branch>>(&node))
      return isSafe((*choice)->condition) && mayRunAnyway((*choice)->then, 0, arrays, own, known) &&
             mayRunAnyway((*choice)->otherwise, 0, arrays, own, known);
    const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
    return assign.subscripts.empty() && isSafe(assign.value);
  });
}

} // namespace

bool writesOthers(const Body &body, std::size_t from, const std::vector<Array> &arrays, std::size_t own) {
  const auto isOwn = [&](const std::string &name) {
    return std::any_of(arrays.begin() + static_cast<std::ptrdiff_t>(own), arrays.end(), [&](const Array &array) {
      return array.name == name && array.storage == Array::Storage::Local;
    });
  };
  std::set<std::string> targets;
  collectTargets(body, from, targets);
  return !std::all_of(targets.begin(), targets.end(), isOwn);
}

bool takesVariables(const clang::FunctionDecl &function) {
  return std::any_of(function.param_begin(), function.param_end(), [](const clang::ParmVarDecl *parameter) {
    const clang::QualType type = parameter->getType();
    return type->isLValueReferenceType() && !type->getPointeeType().isConstQualified() &&
           type->getPointeeType()->isArithmeticType();
  });
}

/// Does the expression name an integer that the function keeps in a variable?
bool Reader::isNumberOfItsOwn(const clang::Expr &given) const {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(given.IgnoreParens());
  const auto found = reference != nullptr ? bindings.find(reference->getDecl()) : bindings.end();
  const Place *place = found != bindings.end() ? std::get_if<Place>(&found->second) : nullptr;
  return place != nullptr && reference->getType()->isIntegerType() && arrayNamed(place->array).extents.empty();
}

/// Refuses where what was read since then, with these arrays declared, writes others.
void Reader::keepsToItself(std::size_t from, std::size_t own, const std::string &who, const SourceRange &where) const {
  if (sink != nullptr && sink->size() > from && writesOthers(*sink, from, function.arrays, own))
    refuse(who + " returns a value and changes what is not its own: write the change beside the call", where);
}

/// Refuses where an argument that is given by its value reads the array, which the function then changes: what stands
/// for the argument would be read too late.
void Reader::givesNothingOf(const std::string &array, const clang::CallExpr &call) {
  const clang::FunctionDecl &callee = *call.getDirectCallee();
  const unsigned hidden =
      llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee) ? 1 : 0;
  for (unsigned k = hidden; k < call.getNumArgs() && k - hidden < callee.getNumParams(); ++k) {
    const clang::Expr *given = call.getArg(k);
    const clang::QualType type = callee.getParamDecl(k - hidden)->getType();
    if (type->isPointerType() || (type->isReferenceType() && !isTemporary(given))) continue;
    const bool isNumber = valueType(type.getNonReferenceType()) && !given->HasSideEffects(context);
    if (isNumber ? polymend::reads(value(given), array) : !given->isEvaluatable(context))
      refuse("an argument of '" + callee.getNameAsString() + "' may read '" + array +
                 "', which the call changes: keep it in a variable before",
             rangeOf(given));
  }
}

/// The value of a call whose statements are read: where they change variables of others it is kept, as it was then.
Expr Reader::afterEffects(std::size_t from, std::size_t own, const Expr &result, const clang::CallExpr &call) {
  if (sink == nullptr || sink->size() <= from || !writesOthers(*sink, from, function.arrays, own)) return result;
  const SourceRange where = rangeOf(&call);
  const std::string who = "'" + call.getDirectCallee()->getNameAsString() + "'";
  std::set<std::string> targets;
  collectTargets(*sink, from, targets);
  for (std::size_t k = own; k < function.arrays.size(); ++k)
    if (function.arrays[k].storage == Array::Storage::Local) targets.erase(function.arrays[k].name);
  for (const std::string &target : targets) givesNothingOf(target, call);
  const auto isOwn = [&](const Array &array) { return array.name == result->name; };
  const bool isKept =
      result.op() == Op::Read && result->args.empty() &&
      std::any_of(function.arrays.begin() + static_cast<std::ptrdiff_t>(own), function.arrays.end(), isOwn);
  if (isKept && callEffects.changed.empty()) {
    callEffects = {targets, sink->size()};
    return result;
  }
  if (!callEffects.changed.empty() || !elementType(call.getType()) || call.getType()->isBooleanType())
    refuse(who + " changes '" + *targets.begin() + "' beside another call: say its result in a variable before", where);
  const Place kept =
      variableFor(call.getDirectCallee()->getNameAsString() + "_result", localType(call.getType()), where);
  const Expr value = storedIn(arrayNamed(kept.array), result, where);
  sink->emplace_back(std::make_shared<const Assign>(Assign{kept.array, {}, simplify(value), where}));
  callEffects = {targets, sink->size()};
  return readAt(kept, &call);
}

/// What an expression makes of variables that calls within it change, none of which it may read itself.
void Reader::settle(const Expr &value, const SourceRange &where) {
  for (const std::string &name : callEffects.changed)
    if (value && polymend::reads(value, name))
      refuse("'" + name + "' is read beside a call that changes it: say the call's result in a variable before", where);
  callEffects = {};
}

/// The same for what a statement left behind the last such call.
void Reader::settle(const Body &out, const SourceRange &where) {
  const CallEffects effects = callEffects;
  for (std::size_t k = effects.end; !effects.changed.empty() && k < out.size(); ++k)
    if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&out[k])) {
      callEffects = effects;
      settle((*assign)->value, where);
      for (const Expr &subscript : (*assign)->subscripts) {
        callEffects = effects;
        settle(subscript, where);
      }
    } else {
      refuse("a call within this statement changes '" + *effects.changed.begin() +
                 "': say its result in a variable before",
             where);
    }
  callEffects = {};
}

/// What statements return that may run whatever the condition for them says.
Expr Reader::resultAnyway(const Statements &statements, const clang::CallExpr &call, const Refusal &why) {
  if (sink == nullptr) throw Refusal(why);
  std::vector<Expr> known;
  for (const auto &[declared, binding] : bindings)
    if (const Expr *given = std::get_if<Expr>(&binding); given != nullptr && isArgumentOf(*declared, call))
      visit(*given, [&](const Expr &node) {
        if (node.op() == Op::Read) known.push_back(node);
      });
  const std::size_t from = sink->size(), own = function.arrays.size();
  Expr result;
  const auto other = refusedBy(
      [&] {
        result = resultOf(statements, call);
        if (!mayRunAnyway(*sink, from, function.arrays, own, known)) throw Refusal(why);
      },
      sink);
  if (other) throw Refusal(why);
  return result;
}

/// Is it a parameter of the function that is called, whose arguments are read before anything else?
bool Reader::isArgumentOf(const clang::ValueDecl &declared, const clang::CallExpr &call) {
  const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(&declared);
  const clang::FunctionDecl *body = nullptr;
  return parameter != nullptr && call.getDirectCallee() != nullptr && call.getDirectCallee()->hasBody(body) &&
         std::find(body->param_begin(), body->param_end(), parameter) != body->param_end() &&
         !parameter->getType()->isReferenceType();
}

} // namespace polymend
