// Which function of the main file calls which, and where.
#pragma once

#include "clang.h"
#include "polymend/parse.h"

namespace polymend {

/// The calls of one function's body to functions that the main file defines.
std::vector<CallSite> findCalls(clang::ASTContext &context, const clang::FunctionDecl &caller,
                                const std::string &mainFile);

} // namespace polymend
