// Whether there is anything to transform.
#pragma once

#include "clang.h"

namespace polymend {

/// Does a statement hold a loop, or a call of an algorithm of the standard that is one?
bool holdsLoop(const clang::Stmt *statement);

} // namespace polymend
