// Loops of which no equation is known.
#pragma once

#include "clang.h"

namespace polymend {

/// Does the statement hold a loop that ends when its data say so, as far as its text shows: a while or do loop, or one
/// that is left?
bool endsByData(const clang::Stmt *s, bool isInLoop = false);

/// Does the function hold such a loop?
bool turnsByData(const clang::FunctionDecl &function);
bool callsItself(const clang::FunctionDecl &function);

/// Is it a function of the standard, of numbers alone, that does nothing but return one?
bool isPureLibrary(const clang::FunctionDecl &callee);

} // namespace polymend
