// Which functions of the main file are tried.
#pragma once

#include "clang.h"
#include "polymend/parse.h"

namespace polymend {

/// A region of the main file between `#pragma scop` and `#pragma endscop`, as byte offsets.
struct Region {
  unsigned begin = 0, end = 0;
};

/// Every function with a body that the main file writes, templates and members also.
std::vector<const clang::FunctionDecl *> definitions(const clang::ASTContext &context);

/// Entries by name where there are any, else functions that touch a region or carry annotate("polymend"), else all
/// definitions of the main file. An entry that is not found is an error.
std::vector<const clang::FunctionDecl *> selectFunctions(clang::ASTContext &context,
                                                         const std::vector<std::string> &entries,
                                                         const std::vector<Region> &regions,
                                                         std::vector<Diagnostic> &errors);

/// What makes the instances that entries such as `f<float, 64>` name, to stand behind a file's text.
std::string instantiations(const std::vector<std::string> &entries);

/// Every token __bf16 or _Float16 of the main file, comments and strings excepted.
std::vector<std::pair<SourceRange, Type>> findTypeNames(const clang::ASTContext &context, const std::string &mainFile);

/// A function itself, or the instances of a template that the file makes of it; of none the template.
std::vector<const clang::FunctionDecl *> instancesOf(const clang::FunctionDecl &definition);

} // namespace polymend
