// Which variables a statement may change: assigned, stepped, their address taken, or bound to a reference.
#include "algorithms.h"
#include "optionals.h"
#include "reader.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

using Changes = std::map<const clang::ValueDecl *, clang::SourceRange>;

/// The object that a part belongs to, where members, elements and operators alone lead there; null: none, or through a
/// pointer.
const clang::VarDecl *ownerOf(const clang::Expr *part) {
  const clang::Expr *e = part->IgnoreParenCasts();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return ownerOf(full->getSubExpr());
  if (const auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) return ownerOf(made->getSubExpr());
  if (e->getType()->isPointerType()) return nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    const clang::QualType type = variable != nullptr ? variable->getType().getNonReferenceType() : e->getType();
    return variable != nullptr && type->isRecordType() && pointedTo(type).isNull() ? variable : nullptr;
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e))
    return member->isArrow() || member->getMemberDecl()->getType()->isReferenceType() ? nullptr
                                                                                      : ownerOf(member->getBase());
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) return ownerOf(element->getBase());
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) return ownerOf(call->getImplicitObjectArgument());
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  return call != nullptr && call->getNumArgs() > 0 ? ownerOf(call->getArg(0)) : nullptr;
}

/// Does the function, but for what names an element, change the object that it is called on?
bool changesItself(const clang::FunctionDecl &callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  const clang::OverloadedOperatorKind kind = callee.getOverloadedOperator();
  return method != nullptr && !method->isStatic() && !method->isConst() && kind != clang::OO_Subscript &&
         kind != clang::OO_Call;
}

/// What a lambda's call is of; null: the call is none of a lambda.
const clang::CXXMethodDecl *lambdaOf(const clang::Expr *call) {
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  const auto *method =
      operation != nullptr ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(operation->getDirectCallee()) : nullptr;
  return method != nullptr && method->getParent()->isLambda() ? method : nullptr;
}

/// Is it seen at once what the expression leads to?
bool isPlainPlace(const clang::Expr *e) {
  const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e);
  return llvm::isa<clang::DeclRefExpr, clang::ArraySubscriptExpr, clang::MemberExpr, clang::CXXOperatorCallExpr>(e) ||
         (operation != nullptr && operation->getOpcode() == clang::UO_Deref);
}

void note(const clang::Expr *target, clang::SourceRange where, Changes &changes);

/// What a lambda returns is changed where its call is a target; false: it is not seen what that is.
bool noteReturned(const clang::Stmt *body, clang::SourceRange where, Changes &changes) {
  if (body == nullptr || llvm::isa<clang::LambdaExpr>(body)) return true;
  if (const auto *returned = llvm::dyn_cast<clang::ReturnStmt>(body)) {
    const clang::Expr *value = returned->getRetValue();
    if (value == nullptr || !isPlainPlace(value->IgnoreParenCasts())) return false;
    note(value, where, changes);
    return true;
  }
  const auto children = body->children();
  return std::all_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return noteReturned(child, where, changes); });
}

void note(const clang::Expr *target, clang::SourceRange where, Changes &changes) {
  if (target == nullptr) return;
  const clang::Expr *e = target->IgnoreParenCasts();
  if (const clang::CXXMethodDecl *lambda = lambdaOf(e))
    if (noteReturned(lambda->getBody(), where, changes)) return;
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
    note(choice->getTrueExpr(), where, changes);
    return note(choice->getFalseExpr(), where, changes);
  }
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    changes.insert({reference->getDecl(), where});
    if (const auto *part = llvm::dyn_cast<clang::BindingDecl>(reference->getDecl()))
      note(part->getBinding(), where, changes);
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) changes.insert({member->getMemberDecl(), where});
  if (const clang::VarDecl *owner = ownerOf(e)) changes.insert({owner, where});
}

void noteReferences(const clang::DeclStmt &declarations, Changes &changes) {
  for (const clang::Decl *declared : declarations.decls()) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
    const bool reference = variable != nullptr && variable->getType()->isLValueReferenceType();
    if (reference && !variable->getType()->getPointeeType().isConstQualified())
      note(variable->getInit(), variable->getSourceRange(), changes);
  }
}

/// Is it an argument, the object that a member is called on, or a member of such?
bool isOfArguments(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) e = member->getBase()->IgnoreParenImpCasts();
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e);
  return llvm::isa<clang::CXXThisExpr>(e) ||
         (reference != nullptr && llvm::isa<clang::ParmVarDecl>(reference->getDecl()));
}

/// An assignment of an object of an argument's sets all of its members.
void noteMembers(clang::QualType type, clang::SourceRange where, Changes &changes) {
  for (const clang::FieldDecl *field : fieldsOf(type)) {
    changes.insert({field, where});
    if (field->getType()->isRecordType()) noteMembers(field->getType(), where, changes);
  }
}

/// What a call takes by a reference that is not const, and what it is called on.
void noteArguments(const clang::CallExpr &call, Changes &changes) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee == nullptr || isCountingView(call.getType())) return;
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const clang::Expr *own = member != nullptr       ? member->getImplicitObjectArgument()
                           : call.getNumArgs() > 0 ? call.getArg(0)
                                                   : nullptr;
  const clang::VarDecl *owner = own != nullptr && changesItself(*callee) ? ownerOf(own) : nullptr;
  if (owner != nullptr) changes.insert({owner, call.getSourceRange()});
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const bool assigns = method != nullptr && method->isTrivial() &&
                       (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  if (assigns && own != nullptr && isOfArguments(own)) noteMembers(own->getType(), call.getSourceRange(), changes);
  const auto *moved = own != nullptr ? llvm::dyn_cast<clang::DeclRefExpr>(own->IgnoreParenImpCasts()) : nullptr;
  if (moved != nullptr && changesItself(*callee) && moved->getType()->isRecordType() &&
      !pointedTo(moved->getType()).isNull())
    changes.insert({moved->getDecl(), call.getSourceRange()});
  const bool ofObject = llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
  const unsigned first = ofObject ? 1 : 0;
  for (unsigned i = 0; i < callee->getNumParams() && i + first < call.getNumArgs(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    const bool isTaken = i == 1 && algorithmOf(call) == "exchange"; // by a reference that leaves it as it is
    if (!isTaken && type->isLValueReferenceType() && !type->getPointeeType().isConstQualified())
      note(call.getArg(i + first), call.getSourceRange(), changes);
  }
}

void collect(const clang::Stmt *statement, Changes &changes) {
  if (statement == nullptr) return;
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(statement);
      operation != nullptr && operation->isAssignmentOp())
    note(operation->getLHS(), operation->getSourceRange(), changes);
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(statement);
      operation != nullptr && (operation->isIncrementDecrementOp() || operation->getOpcode() == clang::UO_AddrOf))
    note(operation->getSubExpr(), operation->getSourceRange(), changes);
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement)) noteReferences(*declarations, changes);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement)) noteArguments(*call, changes);
  for (const clang::Stmt *child : statement->children()) collect(child, changes);
}

} // namespace

bool mentions(const clang::Stmt *statement, const clang::ValueDecl &variable) {
  if (statement == nullptr) return false;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) return reference->getDecl() == &variable;
  const auto children = statement->children(); // of a lambda, its body is one
  return std::any_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return mentions(child, variable); });
}

const clang::Stmt *homeOf(const clang::VarDecl &variable) {
  const auto *home = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  return home != nullptr ? home->getBody() : nullptr;
}

int namings(const clang::Stmt *statement, const clang::ValueDecl &variable) {
  if (statement == nullptr) return 0;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    return reference->getDecl() == &variable ? 1 : 0;
  int count = 0;
  for (const clang::Stmt *child : statement->children()) count += namings(child, variable);
  return count;
}

std::map<const clang::ValueDecl *, clang::SourceRange> changedIn(const clang::Stmt *statement) {
  Changes changes;
  collect(statement, changes);
  return changes;
}

} // namespace polymend
