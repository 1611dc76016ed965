// Calls are found by name of what is called directly; a pointer to a function names nobody.
#include "call_sites.h"

#include "ranges.h"

namespace polymend {
namespace {

class CallFinder : public clang::RecursiveASTVisitor<CallFinder> {
public:
  CallFinder(clang::ASTContext &ast, std::string name, const std::string &file)
      : context(ast), caller(std::move(name)), mainFile(file) {}

  std::vector<CallSite> found;

  bool VisitCallExpr(clang::CallExpr *call) { // NOLINT(readability-identifier-naming): Clang calls it by this name
    const clang::FunctionDecl *callee = call->getDirectCallee();
    const clang::FunctionDecl *definition = nullptr;
    if (callee == nullptr || !callee->isDefined(definition)) return true;
    const clang::SourceManager &manager = context.getSourceManager();
    if (!manager.isInMainFile(manager.getExpansionLoc(definition->getBeginLoc()))) return true;
    found.push_back({caller, definition->getNameAsString(), rangeOf(context, call->getSourceRange(), mainFile)});
    return true;
  }

private:
  clang::ASTContext &context;
  std::string caller;
  const std::string &mainFile;
};

} // namespace

std::vector<CallSite> findCalls(clang::ASTContext &context, const clang::FunctionDecl &caller,
                                const std::string &mainFile) {
  CallFinder finder(context, caller.getNameAsString(), mainFile);
  finder.TraverseStmt(caller.getBody());
  return std::move(finder.found);
}

} // namespace polymend
