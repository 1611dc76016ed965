// `#pragma polymend index monotone(row) lower(column, row)`: what the source declares of index arrays, before a
// function, or within it.
#pragma once

#include "clang.h"
#include "polymend/parse.h"

#include <clang/Lex/Pragma.h>

namespace polymend {

struct PragmaToken {
  std::string text;
  SourceRange where;
};

/// One pragma of the main file: where it stands, and its tokens behind `polymend`.
struct IndexPragma {
  unsigned offset = 0;
  std::vector<PragmaToken> tokens;
};

/// Collects them; `file` is the main file's name.
class IndexPragmas : public clang::PragmaHandler {
public:
  IndexPragmas(const std::string &mainFile, std::vector<IndexPragma> &found)
      : clang::PragmaHandler("polymend"), file(mainFile), pragmas(found) {}
  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token &first) override;

private:
  const std::string &file;
  std::vector<IndexPragma> &pragmas;
};

/// The pragmas that stand before the definition, with no other between them, or within it.
std::vector<IndexPragma> pragmasOf(const clang::ASTContext &context, const clang::FunctionDecl &definition,
                                   const std::vector<IndexPragma> &all);

/// What is wrong with how they are written, as errors.
std::vector<Diagnostic> misspelled(const std::vector<IndexPragma> &pragmas);

/// Adds what they declare to the function. With `isWhole` names that it does not have are errors; a part of a function
/// has only some.
std::vector<Diagnostic> declareFacts(const std::vector<IndexPragma> &pragmas, bool isWhole, Function &function);

} // namespace polymend
