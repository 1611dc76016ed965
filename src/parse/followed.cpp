// Variables that change on the way to a subscript. `int k = i + r; if (k < 0) k = 0; if (k >= n) k = n - 1;` leads to
// max(0, min(...)), `*p++ = 0` to a place and to the next one: such an integer or pointer stands for an expression that
// each change replaces, and a choice between two ways chooses between what they left. A change is a statement of its
// own within the loops that the declaration is in, or a step: a loop around it moves the variable (inductions.cpp).
// Another integer is an array of one element.
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

const clang::Expr *bare(const clang::Expr *e) {
  const clang::Expr *inner = e->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(inner)) return bare(full->getSubExpr());
  return inner;
}

bool names(const clang::Expr *e, const clang::ValueDecl &variable) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParens());
  return reference != nullptr && reference->getDecl() == &variable;
}

/// Is it ++v, v++, --v or v--?
bool isStep(const clang::Stmt *s, const clang::ValueDecl &variable) {
  if (const auto step = iteratorStep(s)) return names(step->target, variable);
  const auto *step = llvm::dyn_cast<clang::UnaryOperator>(s);
  return step != nullptr && step->isIncrementDecrementOp() && names(step->getSubExpr(), variable);
}

/// Does the expression step the variable whichever way it goes?
bool alwaysSteps(const clang::Stmt *s, const clang::ValueDecl &variable) {
  if (s == nullptr || llvm::isa<clang::AbstractConditionalOperator, clang::LambdaExpr, clang::StmtExpr,
                                clang::UnaryExprOrTypeTraitExpr>(s))
    return false;
  if (isStep(s, variable)) return true;
  if (const auto *both = llvm::dyn_cast<clang::BinaryOperator>(s); both != nullptr && both->isLogicalOp())
    return alwaysSteps(both->getLHS(), variable);
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return alwaysSteps(child, variable); });
}

/// Walks a function's body beside the loops around each place.
class Changes {
public:
  explicit Changes(const clang::VarDecl &v) : variable(v) {
    if (llvm::isa<clang::ParmVarDecl>(v)) declared = 0;
  }
  /// Can each change below be followed?
  bool arePlain(const clang::Stmt *s) { return arePlain(s, 0, false) && !(isSetDeep && elsewhere); }

  bool elsewhere = false; // than in heads of loops that it counts
  bool areDeep = false;   // one is a step in a loop that the declaration is not in

private:
  bool arePlain(const clang::Stmt *s, int loops, bool isConditional);
  bool isPlain(const clang::Expr *statement, int loops, bool isConditional);
  bool headIsPlain(const clang::ForStmt &loop, int loops, bool isConditional);
  bool mayStand(int loops, bool isConditional, bool isStep);
  bool none(const clang::Stmt *s) const { return s == nullptr || !changedIn(s).contains(&variable); }

  const clang::VarDecl &variable;
  int declared = -1;      // in so many loops
  bool isSetDeep = false; // by the head of a loop within others that the declaration is not in
};

bool Changes::mayStand(int loops, bool isConditional, bool isStep) {
  elsewhere = true;
  if (loops == declared) return true;
  areDeep = true;
  return isStep && !isConditional && declared >= 0;
}

bool Changes::isPlain(const clang::Expr *statement, int loops, bool isConditional) {
  const clang::Expr *e = bare(statement);
  if (none(e)) return true;
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (operation != nullptr && operation->getOpcode() == clang::BO_Comma)
    return isPlain(operation->getLHS(), loops, isConditional) && isPlain(operation->getRHS(), loops, isConditional);
  if (operation != nullptr && operation->isAssignmentOp() && names(operation->getLHS(), variable)) {
    const clang::BinaryOperatorKind kind = operation->getOpcode();
    const bool steps = kind == clang::BO_AddAssign || kind == clang::BO_SubAssign;
    const bool isKnown = steps || kind == clang::BO_Assign || kind == clang::BO_MulAssign ||
                         kind == clang::BO_AndAssign || kind == clang::BO_OrAssign || kind == clang::BO_XorAssign ||
                         kind == clang::BO_ShlAssign || kind == clang::BO_ShrAssign;
    const clang::QualType given = operation->getRHS()->getType();
    const bool fits = given->isIntegralOrEnumerationType() || (given->isPointerType() && kind == clang::BO_Assign);
    return isKnown && fits && none(operation->getRHS()) &&
           mayStand(loops, isConditional, steps && !readsMemory(operation->getRHS()));
  }
  if (const auto *moved = iteratorMove(e); moved != nullptr && names(moved->getArg(0), variable))
    return none(moved->getArg(1)) && mayStand(loops, isConditional, !readsMemory(moved->getArg(1)));
  return namings(e, variable) == 1 && alwaysSteps(e, variable) && mayStand(loops, isConditional, true);
}

bool Changes::headIsPlain(const clang::ForStmt &loop, int loops, bool isConditional) {
  if (headVariable(loop, variable.getASTContext()) == &variable) {
    if (llvm::isa<clang::DeclStmt>(loop.getInit())) declared = loops;
    isSetDeep = isSetDeep || loops != declared;
    return true;
  }
  return arePlain(loop.getInit(), loops, isConditional) && arePlain(loop.getCond(), loops + 1, isConditional) &&
         arePlain(loop.getInc(), loops + 1, isConditional);
}

bool Changes::arePlain(const clang::Stmt *s, int loops, bool isConditional) {
  if (s == nullptr) return true;
  if (const auto *e = llvm::dyn_cast<clang::Expr>(s)) return isPlain(e, loops, isConditional);
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s)) {
    return std::all_of(declarations->decl_begin(), declarations->decl_end(), [&](const clang::Decl *one) {
      const auto *local = llvm::dyn_cast<clang::VarDecl>(one);
      if (local == nullptr) return none(s);
      if (local == &variable) declared = loops;
      if (local != &variable && local->hasInit()) return isPlain(local->getInit(), loops, isConditional);
      return none(local->getInit());
    });
  }
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(s)) {
    const bool within = isConditional || loops > declared;
    return none(choice->getInit()) && none(choice->getCond()) && arePlain(choice->getThen(), loops, within) &&
           arePlain(choice->getElse(), loops, within);
  }
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s))
    return headIsPlain(*loop, loops, isConditional) && arePlain(loop->getBody(), loops + 1, isConditional);
  if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(s))
    return none(loop->getRangeInit()) && arePlain(loop->getBody(), loops + 1, isConditional);
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(s))
    return arePlain(loop->getCond(), loops + 1, isConditional) && arePlain(loop->getBody(), loops + 1, isConditional);
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(s))
    return arePlain(loop->getCond(), loops + 1, isConditional) && arePlain(loop->getBody(), loops + 1, isConditional);
  if (!llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(s)) return none(s);
  const auto children = s->children();
  return std::all_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return arePlain(child, loops, isConditional); });
}

/// Is it one of the types whose variables can stand for an expression?
bool isFollowable(clang::QualType type) {
  if (type->isPointerType()) return elementType(type->getPointeeType()).has_value() || pointsToRecords(type);
  if (isIteratorClass(type)) return elementType(pointedTo(type)).has_value() || pointedTo(type)->isRecordType();
  return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType() && elementType(type).has_value();
}

/// The changes of a variable of such a type, where all of them can be followed.
std::optional<Changes> plainChanges(const clang::VarDecl &variable,
                                    const std::map<const clang::ValueDecl *, clang::SourceRange> &changed) {
  const clang::Stmt *body = homeOf(variable);
  if (body == nullptr || !changed.contains(&variable) || variable.isStaticLocal()) return std::nullopt;
  if (!isFollowable(variable.getType())) return std::nullopt;
  Changes changes(variable);
  return changes.arePlain(body) ? std::optional(changes) : std::nullopt;
}

constexpr int farthest = 4; // variables on the way from one to a subscript

/// Where the variables of a body lead to.
struct Ways {
  const clang::Stmt *body;
  bool returns; // a result is where one may lead to

  /// Is the variable in a subscript, in a bound, in what is returned, or in what another such variable is made of?
  [[nodiscard]] bool isIndex(const clang::ValueDecl &variable, int way = 0) const {
    return way < farthest && leadsTo(body, variable, way);
  }
  [[nodiscard]] bool leadsTo(const clang::Stmt *s, const clang::ValueDecl &variable, int way) const;
};

bool Ways::leadsTo(const clang::Stmt *s, const clang::ValueDecl &variable, int way) const {
  if (s == nullptr) return false;
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(s);
      element && mentions(element->getIdx(), variable))
    return true;
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s);
      call != nullptr && (call->getOperator() == clang::OO_Subscript || call->getOperator() == clang::OO_Call))
    for (unsigned k = 1; k < call->getNumArgs(); ++k)
      if (mentions(call->getArg(k), variable)) return true;
  if (const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(s);
      sum != nullptr && sum->getType()->isPointerType() && mentions(sum, variable))
    return true;
  if (const auto *returned = llvm::dyn_cast<clang::ReturnStmt>(s))
    if (returns && returned->getRetValue() != nullptr && returned->getRetValue()->getType()->isIntegerType() &&
        mentions(returned->getRetValue(), variable))
      return true;
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s);
      loop != nullptr && (mentions(loop->getInit(), variable) || mentions(loop->getCond(), variable)))
    return true;
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(s); loop != nullptr && mentions(loop->getCond(), variable))
    return true;
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(s); loop != nullptr && mentions(loop->getCond(), variable))
    return true;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl *declared : declarations->decls()) {
      const auto *other = llvm::dyn_cast<clang::VarDecl>(declared);
      const bool isMade = other != nullptr && other != &variable && other->getType()->isIntegerType() &&
                          mentions(other->getInit(), variable);
      if (isMade && isIndex(*other, way + 1)) return true;
    }
  if (const auto *set = llvm::dyn_cast<clang::BinaryOperator>(s); set != nullptr && set->isAssignmentOp()) {
    const auto *target = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
    const bool isMade = target != nullptr && target->getDecl() != &variable && target->getType()->isIntegerType() &&
                        mentions(set->getRHS(), variable);
    if (isMade && isIndex(*target->getDecl(), way + 1)) return true;
  }
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return leadsTo(child, variable, way); });
}

} // namespace

bool readsMemory(const clang::Stmt *s) {
  if (s == nullptr) return false;
  const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(s);
  if (llvm::isa<clang::ArraySubscriptExpr, clang::CallExpr>(s) ||
      (operation != nullptr && operation->getOpcode() == clang::UO_Deref))
    return true;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(), readsMemory);
}

/// Can the variable's changes be followed, or counted by the loops that it is the variable of?
bool Reader::movesPlainly(const clang::VarDecl &variable) const { return plainChanges(variable, changed).has_value(); }

/// Does the variable lead to elements, by changes that can be followed?
bool Reader::follows(const clang::VarDecl &variable) const {
  if (needs != nullptr && needs->variables.contains(&variable)) return false;
  if (rotating.contains(&variable)) return false;
  const auto changes = plainChanges(variable, changed);
  if (!changes || !changes->elsewhere) return false;
  return variable.getType()->isPointerType() || isIteratorClass(variable.getType()) ||
         Ways{homeOf(variable), !changes->areDeep}.isIndex(variable);
}

/// The variable stands for the value from here on.
void Reader::follow(const clang::VarDecl &variable, const Binding &value, const SourceRange &where) {
  const auto kept = [&](const Expr &e) {
    if (mayChange(e) && needs != nullptr && variable.getType()->isIntegerType()) needs->variables.insert(&variable);
    if (mayChange(e))
      refuse("'" + variable.getNameAsString() + "' is set to data that may change, and leads to a subscript", where);
    freeze(e, where);
    return simplify(e);
  };
  followed.insert(&variable);
  if (const Expr *number = std::get_if<Expr>(&value)) {
    bindings[&variable] = kept(*number);
    return;
  }
  if (const Object *records = std::get_if<Object>(&value)) {
    Object object = *records;
    object.start = kept(object.start ? object.start : Expr::integer(0));
    bindings[&variable] = std::move(object);
    return;
  }
  Place place = std::get<Place>(value);
  for (Expr &subscript : place.subscripts) subscript = kept(subscript);
  bindings[&variable] = std::move(place);
}

/// What a variable that is followed stands for, of a pointer the last subscript, or the number of the record.
Expr Reader::numberOf(const clang::VarDecl &variable) const {
  const auto found = bindings.find(&variable);
  const Place *place = found != bindings.end() ? std::get_if<Place>(&found->second) : nullptr;
  if (const Object *records = found != bindings.end() ? std::get_if<Object>(&found->second) : nullptr)
    return records->start ? records->start : Expr::integer(0);
  if (found == bindings.end() || (place != nullptr && place->subscripts.empty()))
    refuse("it is not known what '" + variable.getNameAsString() + "' is here", rangeOf(variable.getSourceRange()));
  return place != nullptr ? place->subscripts.back() : std::get<Expr>(found->second);
}

/// What the variable stands for where that number is another.
Reader::Binding Reader::at(const clang::VarDecl &variable, const Expr &number) const {
  const Binding &now = bindings.at(&variable);
  if (std::holds_alternative<Expr>(now)) return number;
  if (const Object *records = std::get_if<Object>(&now)) {
    Object object = *records;
    object.start = number;
    return object;
  }
  Place place = std::get<Place>(now);
  place.subscripts.back() = number;
  return place;
}

/// ++v, v++, --v or v-- of a variable that is followed: what the expression stands for.
Reader::Binding Reader::steps(const clang::UnaryOperator &operation) {
  return steps(*followedIn(operation.getSubExpr()), operation.isIncrementOp(), operation.isPostfix(), operation);
}

/// The same of a step of an iterator.
Reader::Binding Reader::steps(const clang::VarDecl &variable, bool isUp, bool isPostfix, const clang::Expr &operation) {
  const clang::QualType type = variable.getType();
  if (!alreadyStepped.insert(&operation).second)
    refuse("'" + variable.getNameAsString() + "' is stepped where an expression is read twice", rangeOf(&operation));
  const Expr old = numberOf(variable);
  const Binding before = at(variable, old);
  const Op op = isUp ? Op::Add : Op::Sub;
  const Expr sum = simplify(node(op, old.type(), {old, Expr::integer(1, old.type())}, &operation));
  const bool mayWrap = shortType(type) || (type->isUnsignedIntegerType() && !isUp);
  const Binding after = at(variable, mayWrap ? fitting(sum, type, &operation) : sum);
  follow(variable, after, rangeOf(&operation));
  return isPostfix ? before : after;
}

/// What a step of an iterator that is followed stands for; absent: another expression.
std::optional<Reader::Binding> Reader::stepsIterator(const clang::Expr &operation) {
  const auto step = iteratorStep(&operation);
  const clang::VarDecl *variable = step ? followedIn(step->target) : nullptr;
  if (variable == nullptr) return std::nullopt;
  return steps(*variable, step->isUp, step->isPostfix, operation);
}

/// A statement that moves an iterator which is followed; false: another one.
bool Reader::movesIterator(const clang::CallExpr &call) {
  if (stepsIterator(call)) return true;
  const clang::CXXOperatorCallExpr *moved = iteratorMove(&call);
  const clang::VarDecl *variable = moved != nullptr ? followedIn(moved->getArg(0)) : nullptr;
  if (variable == nullptr) return false;
  const Op op = moved->getOperator() == clang::OO_PlusEqual ? Op::Add : Op::Sub;
  const Expr by = subscript(moved->getArg(1));
  follow(*variable, at(*variable, simplify(Expr::make(op, {numberOf(*variable), by}))), rangeOf(&call));
  return true;
}

/// The variable that an expression names, where its changes are followed; null: it names another.
const clang::VarDecl *Reader::followedIn(const clang::Expr *expression) const {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
  const auto *variable = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable != nullptr && followed.contains(variable) ? variable : nullptr;
}

Reader::Bindings Reader::followedValues() const {
  Bindings values;
  for (const clang::VarDecl *variable : followed)
    if (const auto found = bindings.find(variable); found != bindings.end()) values.insert(*found);
  return values;
}

void Reader::putBack(const Bindings &values) {
  for (const auto &[variable, value] : values) bindings[variable] = value;
}

/// What is followed is, behind a choice, what the way that was taken left.
void Reader::merge(const Expr &condition, const Bindings &then, const Bindings &otherwise, const SourceRange &where) {
  for (const auto &[declared, value] : otherwise) {
    const auto other = then.find(declared);
    if (other == then.end()) continue;
    const auto &variable = *llvm::cast<clang::VarDecl>(declared);
    bindings[declared] = other->second;
    const Expr a = numberOf(variable);
    const Place *from = std::get_if<Place>(&other->second), *to = std::get_if<Place>(&value);
    const Object *first = std::get_if<Object>(&other->second), *second = std::get_if<Object>(&value);
    bindings[declared] = value;
    const Expr b = numberOf(variable);
    if ((from != nullptr && (to == nullptr || !isBeside(*from, *to))) ||
        (first != nullptr && (second == nullptr || !areAmongTheSame(*first, *second))))
      refuse("'" + variable.getNameAsString() + "' leads to one array or to another", where);
    if (!equal(a, b)) follow(variable, at(variable, choose(condition, a, b)), where);
  }
}

} // namespace polymend
