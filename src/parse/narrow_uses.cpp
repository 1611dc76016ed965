// The language carries 16-bit arithmetic in float within an expression and rounds where it stores. The operators of
// CUDA's and HIP's classes round each operand and each step, or are ambiguous beside a float: floats have to be
// written.
#include "narrow_uses.h"

#include "ranges.h"

#include <clang/Lex/Lexer.h>

namespace polymend {
namespace {

bool isNarrow(clang::QualType type) {
  const auto *builtin = type.getNonReferenceType().getCanonicalType()->getAs<clang::BuiltinType>();
  return builtin != nullptr &&
         (builtin->getKind() == clang::BuiltinType::Float16 || builtin->getKind() == clang::BuiltinType::BFloat16);
}

class NarrowUseFinder : public clang::RecursiveASTVisitor<NarrowUseFinder> {
public:
  NarrowUseFinder(clang::ASTContext &ast, const std::string &file) : context(ast), mainFile(file) {}

  std::vector<SourceEdit> edits;

  /// The value keeps its type where nothing computes with it: `auto h = x[i];`
  bool VisitVarDecl(clang::VarDecl *variable) { // NOLINT(readability-identifier-naming): Clang calls it by this name
    const clang::Expr *start = variable->getInit();
    if (start != nullptr && variable->getType()->getContainedAutoType() != nullptr) plain.insert(start->IgnoreParens());
    return true;
  }

  /// The source says float itself.
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) { // NOLINT(readability-identifier-naming)
    if (!cast->getType()->isSpecificBuiltinType(clang::BuiltinType::Float)) return true;
    const clang::Expr *within = cast->getSubExpr();
    while (const auto *implied = llvm::dyn_cast<clang::ImplicitCastExpr>(within)) {
      plain.insert(implied);
      within = implied->getSubExpr();
    }
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) { // NOLINT(readability-identifier-naming)
    if (cast->getCastKind() != clang::CK_LValueToRValue || !isNarrow(cast->getType()) || plain.contains(cast))
      return true;
    enclose(*cast, "static_cast<float>(", ")");
    return true;
  }

  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator *assign) { // NOLINT(readability-identifier-naming)
    const clang::Expr *target = assign->getLHS();
    const SourceRange place = spelled(target->getSourceRange()), sign = spelled(assign->getOperatorLoc());
    if (!isNarrow(target->getType()) || place.end == 0 || sign.end == 0 ||
        spelled(assign->getRHS()->getSourceRange()).end == 0)
      return true;
    const std::string computed = assign->getComputationLHSType()->isSpecificBuiltinType(clang::BuiltinType::Double)
                                     ? "static_cast<double>"
                                     : "static_cast<float>";
    const std::string step =
        clang::BinaryOperator::getOpcodeStr(clang::BinaryOperator::getOpForCompoundAssignment(assign->getOpcode()))
            .str();
    if (target->HasSideEffects(context)) { // a view's operator, say: it is called once
      enclose(*target,
              "[](auto &target, auto value) -> auto & { return target = " + computed + "(target) " + step +
                  " value; }(",
              "");
      edits.push_back({sign, ","});
      enclose(*assign->getRHS(), "", ")");
      return true;
    }
    edits.push_back({sign, "= " + computed + "(" + textOf(place) + ") " + step});
    enclose(*assign->getRHS(), "(", ")");
    return true;
  }

private:
  clang::ASTContext &context;
  const std::string &mainFile;
  std::set<const clang::Stmt *> plain;

  /// The range in the main file; empty: a macro wrote a part of it, or another file did.
  SourceRange spelled(clang::SourceRange range) const {
    return isSpelledInMainFile(context, range) ? rangeOf(context, range, mainFile) : SourceRange();
  }

  std::string textOf(const SourceRange &range) const {
    const clang::SourceManager &manager = context.getSourceManager();
    return manager.getBufferData(manager.getMainFileID()).substr(range.begin, range.end - range.begin).str();
  }

  void enclose(const clang::Expr &expression, const std::string &before, const std::string &after) {
    SourceRange range = spelled(expression.getSourceRange());
    if (range.end == 0) return;
    SourceRange end = range;
    end.begin = range.end;
    range.end = range.begin;
    edits.push_back({range, before});
    edits.push_back({end, after});
  }
};

} // namespace

std::vector<SourceEdit> findNarrowUses(clang::ASTContext &context, const std::string &mainFile) {
  NarrowUseFinder finder(context, mainFile);
  for (clang::Decl *declared : context.getTranslationUnitDecl()->decls())
    if (context.getSourceManager().isInMainFile(context.getSourceManager().getExpansionLoc(declared->getBeginLoc())))
      finder.TraverseDecl(declared);
  return finder.edits;
}

} // namespace polymend
