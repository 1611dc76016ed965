// Which statements end a loop's turn or a function.
#pragma once

#include "clang.h"
#include "reader.h"

namespace polymend {

/// Does a `continue` or `break` (of the loop around) or a `return` under `s` end what `until` names?
bool mayEnd(const clang::Stmt *s, Until until);
/// Does a `return` stand under `s`, within loops too?
bool returnsWithin(const clang::Stmt *s);
/// The body of a loop of any kind.
const clang::Stmt *loopBodyOf(const clang::Stmt &loop);
/// Does every way through `s` end it?
bool alwaysEnds(const clang::Stmt *s, Until until);
/// Does a function that ends with a result return one from within a loop, too?
bool returnsFromLoopOf(const clang::FunctionDecl &helper);

} // namespace polymend
