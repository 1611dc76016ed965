// The parts of a function that can be read where the whole cannot.
#pragma once

#include "reader.h"
#include "select.h"

namespace polymend {

/// Runs of statements with loops, each as a function: of one that cannot be read the longest runs that can, also within
/// what stands around them (time steps, switches, conditions); of one that can its loops one by one.
/// `why`: what keeps the first of its outermost loops from being one, if anything does.
std::vector<Function> readParts(clang::ASTContext &context, const clang::FunctionDecl &definition, const ReadFor &what,
                                const std::string &name, bool isRead, std::optional<Refusal> *why = nullptr);

/// Is the place one of the function's own that no loop holds, so that it keeps none from being read by itself?
bool isOutsideLoops(const clang::ASTContext &context, const clang::FunctionDecl &definition, const SourceRange &where);

/// The statements of the function that lie in the region, where others stand around that do more than declare; none: it
/// is the whole function that is meant.
std::vector<const clang::Stmt *> statementsIn(const clang::ASTContext &context, const clang::FunctionDecl &definition,
                                              const Region &region);

} // namespace polymend
