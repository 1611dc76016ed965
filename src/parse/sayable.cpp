#include "sayable.h"

#include "closed.h"

#include <algorithm>
#include <functional>
#include <set>

namespace polymend {

namespace {

/// Names in a function, of which it is asked whether they are known in front of it.
class NamesWithin : public clang::RecursiveASTVisitor<NamesWithin> {
public:
  NamesWithin(const clang::Stmt &statement, const std::vector<const clang::VarDecl *> &used,
              const clang::SourceManager &sourceManager)
      : whole(statement), manager(sourceManager), plain(used.begin(), used.end()) {
    addPlain(statement);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *e) {
    if (isLocal(*e->getDecl()) && !isWithin(*e->getDecl()) && !plain.contains(e->getDecl())) return false;
    if (llvm::isa<clang::UsingShadowDecl>(e->getFoundDecl()) && isLocal(*e->getFoundDecl())) return false;
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(e->getDecl());
    const bool isOfObject = method != nullptr && method->isInstance(); // which says where to look
    return isOfObject || isKnown(*e->getDecl(), e->hasQualifier());
  }
  static bool VisitSubstNonTypeTemplateParmExpr(clang::SubstNonTypeTemplateParmExpr *) { return false; }
  static bool VisitSubstTemplateTypeParmTypeLoc(clang::SubstTemplateTypeParmTypeLoc) { return false; }
  bool VisitElaboratedTypeLoc(clang::ElaboratedTypeLoc loc) {
    const clang::Type *type = loc.getNamedTypeLoc().getTypePtr();
    const clang::NamedDecl *declared = nullptr;
    if (const auto *alias = type->getAs<clang::TypedefType>()) declared = alias->getDecl();
    if (const auto *tag = llvm::dyn_cast<clang::TagType>(type)) declared = tag->getDecl();
    return declared == nullptr || isKnown(*declared, static_cast<bool>(loc.getQualifierLoc()));
  }

private:
  const clang::Stmt &whole;
  const clang::SourceManager &manager;
  std::set<const clang::ValueDecl *> plain; // that go with it, or that expressions name

  void addPlain(const clang::Stmt &s) {
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&s)) plain.insert(reference->getDecl());
    for (const clang::Stmt *child : s.children())
      if (child != nullptr) addPlain(*child);
  }

  static bool isLocal(const clang::Decl &declared) { return declared.getDeclContext()->isFunctionOrMethod(); }

  [[nodiscard]] bool isWithin(const clang::Decl &declared) const {
    const clang::SourceLocation place = declared.getLocation();
    return !manager.isBeforeInTranslationUnit(place, whole.getBeginLoc()) &&
           !manager.isBeforeInTranslationUnit(whole.getEndLoc(), place);
  }

  [[nodiscard]] bool isKnown(const clang::NamedDecl &declared, bool isQualified) const {
    const clang::DeclContext *home = declared.getDeclContext();
    if (const auto *list = llvm::dyn_cast<clang::EnumDecl>(home)) {
      if (isWithin(*list)) return true;
      home = list->getDeclContext();
    }
    const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(home);
    if (record == nullptr || record->isLambda() || isWithin(*record)) return true;
    const clang::SourceLocation begin = record->getBeginLoc(), end = record->getEndLoc();
    const bool isAround = manager.isBeforeInTranslationUnit(begin, whole.getBeginLoc()) &&
                          manager.isBeforeInTranslationUnit(whole.getBeginLoc(), end);
    return isQualified && !isAround && declared.getAccess() != clang::AS_private &&
           declared.getAccess() != clang::AS_protected;
  }
};

/// Names that a function brings into its blocks from elsewhere.
class Brought : public clang::RecursiveASTVisitor<Brought> {
public:
  static bool VisitUsingDirectiveDecl(clang::UsingDirectiveDecl *) { return false; }
  static bool VisitUsingDecl(clang::UsingDecl *) { return false; }
  static bool VisitUsingEnumDecl(clang::UsingEnumDecl *) { return false; }
  static bool VisitNamespaceAliasDecl(clang::NamespaceAliasDecl *) { return false; }
};

/// Does the declaration give a type of numbers another name, which says nothing of the variables around it?
bool namesNumber(const clang::Decl &declaration) {
  const auto *named = llvm::dyn_cast<clang::TypedefNameDecl>(&declaration);
  return named != nullptr && isNumber(named->getUnderlyingType()) &&
         !llvm::isa<clang::DecltypeType>(named->getUnderlyingType());
}

} // namespace

bool meansTheSameOutside(const clang::FunctionDecl &home) {
  if (llvm::isa<clang::CXXMethodDecl>(home) || home.isTemplateInstantiation()) return false;
  const std::function<bool(const clang::Stmt *)> isPlain = [&](const clang::Stmt *s) {
    if (s == nullptr) return true;
    if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl *one : declarations->decls())
        if (!llvm::isa<clang::VarDecl, clang::StaticAssertDecl>(one) && !namesNumber(*one)) return false;
    return std::all_of(s->child_begin(), s->child_end(), isPlain);
  };
  return isPlain(home.getBody());
}

bool meansTheSameOutside(const clang::VarDecl &variable) {
  const auto *home = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  return home != nullptr && meansTheSameOutside(*home);
}

bool definesMacros(const clang::FunctionDecl &function, const clang::SourceManager &manager) {
  const clang::SourceLocation begin = function.getBeginLoc(), end = function.getEndLoc();
  if (!manager.isWrittenInMainFile(begin) || !manager.isWrittenInMainFile(end)) return false;
  const unsigned first = manager.getFileOffset(begin), last = manager.getFileOffset(end);
  llvm::StringRef text = manager.getBufferData(manager.getMainFileID()).slice(first, last);
  for (std::size_t at = text.find('#'); at != llvm::StringRef::npos; at = text.find('#')) {
    text = text.drop_front(at + 1).ltrim(" \t");
    const llvm::StringRef line = text.take_until([](char c) { return c == '\n'; });
    if (line.starts_with("define") || line.starts_with("undef") || line.contains("_macro")) return true;
  }
  return false;
}

bool addTypesNamedAt(const clang::Stmt *s, const clang::Stmt &part, NamedTypes &types) {
  if (s == &part) return true;
  if (s == nullptr) return false;
  NamedTypes own;
  for (const clang::Stmt *child : s->children()) {
    NamedTypes within;
    if (addTypesNamedAt(child, part, within)) {
      for (const auto &[name, type] : own) types[name] = type;
      for (const auto &[name, type] : within) types[name] = type;
      return true;
    }
    if (const auto *declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(child))
      for (const clang::Decl *one : declarations->decls())
        if (const auto *type = llvm::dyn_cast<clang::TypedefNameDecl>(one)) own[type->getNameAsString()] = type;
  }
  return false;
}

bool isSayableBefore(const clang::Stmt &s, const std::vector<const clang::VarDecl *> &used, const clang::Stmt &body,
                     const clang::ASTContext &context) {
  return Brought().TraverseStmt(const_cast<clang::Stmt *>(&body)) &&
         NamesWithin(s, used, context.getSourceManager()).TraverseStmt(const_cast<clang::Stmt *>(&s));
}

} // namespace polymend
