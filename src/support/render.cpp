// Diagnostics as Clang writes them: place, severity, message, then the source line with a caret under the place.
#include "polymend/support.h"

#include <algorithm>

namespace polymend {

namespace {

const char *nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error: return "error";
  case Severity::Warning: return "warning";
  case Severity::Note: return "note";
  case Severity::Remark: return "remark";
  }
  return "note";
}

std::string lineOf(const std::string &source, unsigned line) {
  std::size_t start = 0;
  for (unsigned i = 1; i < line; ++i) {
    start = source.find('\n', start);
    if (start == std::string::npos) return "";
    ++start;
  }
  std::string text = source.substr(start, source.find('\n', start) - start);
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return text;
}

std::string caret(const SourceRange &where, const std::string &line) {
  const std::size_t first = where.column > 0 ? where.column - 1 : 0;
  std::string mark;
  for (std::size_t i = 0; i < std::min(first, line.size()); ++i) mark += line[i] == '\t' ? '\t' : ' ';
  mark += '^';
  const std::size_t last = where.endLine > where.line ? line.size() : where.endColumn > 0 ? where.endColumn - 1 : 0;
  if (last > first + 1) mark += std::string(std::min(last, line.size()) - std::min(first + 1, line.size()), '~');
  return mark;
}

} // namespace

std::string render(const Diagnostic &diagnostic, const std::string &source) {
  const SourceRange &where = diagnostic.where;
  std::string text;
  if (where.valid())
    text = where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
  else if (!where.file.empty())
    text = where.file + ": ";
  text += std::string(nameOf(diagnostic.severity)) + ": " + diagnostic.message + "\n";
  const std::string line = where.valid() ? lineOf(source, where.line) : "";
  if (!line.empty()) text += line + "\n" + caret(where, line) + "\n";
  for (const Diagnostic &note : diagnostic.notes) text += render(note, source);
  return text;
}

} // namespace polymend
