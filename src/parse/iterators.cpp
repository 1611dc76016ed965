// Iterators and pointers that a loop moves along elements. An iterator of a container whose elements lie one by one is
// a place among them: begin() is element 0, end() the one behind the last, it + n is n further. A loop from one place
// of an array to another is a loop over the elements' numbers; that is right as long as nothing else moves its
// variable. So is one over a view of the standard that counts.
#include "algorithms.h"
#include "containers.h"

#include "ranges.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

const clang::VarDecl *variableOf(const clang::Expr *e) {
  const auto *reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e == nullptr ? e : e->IgnoreParenImpCasts());
  return reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/// Is it ++v or v++?
bool advances(const clang::Expr *increment, const clang::VarDecl &variable) {
  if (increment == nullptr) return false;
  const clang::Expr *e = increment->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return advances(full->getSubExpr(), variable);
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(e))
    return step->isIncrementOp() && variableOf(step->getSubExpr()) == &variable;
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  return call != nullptr && call->getOperator() == clang::OO_PlusPlus && variableOf(call->getArg(0)) == &variable;
}

/// What `v != limit` or `v < limit` compares v with; absent: another condition.
const clang::Expr *limitIn(const clang::Expr *condition, const clang::VarDecl &variable) {
  if (condition == nullptr) return nullptr;
  const clang::Expr *e = condition->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return limitIn(full->getSubExpr(), variable);
  if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(e)) {
    const auto parts = rewritten->getDecomposedForm();
    const bool fits = parts.Opcode == clang::BO_NE || parts.Opcode == clang::BO_LT;
    return fits && variableOf(parts.LHS) == &variable ? parts.RHS : nullptr;
  }
  if (const auto *test = llvm::dyn_cast<clang::BinaryOperator>(e))
    return (test->getOpcode() == clang::BO_NE || test->getOpcode() == clang::BO_LT) &&
                   variableOf(test->getLHS()) == &variable
               ? test->getRHS()
               : nullptr;
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  const bool compares = call != nullptr && call->getNumArgs() == 2 &&
                        (call->getOperator() == clang::OO_ExclaimEqual || call->getOperator() == clang::OO_Less);
  return compares && variableOf(call->getArg(0)) == &variable ? call->getArg(1) : nullptr;
}

} // namespace

bool isIteratorClass(clang::QualType type) { return type->isRecordType() && !pointedTo(type).isNull(); }

bool isCountingView(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getQualifiedNameAsString() == "std::ranges::iota_view";
}

std::optional<IteratorStep> iteratorStep(const clang::Stmt *s) {
  const auto *call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(s);
  if (call == nullptr || call->getNumArgs() == 0 || !isIteratorClass(call->getArg(0)->getType())) return std::nullopt;
  const bool isUp = call->getOperator() == clang::OO_PlusPlus;
  if (!isUp && call->getOperator() != clang::OO_MinusMinus) return std::nullopt;
  return IteratorStep{call->getArg(0), isUp, call->getNumArgs() == 2};
}

const clang::CXXOperatorCallExpr *iteratorMove(const clang::Stmt *s) {
  const auto *call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(s);
  const bool moves = call != nullptr && call->getNumArgs() == 2 &&
                     (call->getOperator() == clang::OO_PlusEqual || call->getOperator() == clang::OO_MinusEqual) &&
                     isIteratorClass(call->getArg(0)->getType());
  return moves ? call : nullptr;
}

const clang::Expr *bareIterator(const clang::Expr *e) {
  for (;;) {
    const clang::Expr *inner = e->IgnoreParens();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(inner)) inner = full->getSubExpr();
    if (const auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner)) inner = made->getSubExpr();
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(inner);
        cast != nullptr && !pointedTo(cast->getType()).isNull() && cast->getType()->isRecordType())
      inner = cast->getSubExpr();
    if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(inner); copy != nullptr && copy->getNumArgs() == 1)
      if (const clang::QualType given = copy->getArg(0)->getType();
          given->isRecordType() && !pointedTo(copy->getType()).isNull() && !pointedTo(given).isNull())
        inner = copy->getArg(0);
    if (inner == e) return e;
    e = inner;
  }
}

/// The place that a pointer or an iterator points to; absent: another expression.
std::optional<Place> Reader::iterator(const clang::Expr *expression) {
  const clang::Expr *e = bareIterator(expression);
  if (const auto *sought = llvm::dyn_cast<clang::CallExpr>(e))
    if (const auto place = found(*sought)) return place;
  if (expression->getType()->isPointerType()) return pointer(expression);
  if (e->getType()->isPointerType()) return pointer(e);
  if (const clang::VarDecl *variable = variableOf(e)) {
    const auto found = bindings.find(variable);
    const Place *place = found != bindings.end() ? std::get_if<Place>(&found->second) : nullptr;
    const bool moves = changed.contains(variable) && !walking.contains(variable) && followedIn(e) == nullptr;
    return place != nullptr && !moves ? std::optional(*place) : std::nullopt;
  }
  if (const auto met = stepsIterator(*e)) {
    const Place *place = std::get_if<Place>(&*met);
    return place != nullptr ? std::optional(*place) : std::nullopt;
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  const clang::FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
  if (callee == nullptr) return std::nullopt;
  if (const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
      operation != nullptr && operation->getNumArgs() == 2 &&
      (operation->getOperator() == clang::OO_Plus || operation->getOperator() == clang::OO_Minus) &&
      operation->getArg(1)->getType()->isIntegerType()) {
    auto place = iterator(operation->getArg(0));
    if (!place) return std::nullopt;
    const Op op = operation->getOperator() == clang::OO_Plus ? Op::Add : Op::Sub;
    place->subscripts.back() = simplify(Expr::make(op, {place->subscripts.back(), subscript(operation->getArg(1))}));
    return place;
  }
  if (!callee->getDeclName().isIdentifier()) return std::nullopt;
  const llvm::StringRef name = callee->getName();
  const bool isFirst = name == "begin" || name == "cbegin", isLast = name == "end" || name == "cend";
  if (!isFirst && !isLast) return std::nullopt;
  const bool isFree = !llvm::isa<clang::CXXMemberCallExpr>(e) && callee->isInStdNamespace() && call->getNumArgs() == 1;
  const clang::Expr *given = isFree ? call->getArg(0) : objectIn(*call);
  if (given != nullptr && isFixedArray(given->getType()))
    if (const auto place = inRow(*given, name.str(), *call)) return place;
  const auto object = given != nullptr && given->getType()->isRecordType() ? known(given) : std::nullopt;
  if (!object || !isContainer(*object)) return std::nullopt;
  haveNoRows(*object, rangeOf(e));
  if (isBitVector(object->type, context))
    refuse("iterators of a std::vector<bool> are not supported: read its elements by []", rangeOf(e));
  Place place = elementsOf(*object, rangeOf(e));
  if (isLast) place.subscripts.back() = simplify(place.subscripts.back() + countOf(*object, rangeOf(e)));
  return place;
}

/// Elements that lie one by one from a place in an array of several dimensions on are those of its row.
void Reader::staysInRow(const Place &first, const Expr &count, const SourceRange &where) const {
  if (first.subscripts.size() < 2) return;
  const Array &array = arrayNamed(first.array);
  if (!array.rows.empty() && array.extents.size() == first.subscripts.size()) return; // nothing lies behind a row
  const Expr &row = array.extents.back();
  const Expr rest = row ? simplify(row - first.subscripts.back() - count) : Expr();
  const bool starts = isNonNegative(first.subscripts.back(), knowledge);
  if (array.extents.size() != first.subscripts.size() || !rest || !starts || !isNonNegative(rest, knowledge))
    refuse("a range over '" + array.name + "' may leave its row: write a loop for each dimension", where);
}

/// Where the first of two iterators points to, and how far the second is from it in the same array.
std::optional<std::pair<Place, Expr>> Reader::apart(const clang::Expr &first, const clang::Expr &last) {
  const auto from = iterator(&first), to = from ? iterator(&last) : std::nullopt;
  if (!to || !isBeside(*from, *to)) return std::nullopt;
  return std::pair(*from, simplify(to->subscripts.back() - from->subscripts.back()));
}

/// The elements from one place up to another: the first one, and how many.
std::optional<std::pair<Place, Expr>> Reader::elementsBetween(const clang::Expr *first, const clang::Expr *last) {
  auto found = apart(*first, *last);
  if (found) staysInRow(found->first, found->second, rangeOf(last));
  return found;
}

/// How many elements lie between two iterators.
Expr Reader::distance(const clang::Expr &first, const clang::Expr &last, const clang::Expr &call) {
  if (const Expr records = betweenRecords(first, last)) return records;
  const auto found = apart(first, last);
  if (!found) refuse("how far these are from each other is not known", rangeOf(&call));
  return found->second;
}

/// Which of two iterators of one array is further along it; absent: these are no iterators.
Expr Reader::orderOf(clang::BinaryOperatorKind kind, const clang::Expr &left, const clang::Expr &right,
                     const clang::Expr &comparison) {
  if (pointedTo(left.getType()).isNull() || pointedTo(right.getType()).isNull()) return {};
  return compare(kind, distance(right, left, comparison), Expr::integer(0), comparison);
}

/// std::distance(first, last), last - first and comparisons; absent: another call.
Expr Reader::betweenIterators(const clang::CallExpr &call) {
  if (call.getNumArgs() != 2 || pointedTo(call.getArg(0)->getType()).isNull() ||
      pointedTo(call.getArg(1)->getType()).isNull())
    return {};
  if (algorithmOf(call) == "distance") return distance(*call.getArg(0), *call.getArg(1), call);
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (operation == nullptr) return {};
  if (operation->isComparisonOp())
    return orderOf(clang::BinaryOperator::getOverloadedOpcode(operation->getOperator()), *call.getArg(0),
                   *call.getArg(1), call);
  if (operation->getOperator() != clang::OO_Minus) return {};
  return distance(*call.getArg(1), *call.getArg(0), call);
}

/// A loop over the numbers of `count` elements, whose body `read` reads; the number is its argument.
void Reader::eachOf(const Expr &count, const std::string &name, const SourceRange &where,
                    const std::function<void(const Expr &, Body &)> &read, Body &out) {
  const Knowledge outside = knowledge;
  const std::set<std::string> wide = unsignedWide;
  const Expr symbol = Expr::symbol(unique(name), Type::Int64);
  Loop result{symbol->name, symbol->name, Expr::integer(0), count, 1, {}, where};
  const Expr number = polymend::reads(count) ? measure(result, symbol) : symbol;
  knowledge.loops.push_back({symbol->name, symbol.type(), Expr::integer(0), simplify(result.limit - Expr::integer(1))});
  read(number, result.body);
  forget(outside, wide);
  if (!result.body.empty()) out.emplace_back(std::make_shared<const Loop>(std::move(result)));
}

/// As `eachOf`, for a loop whose statements are inside.
void Reader::eachTurn(const Expr &count, const std::string &name, const clang::Stmt *inside, const clang::Stmt &loop,
                      const std::function<void(const Expr &, Body &)> &read, Body &out) {
  Inductions moved;
  const auto turn = [&](const Expr &number, Body &body) {
    moved = inTurns(number, {inside}, loop, [&](Body &into) { read(number, into); }, body);
  };
  eachOf(count, name, rangeOf(&loop), turn, out);
  leave(moved, count, loop);
}

/// `for (auto i : std::views::iota(first, last))`; false: another range.
bool Reader::countsOver(const clang::CXXForRangeStmt &loop, Body &out) {
  const clang::Expr *range = loop.getRangeInit();
  if (!isCountingView(range->getType())) return false;
  const clang::Expr *made = bare(range);
  std::vector<const clang::Expr *> given;
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(made))
    given.assign(call->arg_begin() + 1, call->arg_end());
  else if (const auto *built = llvm::dyn_cast<clang::CXXConstructExpr>(made))
    given.assign(built->arg_begin(), built->arg_end());
  const clang::VarDecl &variable = *loop.getLoopVariable();
  const auto isInteger = [](const clang::Expr *e) { return e->getType().getNonReferenceType()->isIntegerType(); };
  if (given.size() != 2 || !std::all_of(given.begin(), given.end(), isInteger) ||
      !variable.getType()->isIntegerType() || changed.contains(&variable))
    refuse("a range-based for loop over this is not supported: loop over subscripts", rangeOf(&loop));
  sink = nullptr;
  const Expr first = simplify(value(given[0])), last = simplify(value(given[1]));
  checkBound(first, rangeOf(given[0]));
  checkBound(last, rangeOf(given[1]));
  const auto read = [&](const Expr &number, Body &body) {
    bindings[&variable] = simplify(first + number);
    loopBody(*loop.getBody(), body);
  };
  eachTurn(simplify(last - first), variable.getNameAsString(), loop.getBody(), loop, read, out);
  bindings.erase(&variable);
  return true;
}

/// `for (auto p = first; p != last; ++p)`; false: a loop of another kind.
bool Reader::walks(const clang::ForStmt &loop, Body &out) {
  const auto *declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  const bool one = declarations != nullptr && declarations->isSingleDecl();
  const auto *variable = one ? llvm::dyn_cast<clang::VarDecl>(declarations->getSingleDecl()) : nullptr;
  if (variable == nullptr || !variable->hasInit()) return false;
  if (!variable->getType()->isPointerType() && !variable->getType()->isRecordType()) return false;
  if (pointsToRecords(variable->getType())) return false; // it is followed
  const clang::Expr *last = limitIn(loop.getCond(), *variable);
  if (last == nullptr || !advances(loop.getInc(), *variable) || mentions(last, *variable)) return false;
  if (const auto inside = changedIn(loop.getBody()); inside.contains(variable)) {
    if (variable->getType()->isPointerType()) return false; // it may be followed
    refuse("'" + variable->getNameAsString() + "' is moved in the loop", rangeOf(inside.at(variable)));
  }
  sink = nullptr;
  const auto elements = elementsBetween(variable->getInit(), last);
  if (!elements) return false;
  const Place first = elements->first;
  const Expr count = elements->second;
  checkBound(count, rangeOf(loop.getCond()));
  walking.insert(variable);
  const auto read = [&](const Expr &number, Body &body) {
    Place place = first;
    place.subscripts.back() = simplify(place.subscripts.back() + number);
    bindings[variable] = place;
    loopBody(*loop.getBody(), body);
  };
  eachTurn(count, "at_" + variable->getNameAsString(), loop.getBody(), loop, read, out);
  walking.erase(variable);
  bindings.erase(variable);
  return true;
}

} // namespace polymend
