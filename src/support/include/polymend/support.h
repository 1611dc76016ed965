// The values every room shares: where something stands in the source, what is said about it, and a result that is
// either a value or the reason why there is none. A refusal is a value, never a null or a log line.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace polymend {

/// A range of source text. Lines and columns count from 1; `line == 0` means "no place in the source".
/// `begin` and `end` are byte offsets into the main file, `end` one past the last byte.
struct SourceRange {
  std::string file;
  unsigned line = 0, column = 0;
  unsigned endLine = 0, endColumn = 0;
  unsigned begin = 0, end = 0;
  [[nodiscard]] bool valid() const { return line != 0; }
};

enum class Severity { Error, Warning, Note, Remark };

/// One message about the source, with the notes that explain it.
struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRange where;
  std::string message;
  std::vector<Diagnostic> notes;
};

/// Renders as `file:line:col: severity: message`, the source line and a caret (`source` is the text of the file).
std::string render(const Diagnostic &diagnostic, const std::string &source);

/// Why something was not done: the reason in words and the place that blocks.
struct Refusal {
  std::string reason;
  SourceRange where;
};

/// A value of type T or the reason why there is none.
template <class T> class Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Refusal refusal) : content(std::move(refusal)) {}
  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(content); }
  explicit operator bool() const { return ok(); }
  const T &operator*() const { return std::get<T>(content); }
  T &operator*() { return std::get<T>(content); }
  const T *operator->() const { return &std::get<T>(content); }
  T *operator->() { return &std::get<T>(content); }
  [[nodiscard]] const Refusal &refusal() const { return std::get<Refusal>(content); }

private:
  std::variant<T, Refusal> content;
};

} // namespace polymend
