// Locations -> ranges. Begin and end are mapped to the file that the user wrote: a macro's argument to itself, a
// macro's body to the place of its use.
#include "ranges.h"

#include <clang/Lex/Lexer.h>

namespace polymend {

SourceRange rangeOf(const clang::ASTContext &context, clang::SourceRange range, const std::string &mainFile) {
  const clang::SourceManager &manager = context.getSourceManager();
  if (range.isInvalid()) return {};
  clang::CharSourceRange chars =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), manager, context.getLangOpts());
  if (chars.isInvalid()) {
    const clang::CharSourceRange expansion = manager.getExpansionRange(range);
    const clang::SourceLocation end =
        clang::Lexer::getLocForEndOfToken(expansion.getEnd(), 0, manager, context.getLangOpts());
    chars = clang::CharSourceRange::getCharRange(expansion.getBegin(), end.isValid() ? end : expansion.getEnd());
  }
  SourceRange result;
  const auto [file, begin] = manager.getDecomposedLoc(chars.getBegin());
  const auto [endFile, end] = manager.getDecomposedLoc(chars.getEnd());
  result.file = manager.getFilename(chars.getBegin()).str();
  result.line = manager.getLineNumber(file, begin);
  result.column = manager.getColumnNumber(file, begin);
  const bool sameFile = endFile == file;
  result.endLine = sameFile ? manager.getLineNumber(file, end) : result.line;
  result.endColumn = sameFile ? manager.getColumnNumber(file, end) : result.column + 1;
  if (file == manager.getMainFileID()) {
    result.file = mainFile;
    result.begin = begin;
    result.end = sameFile ? end : begin + 1;
  }
  return result;
}

bool isSpelledInMainFile(const clang::ASTContext &context, clang::SourceRange range) {
  const clang::SourceManager &manager = context.getSourceManager();
  const auto written = [&](clang::SourceLocation place) {
    return place.isFileID() && manager.getFileID(place) == manager.getMainFileID();
  };
  return written(range.getBegin()) && written(range.getEnd());
}

void refuse(std::string reason, SourceRange where) { throw Refusal{std::move(reason), std::move(where)}; }

} // namespace polymend
