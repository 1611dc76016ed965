// Names that mean the same before a function as within it.
#pragma once

#include "clang.h"

#include <vector>

namespace polymend {

/// Would the text of a statement mean the same in front of the outermost declaration that holds it? Not where it names
/// members of classes without saying of which, or of the class that holds it; parameters of a template; or what a
/// using-declaration, a using-directive or an alias of a namespace within the function's `body` has brought. The
/// variables that it uses go with it: others that a type or an argument of a template names would be missing.
bool isSayableBefore(const clang::Stmt &s, const std::vector<const clang::VarDecl *> &used, const clang::Stmt &body,
                     const clang::ASTContext &context);

} // namespace polymend
