// Loops whose turns exchange what pointers point to, or containers: `for (t ...) { step(now, next); swap(now, next);
// }`. What they stand for comes back after so many turns, the period of the permutation. Such a loop is one over groups
// of turns, in each of which every name has one meaning, and the turns that are left; what follows is read once for
// each number of those, where it names what was exchanged. A container of the caller's has its elements at the end:
// after an odd number of turns they are exchanged once. That is right as long as nothing else changes these variables,
// and the loop turns no less than 0 times, which is tested at entry.
#include "algorithms.h"
#include "closed.h"
#include "containers.h"
#include "ranges.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

constexpr std::size_t longestPeriod = 4;

const clang::VarDecl *variableNamed(const clang::Expr *e) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

bool mayRotate(const clang::VarDecl *variable) {
  if (variable == nullptr || !variable->hasLocalStorage()) return false;
  const clang::QualType type = variable->getType().getNonReferenceType();
  const bool points = type->isPointerType() && type->getPointeeType()->isArithmeticType();
  return points || containerName(type) == "vector";
}

/// Is it a container that somebody else sees?
bool isOfCaller(const clang::VarDecl &variable) {
  return variable.getType()->isReferenceType() && variable.getType()->getPointeeType()->isRecordType();
}

/// What a statement does to variables: the first becomes the second, and the other way round where it exchanges them.
struct Move {
  const clang::VarDecl *to = nullptr, *from = nullptr;
  bool exchanges = false;
};

/// `a.swap(b)`, `std::swap(a, b)`.
Move exchangeIn(const clang::CallExpr &call) {
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    const auto *method = member->getMethodDecl();
    if (method == nullptr || method->getNameAsString() != "swap" || !method->getParent()->isInStdNamespace()) return {};
    return {variableNamed(member->getImplicitObjectArgument()), variableNamed(member->getArg(0)), true};
  }
  if (algorithmOf(call) != "swap" || call.getNumArgs() != 2) return {};
  return {variableNamed(call.getArg(0)), variableNamed(call.getArg(1)), true};
}

/// `a = b`, `T *a = b`, of pointers.
Move copyIn(const clang::Stmt *s) {
  if (const auto *set = llvm::dyn_cast<clang::BinaryOperator>(s);
      set != nullptr && set->getOpcode() == clang::BO_Assign && set->getType()->isPointerType())
    return {variableNamed(set->getLHS()), variableNamed(set->getRHS()), false};
  const auto *declared = llvm::dyn_cast<clang::DeclStmt>(s);
  const auto *local = declared != nullptr && declared->isSingleDecl()
                          ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                          : nullptr;
  if (local == nullptr || !local->hasInit() || !local->getType()->isPointerType()) return {};
  return {local, variableNamed(local->getInit()), false};
}

std::optional<Move> moveIn(const clang::Stmt *s) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(s)) return moveIn(full->getSubExpr());
  const auto *call = llvm::dyn_cast<clang::CallExpr>(s);
  const Move move = call != nullptr ? exchangeIn(*call) : copyIn(s);
  return mayRotate(move.to) && mayRotate(move.from) ? std::optional(move) : std::nullopt;
}

using Meanings = std::map<const clang::VarDecl *, const clang::VarDecl *>; // what each was before

void apply(const Move &move, Meanings &now) {
  for (const clang::VarDecl *one : {move.to, move.from}) now.try_emplace(one, one);
  if (move.exchanges)
    std::swap(now[move.to], now[move.from]);
  else
    now[move.to] = now[move.from];
}

/// The object of a call that reaches a container's elements, or asks how many there are; null: it is another one.
const clang::Expr *reachedInto(const clang::Stmt *s) {
  static const std::set<std::string> reaching{"at",   "back",  "begin", "cbegin", "cend",
                                              "data", "empty", "end",   "front",  "size"};
  if (const auto *subscript = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s))
    return subscript->getOperator() == clang::OO_Subscript ? subscript->getArg(0) : nullptr;
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(s);
  const clang::CXXMethodDecl *method = member != nullptr ? member->getMethodDecl() : nullptr;
  const bool reaches = method != nullptr && method->getDeclName().isIdentifier() &&
                       reaching.contains(method->getNameAsString()) && method->getParent()->isInStdNamespace();
  return reaches ? member->getImplicitObjectArgument() : nullptr;
}

/// Is the container named but for its elements? A helper that takes it by reference may do with it what its text says.
bool isNamedAsWhole(const clang::Stmt *s, const clang::VarDecl &variable, int depth = 0) {
  constexpr int deepest = 8;
  if (s == nullptr) return false;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) return reference->getDecl() == &variable;
  const auto *call = llvm::dyn_cast<clang::CallExpr>(s);
  const clang::Expr *object = call != nullptr ? reachedInto(call) : nullptr;
  const bool reaches = object != nullptr && variableNamed(object) == &variable;
  const clang::FunctionDecl *helper = nullptr;
  const bool hasBody = call != nullptr && call->getDirectCallee() != nullptr &&
                       call->getDirectCallee()->hasBody(helper) && !llvm::isa<clang::CXXMethodDecl>(helper) &&
                       depth < deepest;
  if (!reaches && !hasBody) {
    const auto children = s->children();
    return std::any_of(children.begin(), children.end(),
                       [&](const clang::Stmt *child) { return isNamedAsWhole(child, variable, depth); });
  }
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const clang::Expr *arg = call->getArg(i);
    const bool isGiven = hasBody && i < helper->getNumParams() && variableNamed(arg) == &variable &&
                         helper->getParamDecl(i)->getType()->isReferenceType();
    if (arg != object && (isGiven ? isNamedAsWhole(helper->getBody(), *helper->getParamDecl(i), depth + 1)
                                  : isNamedAsWhole(arg, variable, depth)))
      return true;
  }
  return false;
}

/// Does the statement change the variable, but by these moves?
bool changesElsewhere(const clang::Stmt *s, const clang::VarDecl &variable,
                      const std::vector<const clang::Stmt *> &moves) {
  if (s == nullptr || std::find(moves.begin(), moves.end(), s) != moves.end()) return false;
  if (llvm::isa<clang::Expr, clang::DeclStmt>(s))
    return changedIn(s).contains(&variable) &&
           (!variable.getType().getNonReferenceType()->isRecordType() || isNamedAsWhole(s, variable));
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return changesElsewhere(child, variable, moves); });
}

std::vector<const clang::Stmt *> statementsIn(const clang::Stmt *body) {
  const auto *block = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (block == nullptr) return {body};
  return {block->body_begin(), block->body_end()};
}

bool isSaidBehind(const clang::Stmt *s, const clang::VarDecl &variable, clang::SourceLocation place,
                  const clang::SourceManager &manager) {
  if (s == nullptr) return false;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s))
    return reference->getDecl() == &variable && manager.isBeforeInTranslationUnit(place, s->getBeginLoc());
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return isSaidBehind(child, variable, place, manager); });
}

/// The turns until all is as it was; 0: it never is, or not soon.
std::size_t periodOf(const Meanings &turn) {
  Meanings now;
  for (const auto &[variable, before] : turn) now[variable] = variable;
  for (std::size_t period = 1; period <= longestPeriod; ++period) {
    Meanings next;
    for (const auto &[variable, before] : turn) {
      const auto at = now.find(before);
      if (at == now.end()) return 0;
      next[variable] = at->second;
    }
    now = next;
    if (std::all_of(now.begin(), now.end(), [](const auto &one) { return one.first == one.second; })) return period;
  }
  return 0;
}

/// How a loop of a function's body rotates variables; absent: it does not, or they are changed in other ways.
std::optional<Rotation> rotationOf(const clang::ForStmt &loop, const clang::Stmt &body) {
  Rotation rotation;
  Meanings turn;
  std::vector<const clang::Stmt *> moves;
  std::set<const clang::VarDecl *> inside;
  for (const clang::Stmt *s : statementsIn(loop.getBody())) {
    const auto move = moveIn(s);
    if (!move) continue;
    if (llvm::isa<clang::DeclStmt>(s)) {
      if (!changedIn(loop.getBody()).contains(move->from)) continue; // another name, no more
      inside.insert(move->to);
    }
    moves.push_back(s);
    apply(*move, turn);
  }
  for (const clang::VarDecl *one : inside) turn.erase(one);
  std::erase_if(turn, [&](const auto &one) { return one.first == one.second && !inside.contains(one.first); });
  rotation.period = turn.empty() ? 0 : periodOf(turn);
  const bool givesBack = std::ranges::any_of(turn, [](const auto &one) { return isOfCaller(*one.first); });
  if (rotation.period < 2 || (givesBack && turn.size() + inside.size() != 2)) return std::nullopt;
  for (const auto &[variable, before] : turn) {
    if (changesElsewhere(&body, *variable, moves)) return std::nullopt;
    rotation.variables.insert(variable);
  }
  for (const clang::VarDecl *one : inside) rotation.variables.insert(one);
  rotation.moves.insert(moves.begin(), moves.end());
  return rotation;
}

/// Does a turn with containers hold more than one nest? Tiles in time of several statements over as many buffers have
/// too many shapes, so that on a CPU elements are exchanged instead, in parallel.
bool holdsSeveralNests(const clang::ForStmt &loop, const Rotation &rotation) {
  const bool containers = std::ranges::any_of(rotation.variables, [](const clang::VarDecl *one) {
    return one->getType().getNonReferenceType()->isRecordType();
  });
  return containers && std::ranges::count_if(statementsIn(loop.getBody()), isLoopStatement) > 1;
}

} // namespace

/// Finds the loops of the function's body that rotate variables.
void Reader::findRotations() {
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition.getBody());
  if (body == nullptr) return;
  for (const clang::Stmt *s : body->body()) {
    const auto *loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto rotation = loop != nullptr ? rotationOf(*loop, *body) : std::nullopt;
    if (!rotation || headVariable(*loop, context) == nullptr) continue;
    if (!isForDevice && holdsSeveralNests(*loop, *rotation)) continue;
    rotations[s] = *rotation;
    rotating.insert(rotation->variables.begin(), rotation->variables.end());
  }
}

/// Reads what a turn does, the variables meaning what they mean then.
void Reader::rotatedTurn(const clang::ForStmt &loop, const Rotation &rotation, Body &out) {
  for (const clang::Stmt *s : statementsIn(loop.getBody())) {
    if (!rotation.moves.contains(s)) {
      statement(s, out);
      continue;
    }
    const Move move = *moveIn(s);
    const auto from = bindings.find(move.from);
    if (from == bindings.end())
      refuse("it is not known what '" + move.from->getNameAsString() + "' is here", rangeOf(s));
    const Binding taken = from->second;
    if (move.exchanges) {
      const auto to = bindings.find(move.to);
      if (to == bindings.end() || !mayExchange(to->second, taken, rangeOf(s)))
        refuse("containers are exchanged that may have other numbers of elements: exchange their elements in a loop",
               rangeOf(s));
      from->second = std::exchange(to->second, taken);
    } else {
      bindings[move.to] = taken;
    }
  }
}

/// Pointers may be exchanged, and containers that have as many elements.
bool Reader::mayExchange(const Binding &a, const Binding &b, const SourceRange &where) {
  if (std::holds_alternative<Place>(a) && std::holds_alternative<Place>(b)) return true;
  const Object *first = std::get_if<Object>(&a), *second = std::get_if<Object>(&b);
  return first != nullptr && second != nullptr && haveAsMany(*first, *second, where);
}

/// Have the containers as many elements? Where arguments say how many, the entry asks.
bool Reader::haveAsMany(const Object &a, const Object &b, const SourceRange &where) {
  const bool areRows = holdsRowsApart(a.type, context) && holdsRowsApart(b.type, context);
  const auto row = areRows ? rowApart(a, Expr::integer(0), where) : std::nullopt;
  const auto otherRow = areRows ? rowApart(b, Expr::integer(0), where) : std::nullopt;
  if (areRows && !(row && otherRow && haveAsMany(*row, *otherRow, where))) return false;
  const Expr count = countOf(a, where), other = countOf(b, where);
  if (equal(count, other)) return true;
  if (!isOverParameters(count) || !isOverParameters(other)) return false;
  assume(Expr::make(Op::Eq, {count, other}));
  return true;
}

/// The call that exchanges what the loop rotates.
const clang::CallExpr &Reader::exchangeOf(const Rotation &rotation) const {
  const clang::Stmt *s = *rotation.moves.begin();
  while (const auto *full = llvm::dyn_cast<clang::FullExpr>(s)) s = full->getSubExpr();
  return *llvm::cast<clang::CallExpr>(s);
}

/// Gives containers of the caller's the elements that their names stand for, where those lie in one another. `before`:
/// what the names stood for before the loop.
void Reader::giveBack(const Rotation &rotation, const Bindings &before, Body &out) {
  const auto isCallers = [&](const clang::VarDecl *one) {
    const auto at = before.find(one);
    const Object *object = at == before.end() ? nullptr : std::get_if<Object>(&at->second);
    return object != nullptr && object->scratch.empty() && !object->rows;
  };
  if (std::ranges::none_of(rotation.variables, isCallers)) return;
  const clang::CallExpr &call = exchangeOf(rotation);
  const clang::VarDecl *one = *rotation.variables.begin(), *other = *std::next(rotation.variables.begin());
  if (isCallers(other)) std::swap(one, other); // the first is the caller's in any case
  const Object &first = std::get<Object>(before.at(one)), &second = std::get<Object>(before.at(other));
  const Object now = std::get<Object>(bindings.at(one));
  bindings[one] = first;
  bindings[other] = second;
  if (now.scratch == first.scratch && now.prefix == first.prefix && std::ranges::equal(now.row, first.row, equal))
    return;
  const bool isLast = !isCallers(other) && homeOf(*other) != nullptr &&
                      !isSaidBehind(homeOf(*other), *other, call.getEndLoc(), context.getSourceManager());
  exchangeElements(first, second, isLast, call, out);
}

/// Elements of one container become those of the other, and the other way round but for `isLast`: nobody asks then what
/// the second has.
void Reader::exchangeElements(const Object &one, const Object &other, bool isLast, const clang::CallExpr &call,
                              Body &out) {
  const SourceRange where = rangeOf(&call);
  if (holdsRowsApart(one.type, context)) {
    const std::string array = rowApart(one, Expr::integer(0), where)->scratch,
                      another = rowApart(other, Expr::integer(0), where)->scratch;
    std::erase_if(bindings, [&](const auto &named) { // it goes on naming a row that is now the other's
      const Object *row = std::get_if<Object>(&named.second);
      return row != nullptr && !row->row.empty() && (row->scratch == array || row->scratch == another);
    });
    const auto rows = [&](const Expr &number, Body &body) {
      exchangeElements(*rowApart(one, number, where), *rowApart(other, number, where), isLast, call, body);
    };
    return each(countOf(one, where), where, rows, out);
  }
  const Place first = elementsOf(one, where), second = elementsOf(other, where);
  const auto read = [&](const Expr &number, Body &body) {
    const Place to = further(first, number), from = further(second, number);
    if (!isLast) return exchange(to, from, call, body);
    written(to, where);
    put(to, elementAt(from, &call), where, body);
  };
  for (auto at = bindings.begin(); at != bindings.end();) {
    const Place *place = std::get_if<Place>(&at->second);
    const clang::QualType type = at->first->getType();
    const bool leads = place != nullptr && (type->isReferenceType() || !pointedTo(type).isNull());
    const bool points = leads && (place->array == first.array || place->array == second.array);
    if (points && !at->first->getType()->isPointerType() && !knowledge.loops.empty())
      refuse("'" + at->first->getNameAsString() + "' leads into a container that the loop exchanges", where);
    at = points ? bindings.erase(at) : std::next(at); // it goes on pointing into what is now the other
  }
  each(countOf(one, where), where, read, out);
}

/// A loop that rotates variables, with the statements behind it; false: these are still to be read.
bool Reader::rotated(const clang::ForStmt &loop, const Statements &rest, Until until, Body &out) {
  const Rotation rotation = rotations.at(&loop);
  const SourceRange where = rangeOf(&loop);
  for (const auto &[declared, binding] : bindings)
    if (std::holds_alternative<Place>(binding) && declared->getType()->isRecordType())
      refuse("'" + declared->getNameAsString() + "' may lead into a container that the loop exchanges", where);
  const auto period = static_cast<std::int64_t>(rotation.period);
  sink = &out;
  const clang::Expr *init = nullptr;
  const clang::VarDecl *variable = inductionOf(loop, init, out);
  if (loop.getCond() == nullptr || loop.getConditionVariable() != nullptr) refuse("the loop has no condition", where);
  sink = nullptr;
  const Expr first = simplify(value(init));
  checkBound(first, rangeOf(init));
  const Expr symbol = Expr::symbol(unique(variable->getNameAsString()), valueType(variable->getType()).value());
  bindings[variable] = symbol;
  const Expr step = stepOf(loop.getInc(), *variable);
  if (step.op() != Op::Integer || step->integer != 1) refuse("a loop that exchanges variables counts by one", where);
  const Expr limit = limitWithoutWraps(loop, *variable, first, symbol, 1), turns = simplify(limit - first);
  if (!isOverParameters(turns)) refuse("how often variables are exchanged is read from data", rangeOf(loop.getCond()));
  if (!isNonNegative(turns, knowledge)) assume(Expr::make(Op::Le, {Expr::integer(0), turns}));
  const auto read = [&](const Expr &number, Body &body) {
    for (std::int64_t k = 0; k < period; ++k) {
      bindings[variable] = simplify(first + Expr::integer(period) * number + Expr::integer(k));
      rotatedTurn(loop, rotation, body);
    }
  };
  const Bindings entered = bindings;
  const Expr left = Expr::make(Op::FloorMod, Type::Int64, {turns, Expr::integer(period)});
  eachOf(Expr::make(Op::FloorDiv, Type::Int64, {turns, Expr::integer(period)}), variable->getNameAsString() + "_group",
         where, read, out);
  const bool isNamedBehind = std::any_of(rest.begin(), rest.end(), [&](const clang::Stmt *s) {
    return std::any_of(rotation.variables.begin(), rotation.variables.end(),
                       [&](const clang::VarDecl *one) { return mentions(s, *one); });
  });
  const std::function<void(std::int64_t, Body &)> others = [&](std::int64_t done, Body &body) {
    const auto behind = [&](Body &end) {
      bindings.erase(variable);
      giveBack(rotation, entered, end);
      if (isNamedBehind) turn(rest, until, end);
    };
    if (done + 1 == period) return behind(body);
    const auto once = [&](Body &then) {
      bindings[variable] = simplify(limit - left + Expr::integer(done));
      rotatedTurn(loop, rotation, then);
      others(done + 1, then);
    };
    const Bindings before = bindings;
    const auto none = [&](Body &otherwise) {
      bindings = before;
      behind(otherwise);
    };
    const Expr condition = simplify(Expr::make(Op::Le, {Expr::integer(done + 1), left}));
    choice(condition, once, none, where, rangeOf(loop.getCond()), body);
  };
  others(0, out);
  for (const clang::VarDecl *one : rotation.variables) bindings.erase(one);
  bindings.erase(variable);
  return isNamedBehind;
}

/// `a.swap(b)`, std::swap(a, b) of vectors that have as many elements: each of them has the other's; false: another
/// call.
bool Reader::exchangesContainers(const clang::CallExpr &call, Body &out) {
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const bool isMember = member != nullptr && callee != nullptr && callee->getDeclName().isIdentifier() &&
                        callee->getName() == "swap" && call.getNumArgs() == 1;
  const bool isFree = member == nullptr && algorithmOf(call) == "swap" && call.getNumArgs() == 2;
  if (!isMember && !isFree) return false;
  const clang::Expr *one = isMember ? member->getImplicitObjectArgument() : call.getArg(0);
  const clang::Expr *other = call.getArg(isMember ? 0 : 1);
  const auto a = one->getType()->isRecordType() ? known(one) : std::nullopt, b = a ? known(other) : std::nullopt;
  if (!b || containerName(a->type) != "vector" || containerName(b->type) != "vector") return false;
  if (isBitVector(a->type, context)) return false;
  const SourceRange where = rangeOf(&call);
  if (!haveAsMany(*a, *b, where))
    refuse("containers are exchanged that may have other numbers of elements: exchange their elements in a loop",
           where);
  const auto *given = variableNamed(other);
  const bool isLast = given != nullptr && !b->scratch.empty() && knowledge.loops.empty() && homeOf(*given) != nullptr &&
                      !isSaidBehind(homeOf(*given), *given, call.getEndLoc(), context.getSourceManager());
  exchangeElements(*a, *b, isLast, call, out);
  return true;
}

/// Whether two pointers are the same where they lead into arrays of which one is the function's own; absent: it is not
/// known.
std::optional<bool> Reader::areSame(const clang::Expr &first, const clang::Expr &second) {
  const auto a = iterator(&first), b = a ? iterator(&second) : std::nullopt;
  if (!b || a->array == b->array) return std::nullopt;
  const auto isOwn = [&](const Place &place) {
    const Array &array = arrayNamed(place.array);
    return array.storage == Array::Storage::Local && !array.extents.empty();
  };
  return isOwn(*a) || isOwn(*b) ? std::optional(false) : std::nullopt;
}

} // namespace polymend
