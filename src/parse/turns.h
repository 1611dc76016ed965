// Which statements end a loop's turn or a function.
#pragma once

#include "clang.h"
#include "reader.h"

namespace polymend {

/// Does a `continue` or `break` (of the loop around) or a `return` under `s` end what `until` names?
bool mayEnd(const clang::Stmt *s, Until until);
/// Does every way through `s` end it?
bool alwaysEnds(const clang::Stmt *s, Until until);

} // namespace polymend
