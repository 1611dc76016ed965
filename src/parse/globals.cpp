// Containers of a namespace -> parameters. A constant std::array or std::vector beside the function is one more object
// that it takes elements and their number from, behind its arguments.
#include "containers.h"
#include "ranges.h"

#include <algorithm>

namespace polymend {

/// The constant container that a name outside the function means; absent: it means something else.
std::optional<Object> Reader::globalContainer(const clang::DeclRefExpr &reference) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
  if (variable == nullptr || !variable->hasGlobalStorage() || variable->isStaticLocal()) return std::nullopt;
  const clang::QualType type = variable->getType();
  const std::string kind = containerName(type);
  if ((kind != "array" && kind != "vector") || !type.isConstQualified() || type.isVolatileQualified() ||
      variable->getTLSKind() != clang::VarDecl::TLS_None)
    return std::nullopt;
  const clang::DeclContext *home = variable->getDeclContext()->getRedeclContext();
  if (!home->isFileContext() || !home->Encloses(definition.getDeclContext()))
    refuse("global '" + variable->getNameAsString() + "' belongs to another scope", rangeOf(&reference));
  const std::string name = variable->getNameAsString();
  return Object{name + ".", name, type, {~0U}, true, "", {}, {}};
}

/// What is taken of them is no part of an argument.
void Reader::forgetGlobals() {
  std::erase_if(function.parts, [](const Part &part) { return part.argument.empty(); });
}

} // namespace polymend
