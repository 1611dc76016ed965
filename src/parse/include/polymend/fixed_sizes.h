// A function for one value of a size: asked by who makes a version of a program of its own for such calls.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// The function where the size is this number: it stands in every expression, and entries ask for it.
Function withSize(Function function, const std::string &size, std::int64_t number);

} // namespace polymend
