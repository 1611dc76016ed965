// What statements of a function that is called change.
#pragma once

#include "reader.h"

namespace polymend {

/// Does `body`, from statement number `from` on, assign anything but arrays from number `own` on?
bool writesOthers(const Body &body, std::size_t from, const std::vector<Array> &arrays, std::size_t own);
/// Has the function a parameter that refers to a number which it may change?
bool takesVariables(const clang::FunctionDecl &function);

} // namespace polymend
