// Region selection: walks the declarations of the main file only, so the cost of headers is not paid again.
#include "select.h"
#include "ranges.h"

#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace polymend {

namespace {

using Definitions = std::vector<const clang::FunctionDecl *>;

void collect(const clang::DeclContext &scope, const clang::SourceManager &manager, Definitions &found) {
  for (const clang::Decl *member : scope.decls()) {
    const clang::Decl *declared = member;
    if (!manager.isInMainFile(manager.getExpansionLoc(declared->getBeginLoc()))) continue;
    const auto *pattern = llvm::dyn_cast<clang::RedeclarableTemplateDecl>(declared);
    if (pattern != nullptr) declared = pattern->getTemplatedDecl();
    if (const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(declared);
        instance != nullptr && !instance->isExplicitSpecialization())
      continue; // its members are instances of the template's
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declared)) {
      const bool written = function->isThisDeclarationADefinition() && function->hasBody() && !function->isImplicit();
      if (written) found.push_back(function);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(declared)) {
      collect(*llvm::cast<clang::DeclContext>(declared), manager, found);
    }
  }
}

bool isAnnotated(const clang::FunctionDecl &function) {
  return std::any_of(function.specific_attr_begin<clang::AnnotateAttr>(),
                     function.specific_attr_end<clang::AnnotateAttr>(),
                     [](const clang::AnnotateAttr *attribute) { return attribute->getAnnotation() == "polymend"; });
}

bool touches(const SourceRange &range, const std::vector<Region> &regions) {
  return std::any_of(regions.begin(), regions.end(),
                     [&](const Region &region) { return range.begin < region.end && region.begin < range.end; });
}

/// What holds the address of the instance that entry number `number` names.
std::string holderOf(std::size_t number) { return "polymend_instance_" + std::to_string(number); }

bool namesInstance(const std::string &entry) { return entry.find('<') != std::string::npos; }

/// The instance whose address the variable of that name holds.
const clang::FunctionDecl *heldBy(clang::ASTContext &context, const std::string &holder) {
  for (const clang::Decl *declared : context.getTranslationUnitDecl()->decls()) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (variable == nullptr || variable->getName() != holder || !variable->hasInit()) continue;
    const auto *address = llvm::dyn_cast<clang::UnaryOperator>(variable->getInit()->IgnoreParenImpCasts());
    const auto *named =
        address != nullptr ? llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParens()) : nullptr;
    const auto *instance = named != nullptr ? llvm::dyn_cast<clang::FunctionDecl>(named->getDecl()) : nullptr;
    const clang::FunctionDecl *definition = nullptr;
    return instance != nullptr && instance->hasBody(definition) ? definition : nullptr;
  }
  return nullptr;
}

bool isNamed(const clang::FunctionDecl &function, const std::string &entry) {
  return function.getNameAsString() == entry || function.getQualifiedNameAsString() == entry;
}

} // namespace

Definitions definitions(const clang::ASTContext &context) {
  Definitions all;
  collect(*context.getTranslationUnitDecl(), context.getSourceManager(), all);
  return all;
}

Definitions selectFunctions(clang::ASTContext &context, const std::vector<std::string> &entries,
                            const std::vector<Region> &regions, std::vector<Diagnostic> &errors) {
  const Definitions all = definitions(context);
  Definitions chosen;
  if (!entries.empty()) {
    for (std::size_t number = 0; number < entries.size(); ++number) {
      const std::string &entry = entries[number];
      const std::size_t before = chosen.size();
      if (const clang::FunctionDecl *instance = namesInstance(entry) ? heldBy(context, holderOf(number)) : nullptr) {
        if (std::find(chosen.begin(), chosen.end(), instance) == chosen.end()) chosen.push_back(instance);
        continue;
      }
      for (const clang::FunctionDecl *function : all)
        if (isNamed(*function, entry) && std::find(chosen.begin(), chosen.end(), function) == chosen.end())
          chosen.push_back(function);
      const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const auto *f) { return isNamed(*f, entry); });
      if (chosen.size() == before && !known)
        errors.push_back({Severity::Error, {}, "no function named '" + entry + "' has a body in the file", {}});
    }
    return chosen;
  }
  for (const clang::FunctionDecl *function : all)
    if (isAnnotated(*function) || touches(rangeOf(context, function->getSourceRange(), {}), regions))
      chosen.push_back(function);
  return chosen.empty() && regions.empty() ? all : chosen;
}

std::string instantiations(const std::vector<std::string> &entries) {
  std::string text;
  for (std::size_t number = 0; number < entries.size(); ++number)
    if (namesInstance(entries[number]))
      text += "\n[[maybe_unused]] static auto *const " + holderOf(number) + " = &" + entries[number] + ";";
  return text;
}

Definitions instancesOf(const clang::FunctionDecl &definition) {
  Definitions instances;
  const auto note = [&](const clang::FunctionDecl &instance) {
    if (instance.hasBody() && instance.getTemplateInstantiationPattern() == &definition)
      instances.push_back(instance.getDefinition());
  };
  if (const clang::FunctionTemplateDecl *pattern = definition.getDescribedFunctionTemplate())
    for (const clang::FunctionDecl *instance : pattern->specializations()) note(*instance);
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&definition);
  const clang::ClassTemplateDecl *whole =
      method != nullptr ? method->getParent()->getDescribedClassTemplate() : nullptr;
  if (whole != nullptr)
    for (const clang::ClassTemplateSpecializationDecl *instance : whole->specializations())
      for (const clang::CXXMethodDecl *member : instance->methods()) note(*member);
  return instances.empty() ? Definitions{&definition} : instances;
}

std::vector<std::pair<SourceRange, Type>> findTypeNames(const clang::ASTContext &context, const std::string &mainFile) {
  const clang::SourceManager &manager = context.getSourceManager();
  std::vector<std::pair<SourceRange, Type>> found;
  const clang::FileID file = manager.getMainFileID();
  clang::Lexer lexer(file, manager.getBufferOrFake(file), manager, context.getLangOpts());
  clang::Token token;
  while (!lexer.LexFromRawLexer(token)) {
    if (!token.is(clang::tok::raw_identifier)) continue;
    const llvm::StringRef text = token.getRawIdentifier();
    if (text != "__bf16" && text != "_Float16") continue;
    SourceRange range;
    range.file = mainFile;
    range.begin = manager.getFileOffset(token.getLocation());
    range.end = range.begin + token.getLength();
    range.line = range.endLine = manager.getLineNumber(file, range.begin);
    range.column = manager.getColumnNumber(file, range.begin);
    range.endColumn = range.column + token.getLength();
    found.emplace_back(range, text == "__bf16" ? Type::BFloat16 : Type::Float16);
  }
  return found;
}

} // namespace polymend
