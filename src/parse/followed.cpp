// Integers that change on the way to a subscript. `int k = i + r; if (k < 0) k = 0; if (k >= n) k = n - 1;` leads to
// max(0, min(...)): such a variable stands for an expression that each statement replaces, and a choice between two
// ways chooses between what they left. That holds where each change is a statement of its own within the loops that
// the declaration is in; another variable is an array of one element.
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

/// Walks a function's body beside the loops around each place.
class Changes {
public:
  explicit Changes(const clang::VarDecl &v) : variable(v) {
    if (llvm::isa<clang::ParmVarDecl>(v)) declared = 0;
  }
  /// Is each change below a statement of its own, in the loops that the declaration is in?
  bool arePlain(const clang::Stmt *s, int loops);

private:
  [[nodiscard]] bool isPlain(const clang::Expr *statement, int loops) const;
  bool none(const clang::Stmt *s) const { return s == nullptr || !changedIn(s).contains(&variable); }

  const clang::VarDecl &variable;
  int declared = -1; // in so many loops
};

bool Changes::isPlain(const clang::Expr *statement, int loops) const {
  const clang::Expr *e = bare(statement);
  if (none(e)) return true;
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(e))
    return step->isIncrementDecrementOp() && names(step->getSubExpr(), variable) && loops == declared;
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (operation == nullptr) return false;
  if (operation->getOpcode() == clang::BO_Comma)
    return isPlain(operation->getLHS(), loops) && isPlain(operation->getRHS(), loops);
  const clang::BinaryOperatorKind kind = operation->getOpcode();
  const bool isKnown = kind == clang::BO_Assign || kind == clang::BO_AddAssign || kind == clang::BO_SubAssign ||
                       kind == clang::BO_MulAssign || kind == clang::BO_AndAssign || kind == clang::BO_OrAssign ||
                       kind == clang::BO_XorAssign || kind == clang::BO_ShlAssign || kind == clang::BO_ShrAssign;
  return isKnown && names(operation->getLHS(), variable) && none(operation->getRHS()) && loops == declared &&
         operation->getRHS()->getType()->isIntegralOrEnumerationType();
}

bool Changes::arePlain(const clang::Stmt *s, int loops) {
  if (s == nullptr) return true;
  if (const auto *e = llvm::dyn_cast<clang::Expr>(s)) return isPlain(e, loops);
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s)) {
    const bool isOwn = std::any_of(declarations->decl_begin(), declarations->decl_end(),
                                   [&](const clang::Decl *one) { return one == &variable; });
    if (isOwn) declared = loops;
    return none(s);
  }
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(s))
    return none(choice->getInit()) && none(choice->getCond()) && arePlain(choice->getThen(), loops) &&
           arePlain(choice->getElse(), loops);
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s))
    return none(loop->getInit()) && none(loop->getCond()) && none(loop->getInc()) &&
           arePlain(loop->getBody(), loops + 1);
  if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(s))
    return none(loop->getRangeInit()) && arePlain(loop->getBody(), loops + 1);
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(s))
    return none(loop->getCond()) && arePlain(loop->getBody(), loops + 1);
  if (llvm::isa<clang::DoStmt, clang::SwitchStmt>(s)) return none(s);
  if (!llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(s)) return none(s);
  const auto children = s->children();
  return std::all_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return arePlain(child, loops); });
}

constexpr int farthest = 4; // variables on the way from one to a subscript

bool leadsTo(const clang::Stmt *s, const clang::ValueDecl &variable, const clang::Stmt *body, int way);

/// Is the variable in a subscript, in what a function returns, or in what another such variable is made of?
bool isIndex(const clang::ValueDecl &variable, const clang::Stmt *body, int way = 0) {
  return way < farthest && leadsTo(body, variable, body, way);
}

bool leadsTo(const clang::Stmt *s, const clang::ValueDecl &variable, const clang::Stmt *body, int way) {
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
    return returned->getRetValue() != nullptr && returned->getRetValue()->getType()->isIntegerType() &&
           mentions(returned->getRetValue(), variable);
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(s);
      loop != nullptr && (mentions(loop->getInit(), variable) || mentions(loop->getCond(), variable)))
    return true;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl *declared : declarations->decls()) {
      const auto *other = llvm::dyn_cast<clang::VarDecl>(declared);
      const bool isMade = other != nullptr && other != &variable && other->getType()->isIntegerType() &&
                          mentions(other->getInit(), variable);
      if (isMade && isIndex(*other, body, way + 1)) return true;
    }
  if (const auto *set = llvm::dyn_cast<clang::BinaryOperator>(s); set != nullptr && set->isAssignmentOp()) {
    const auto *target = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
    const bool isMade = target != nullptr && target->getDecl() != &variable && target->getType()->isIntegerType() &&
                        mentions(set->getRHS(), variable);
    if (isMade && isIndex(*target->getDecl(), body, way + 1)) return true;
  }
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return leadsTo(child, variable, body, way); });
}

} // namespace

/// Does the variable lead to subscripts, by changes that are statements of their own?
bool Reader::follows(const clang::VarDecl &variable) const {
  const clang::QualType type = variable.getType();
  const auto *home = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  const clang::Stmt *body = home != nullptr ? home->getBody() : nullptr;
  if (body == nullptr || !changed.contains(&variable) || variable.isStaticLocal()) return false;
  if (!type->isIntegerType() || type->isBooleanType() || type->isEnumeralType() || !elementType(type)) return false;
  return Changes(variable).arePlain(body, 0) && isIndex(variable, body);
}

/// The variable leads to the value from here on.
void Reader::follow(const clang::VarDecl &variable, const Expr &value, const SourceRange &where) {
  if (mayChange(value))
    refuse("'" + variable.getNameAsString() + "' is set to data that may change, and leads to a subscript", where);
  followed.insert(&variable);
  bindings[&variable] = simplify(value);
  freeze(value, where);
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
  for (const auto &[variable, value] : otherwise) {
    const auto other = then.find(variable);
    if (other == then.end()) continue;
    const Expr &a = std::get<Expr>(other->second), &b = std::get<Expr>(value);
    bindings[variable] = value;
    if (!equal(a, b)) follow(*llvm::cast<clang::VarDecl>(variable), choose(condition, a, b), where);
  }
}

} // namespace polymend
