// Names that mean the same before a function as within it.
#pragma once

#include "clang.h"

namespace polymend {

/// Would the text of a statement mean the same in front of the outermost declaration that holds it? Not where it names
/// members of classes without saying of which, or of the class that holds it; parameters of a template; or what a
/// using-declaration, a using-directive or an alias of a namespace within the function's `body` has brought.
bool isSayableBefore(const clang::Stmt &s, const clang::Stmt &body, const clang::ASTContext &context);

} // namespace polymend
