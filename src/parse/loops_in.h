// Whether there is anything to transform.
#pragma once

#include "clang.h"

namespace polymend {

/// Does a statement hold a loop, a call of an algorithm of the standard that is one, or of a template that runs a
/// lambda in one?
bool holdsLoop(const clang::Stmt *statement);

} // namespace polymend
