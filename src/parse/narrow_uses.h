// What code that stays as it is must say where a target's 16-bit floats are classes.
#pragma once

#include "clang.h"
#include "polymend/parse.h"

namespace polymend {

/// Edits of the main file after which its arithmetic on __bf16 and _Float16 means the same where those are classes that
/// convert to float and from it: each element that is read becomes a float, a compound assignment an assignment. At one
/// place an edit that encloses another comes first.
std::vector<SourceEdit> findNarrowUses(clang::ASTContext &context, const std::string &mainFile);

} // namespace polymend
