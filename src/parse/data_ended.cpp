// Loops that count, and that data may end before: by a `break` under a condition on data, or by a condition beside the
// count, `i < n && x[i] > 0`. Such a loop turns as often as it counts; from where data end it, its turns do nothing:
//
//   for (i = 0; i < n; ++i) { A; if (c) { B; break; } C; }
//
// is `on = 1; for (i = 0; i < n; ++i) if (on) { A; if (c) { B; on = 0; } else { C } }`. Nothing is read, written or
// computed that the source would not have, and a variable that the loop moves is, behind it, where the turns that came
// to their end have left it. Where many turns may be left over, the result must end it as the source does.
//
// A loop that nothing but data end, `while (x * x > a)`, is one of more turns than any run makes.
#include "closed.h"
#include "containers.h"
#include "outlined.h"
#include "ranges.h"
#include "reader.h"
#include "turns.h"
#include "types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace polymend {

namespace {

constexpr std::int64_t mostTurns = 1024;
constexpr std::string_view shortOf = "data end the loop before it has read all elements of '";
constexpr std::string_view aloneSay = "data alone say how many elements of '";

/// Is it read but for how many elements an array has?
bool isShort(const Refusal &why) { return why.reason.starts_with(shortOf) || why.reason.starts_with(aloneSay); }

/// Does a statement stand in the way that loops which turn on without effect are read with?
bool leavesOrder(const Refusal &why) {
  return std::ranges::any_of(std::array{"a return before", "a while loop", "a do loop", "a break statement"},
                             [&](const char *one) { return why.reason.starts_with(one); });
}

void conjuncts(const clang::Expr *condition, std::vector<const clang::Expr *> &all) {
  const auto *both =
      llvm::dyn_cast_or_null<clang::BinaryOperator>(condition != nullptr ? condition->IgnoreParenImpCasts() : nullptr);
  if (both != nullptr && both->getOpcode() == clang::BO_LAnd) {
    conjuncts(both->getLHS(), all);
    conjuncts(both->getRHS(), all);
  } else if (condition != nullptr) {
    all.push_back(condition);
  }
}

/// A loop by what is said of it where it stands.
struct Parts {
  const clang::Stmt *start = nullptr, *body = nullptr;
  const clang::Expr *condition = nullptr, *step = nullptr;
  clang::SourceLocation keyword;
};

Parts partsOf(const clang::Stmt &s) {
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(&s))
    return {loop->getInit(), loop->getBody(), loop->getConditionVariable() == nullptr ? loop->getCond() : nullptr,
            loop->getInc(), loop->getForLoc()};
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(&s))
    return {nullptr, loop->getBody(), loop->getConditionVariable() == nullptr ? loop->getCond() : nullptr, nullptr,
            loop->getWhileLoc()};
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(&s))
    return {nullptr, loop->getBody(), loop->getCond(), nullptr, loop->getDoLoc()};
  if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&s))
    return {nullptr, loop->getBody(), nullptr, nullptr, loop->getForLoc()};
  return {};
}

/// Do data alone say how many turns it makes?
bool isUncounted(const Expr &turns) { return turns.op() == Op::Integer && turns->integer >= endlessTurns; }

/// Does a `break` of the loop around stand under the statement?
bool breaks(const clang::Stmt *s) {
  if (s == nullptr || isLoopStatement(s) || llvm::isa<clang::SwitchStmt, clang::Expr>(s)) return false;
  const auto children = s->children();
  return llvm::isa<clang::BreakStmt>(s) || std::any_of(children.begin(), children.end(), breaks);
}

/// The variables that a statement names.
void namedIn(const clang::Stmt *s, std::vector<const clang::VarDecl *> &all) {
  if (s == nullptr) return;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) all.push_back(variable);
  for (const clang::Stmt *child : s->children()) namedIn(child, all);
}

/// Does the expression say one of the names?
bool saysAny(const Expr &e, const std::set<std::string> &names) {
  const std::set<std::string> said = symbols(e);
  return std::any_of(said.begin(), said.end(), [&](const std::string &name) { return names.contains(name); });
}

/// An array, and which of its subscripts.
using Dimension = std::pair<std::string, std::size_t>;

/// The subscripts of elements that a body reads or writes which the variables move, with a place each.
void movedOver(const Body &body, const std::set<std::string> &moving, std::map<Dimension, SourceRange> &arrays) {
  const auto within = [&](const Expr &value, const SourceRange &where) {
    visit(value, [&](const Expr &node) {
      for (std::size_t k = 0; node.op() == Op::Read && k < node->args.size(); ++k)
        if (saysAny(node->args[k], moving)) arrays.insert({{node->name, k}, where});
    });
  };
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      std::set<std::string> inner = moving;
      if (saysAny((*loop)->first, moving) || saysAny((*loop)->limit, moving)) inner.insert((*loop)->variable);
      movedOver((*loop)->body, inner, arrays);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      movedOver((*branch)->then, moving, arrays);
      movedOver((*branch)->otherwise, moving, arrays);
    } else {
      const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
      within(assign.value, assign.where);
      within(Expr::read(assign.target, assign.subscripts, Type::Int32), assign.where);
    }
  }
}

} // namespace

const clang::Stmt *loopBodyOf(const clang::Stmt &loop) { return partsOf(loop).body; }

Result<Function> readEitherWay(const ReadFor &what, const std::function<Function(const ReadFor &)> &read) {
  NeedsMemory needs;
  const auto isWhole = [&](const Result<Function> &result) {
    return result && (!what.isDevice || result->outlined.empty());
  };
  const auto attempt = [&](bool turnsOn) -> Result<Function> {
    try {
      return read({what.file, what.isDevice, turnsOn, turnsOn ? &needs : nullptr});
    } catch (Refusal &refusal) {
      return std::move(refusal);
    }
  };
  Result<Function> first = attempt(false);
  if (isWhole(first)) return first;
  constexpr std::size_t mostNeeds = 8;
  for (std::size_t before = 0;;) {
    Result<Function> second = attempt(true);
    if (isWhole(second)) return second;
    if (needs.size() == before || needs.size() > mostNeeds)
      return first || !(isShort(second.refusal()) || leavesOrder(first.refusal())) ? std::move(first)
                                                                                   : std::move(second);
    before = needs.size();
  }
}

/// Does a conjunct compare a variable that the loop counts with what the loop leaves as it is?
bool Reader::isCount(const clang::Expr &condition, const clang::Stmt &loop) const {
  const auto *comparison = llvm::dyn_cast<clang::BinaryOperator>(condition.IgnoreParenImpCasts());
  if (comparison == nullptr || !comparison->isComparisonOp() || readsMemory(comparison) ||
      !comparison->getLHS()->getType()->isIntegerType() || !comparison->getRHS()->getType()->isIntegerType())
    return false;
  const auto *counting = llvm::dyn_cast<clang::ForStmt>(&loop);
  const clang::VarDecl *head = counting != nullptr ? headVariable(*counting, context) : nullptr;
  const auto changes = changedIn(&loop);
  std::vector<const clang::VarDecl *> named;
  namedIn(comparison, named);
  const auto isMoved = [&](const clang::VarDecl *one) { return one == head || followed.contains(one); };
  return std::any_of(named.begin(), named.end(), isMoved) &&
         std::all_of(named.begin(), named.end(),
                     [&](const clang::VarDecl *one) { return isMoved(one) || !changes.contains(one); });
}

/// The loop, or the loop of the body, that is being read as one that data end; null: it is none.
EndingLoop *Reader::endOf(const clang::Stmt &loopOrBody) {
  const auto found = std::find_if(dataEnds.rbegin(), dataEnds.rend(), [&](const EndingLoop &one) {
    return one.loop == &loopOrBody || one.body == &loopOrBody;
  });
  return found != dataEnds.rend() ? &*found : nullptr;
}

/// A turn of a loop, which does nothing where data have ended it.
void Reader::turnUntilData(const clang::Stmt &body, Body &out) {
  if (endOf(body) == nullptr) return turn({&body}, Until::Turn, out);
  for (auto &[variable, left] : endOf(body)->partly) left.second = numberOf(*variable);
  const EndingLoop ending = *endOf(body);
  const SourceRange where = rangeOf(ending.loop);
  const Expr none = Expr::integer(0, Type::Int32);
  const auto isOn = [&] { return Expr::make(Op::Ne, Type::Bool, {Expr::read(ending.goesOn, {}, Type::Int32), none}); };
  const auto whole = [&](Body &into) {
    turn({&body}, Until::Leave, into);
    if (ending.step != nullptr && (breaks(&body) || returnsWithin(&body)))
      choice(isOn(), [&](Body &on) { statement(ending.step, on); }, [](Body &) {}, where, where, into);
    else if (ending.step != nullptr)
      statement(ending.step, into);
    if (ending.turned.empty()) return;
    const Expr before = Expr::read(ending.turned, {}, Type::Int64);
    const Expr next = Expr::make(Op::Add, Type::Int64, {before, Expr::integer(1)});
    const Expr after = Expr::make(Op::Select, Type::Int64, {isOn(), next, before}, where);
    into.emplace_back(std::make_shared<const Assign>(Assign{ending.turned, {}, after, where}));
  };
  const std::size_t firstLocal = function.arrays.size();
  const bool outer = std::exchange(hasLeft, false);
  const Body then = under(isOn(), [&](Body &into) {
    if (ending.asksLast) whole(into);
    asked(ending, ending.asksLast ? ReadInto([](Body &) {}) : ReadInto(whole), into);
  });
  hasLeft = outer;
  guard(isOn(), then, {}, firstLocal, where, out);
}

/// What data are asked for, and what is done where they let the loop go on.
void Reader::asked(const EndingLoop &ending, const ReadInto &goesOn, Body &out) {
  if (ending.asked.empty()) return goesOn(out);
  sink = &out;
  Expr condition;
  for (const clang::Expr *one : ending.asked) {
    const Expr next = simplify(value(one));
    condition = condition ? Expr::make(Op::And, {condition, next}) : next;
    sink = nullptr; // the others are asked where the first ones hold
  }
  const SourceRange tested = rangeOf(ending.asked.front());
  choice(condition, goesOn, [&](Body &body) { goesNoFurther(tested, body); }, tested, tested, out);
}

/// The loop that is being read ends here.
void Reader::goesNoFurther(const SourceRange &where, Body &out) {
  for (const auto &[variable, left] : dataEnds.back().partly) {
    const Expr by = simplify(Expr::cast(Type::Int64, numberOf(*variable)) - Expr::cast(Type::Int64, left.second));
    if (by.op() == Op::Integer && by->integer == 0) continue;
    out.emplace_back(std::make_shared<const Assign>(Assign{left.first, {}, by, where}));
  }
  out.emplace_back(
      std::make_shared<const Assign>(Assign{dataEnds.back().goesOn, {}, Expr::integer(0, Type::Int32), where}));
  hasLeft = true;
}

/// Notes a loop that may turn often for nothing. Refuses one whose elements a device would copy, or that are asked
/// whether they share memory with others, though nobody says that there are so many.
void Reader::mayRunOn(const Loop &loop, const std::string &flag) {
  const Expr turns = simplify(loop.limit - loop.first);
  if (turns.op() != Op::Integer || std::abs(turns->integer) > mostTurns * std::abs(loop.step))
    for (DataEnd &end : function.ends) end.isLong = end.isLong || end.flag == flag;
  if (!isForDevice && !isUncounted(turns)) return;
  std::map<Dimension, SourceRange> arrays;
  movedOver(loop.body, {loop.variable}, arrays);
  for (const auto &[dimension, where] : arrays) {
    const std::string &name = dimension.first;
    const Array &array = arrayNamed(name);
    if (array.storage != Array::Storage::Parameter || array.extents.at(dimension.second)) continue;
    if (!isForDevice && array.restricted) continue;
    if (!isForDevice) refuse(std::string(aloneSay) + name + "' the loop reads: declare it __restrict", where);
    const Refusal why{std::string(shortOf) + name +
                          "', which may be fewer: take rows of a constant length, p[i][k] of T (*p)[n], or a container",
                      where};
    const auto held = heldBy.find(name);
    if (held == heldBy.end() || containerName(held->second.type) == "unique_ptr") throw Refusal(why);
    partlyRead.insert({name, why});
  }
}

/// Behind the loop its variables are where its turns have left them.
void Reader::leftAt(const EndingLoop &ending, const clang::Stmt &source, Body &out) {
  const SourceRange where = rangeOf(&source);
  for (const Moved &one : ending.moved) {
    if (one.each.op() == Op::Integer && one.each->integer == 0) continue;
    if (!isNamedOutside(*one.variable, source)) continue;
    const std::string name = one.variable->getNameAsString();
    const auto type = elementType(one.variable->getType());
    const Parts parts = partsOf(source);
    const bool stepsToo = parts.condition != nullptr && changedIn(parts.condition).contains(one.variable);
    if (!type || ending.turned.empty() || stepsToo)
      refuse("where '" + name + "' is behind a loop that data end is not known", where);
    const Place place = variableFor(name, localType(one.variable->getType()), where);
    if (one.variable->getType()->isUnsignedIntegerType() && widthOf(one.variable->getType()) >= 64)
      counters.insert(place.array);
    const Expr turned = Expr::read(ending.turned, {}, Type::Int64);
    Expr number = Expr::cast(Type::Int64, one.first) + turned * Expr::cast(Type::Int64, one.each);
    if (const auto left = ending.partly.find(one.variable); left != ending.partly.end())
      number = number + Expr::read(left->second.first, {}, Type::Int64);
    const Array &array = arrayNamed(place.array);
    const Expr value = array.type == Type::Int64 ? number : Expr::cast(array.type, number);
    writtenIntegers.insert({place.array, where});
    out.emplace_back(std::make_shared<const Assign>(Assign{place.array, {}, simplify(value), where}));
    bindings[one.variable] = place;
    followed.erase(one.variable);
  }
}

/// Gives variables a value before the loop that it alone gives one: what a turn that does nothing leaves as it is must
/// not come from elsewhere.
void Reader::startValues(const clang::Stmt &source, Body &out) {
  for (const auto &[declared, place] : changedIn(&source)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
    const auto found = bindings.find(declared);
    const Place *scalar = found != bindings.end() ? std::get_if<Place>(&found->second) : nullptr;
    if (variable == nullptr || scalar == nullptr || variable->hasInit() || !variable->getType()->isArithmeticType() ||
        !variable->hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(variable) ||
        isNamedBefore(*variable, source, context.getSourceManager()) ||
        comesBackTo(homeOf(*variable), *variable, &source))
      continue;
    const Type type = arrayNamed(scalar->array).type;
    const Expr none = isFloating(type) ? Expr::real(0, type) : Expr::integer(0, type);
    out.emplace_back(std::make_shared<const Assign>(Assign{scalar->array, {}, none, rangeOf(&source)}));
  }
}

/// The turns of a loop that nothing but data end.
void Reader::turnsUncounted(const clang::Stmt &loop, Body &out) {
  const Parts parts = partsOf(loop);
  if (parts.start != nullptr) statement(parts.start, out);
  const auto read = [&](const Expr &, Body &body) { turnUntilData(*parts.body, body); };
  eachTurn(Expr::integer(endlessTurns), "turn", &loop, loop, read, out);
}

/// Reads a loop as one that data end.
void Reader::readEnding(const clang::Stmt &loop, EndingLoop ending, const clang::Stmt &source, Body &out) {
  const SourceRange where = rangeOf(&source);
  const auto number = [&](const std::string &name, const std::string &told, Type type, std::int64_t first) {
    const Place place = variableFor(name, type, where);
    function.arrays.back().told = told;
    out.emplace_back(std::make_shared<const Assign>(Assign{place.array, {}, Expr::integer(first, type), where}));
    return place.array;
  };
  ending.loop = &loop;
  ending.body = partsOf(loop).body;
  ending.goesOn = number("goes_on", "what ends the loop", Type::Int32, 1);
  function.ends.push_back({ending.goesOn, where});
  const auto *counting = llvm::dyn_cast<clang::ForStmt>(&loop);
  const clang::VarDecl *head = counting != nullptr ? headVariable(*counting, context) : nullptr;
  for (const auto &[declared, place] : changedIn(&source)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
    const bool isMoved = variable != nullptr && (variable == head || followed.contains(variable));
    if (!isMoved || !isNamedOutside(*variable, source)) continue;
    if (ending.turned.empty()) ending.turned = number("turned", "the number of turns", Type::Int64, 0);
    if (breaks(ending.body) && changedIn(ending.body).contains(variable))
      ending.partly[variable] = {number(variable->getNameAsString() + "_part",
                                        "how far '" + variable->getNameAsString() + "' got", Type::Int64, 0),
                                 {}};
  }
  startValues(source, out);
  const std::size_t from = out.size();
  dataEnds.push_back(std::move(ending));
  if (dataEnds.back().isUncounted)
    turnsUncounted(loop, out);
  else
    plainStatement(&loop, out);
  const EndingLoop read = dataEnds.back();
  dataEnds.pop_back();
  for (std::size_t k = from; k < out.size(); ++k)
    if (const auto *counted = std::get_if<std::shared_ptr<const Loop>>(&out[k])) mayRunOn(**counted, read.goesOn);
  leftAt(read, source, out);
}

/// A loop that data end; false: it is none.
bool Reader::endsByData(const clang::Stmt &s, Body &out) {
  if (!turnsOn) return false;
  const auto made = countedFrom.find(&s);
  const clang::Stmt &source = made != countedFrom.end() ? *made->second.loop : s;
  const Parts parts = partsOf(s);
  if (parts.body == nullptr) return false;
  const bool isBroken = breaks(parts.body) || (leaving && leaving->body == parts.body && returnsWithin(parts.body));
  EndingLoop ending;
  if (llvm::isa<clang::CXXForRangeStmt>(s)) {
    if (isBroken) readEnding(s, ending, source, out);
    return isBroken;
  }
  const auto *head = llvm::dyn_cast<clang::ForStmt>(&s);
  ending.asksLast = llvm::isa<clang::DoStmt>(s) || (head != nullptr && turnsOnce.contains(head));
  std::vector<const clang::Expr *> said, all;
  conjuncts(parts.condition, said);
  std::partition_copy(said.begin(), said.end(), std::back_inserter(all), std::back_inserter(ending.asked),
                      [&](const auto *one) { return isCount(*one, s); });
  if (ending.asksLast && parts.step != nullptr && !ending.asked.empty()) { // data are asked behind the step
    ending.asked = said;
    all.clear();
  }
  if ((ending.asked.empty() && !isBroken) || (ending.asksLast && mayEnd(parts.body, Until::Turn))) return false;
  if (all.empty()) {
    if (head != nullptr && head->getConditionVariable() != nullptr) return false;
    ending.isUncounted = true;
    ending.step = parts.step;
    readEnding(s, ending, source, out);
    return true;
  }
  auto *count = const_cast<clang::Expr *>(all.front());
  for (std::size_t k = 1; k < all.size(); ++k)
    count = clang::BinaryOperator::Create(context, count, const_cast<clang::Expr *>(all[k]), clang::BO_LAnd,
                                          context.BoolTy, clang::VK_PRValue, clang::OK_Ordinary, all[k]->getBeginLoc(),
                                          clang::FPOptionsOverride());
  auto *loop = new (context) clang::ForStmt(
      context, const_cast<clang::Stmt *>(parts.start), count, nullptr, const_cast<clang::Expr *>(parts.step),
      const_cast<clang::Stmt *>(parts.body), parts.keyword, parts.keyword, count->getEndLoc());
  if (ending.asksLast) turnsOnce.insert(loop);
  readEnding(*loop, ending, source, out);
  return true;
}

/// As endsByData; why it is not read so, after which nothing is left of the attempt: `other` where it is no such loop.
std::optional<Refusal> Reader::endedByData(const clang::Stmt &s, const Refusal &other, Body &out) {
  bool isRead = false;
  const auto why = refusedBy([&] { isRead = endsByData(s, out); }, &out);
  return !why && !isRead ? other : why;
}

} // namespace polymend
