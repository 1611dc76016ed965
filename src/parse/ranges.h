// Places: Clang's source locations as ranges of the main file, and refusals that carry one. Inside this room a refusal
// unwinds to `readFunction`, where it becomes a value.
#pragma once

#include "clang.h"
#include "polymend/support.h"

namespace polymend {

/// The text range of an AST range, in `mainFile` or a header; what a macro wrote is placed at the macro's use. Offsets
/// are 0 outside the main file.
SourceRange rangeOf(const clang::ASTContext &context, clang::SourceRange range, const std::string &mainFile);
/// Whether both ends are spelled in the main file itself, not by a macro.
bool isSpelledInMainFile(const clang::ASTContext &context, clang::SourceRange range);

[[noreturn]] void refuse(std::string reason, SourceRange where);

} // namespace polymend
