// Whether there is anything to transform.
#pragma once

#include "clang.h"

namespace polymend {

/// Does a statement hold a loop, a call of an algorithm of the standard that is one, or of a template that runs a
/// lambda in one?
bool holdsLoop(const clang::Stmt *statement);
/// Is the function an operator of an instance of a class template, which is there for those that call it, who read it
/// in place?
bool isForItsCallers(const clang::FunctionDecl &definition);

} // namespace polymend
