#include "polymend/text_layout.h"

#include <clang/Format/Format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace polymend {

namespace {

using clang::format::FormatStyle;

/// Ours, where a project has none.
FormatStyle usual() {
  FormatStyle style = clang::format::getLLVMStyle();
  style.ColumnLimit = 120;
  style.AllowShortIfStatementsOnASingleLine = FormatStyle::SIS_WithoutElse;
  style.AllowShortLoopsOnASingleLine = true;
  style.AllowShortCaseLabelsOnASingleLine = true;
  return style;
}

Result<FormatStyle> styleFor(const std::string &name, const std::string &file, const std::string &text) {
  llvm::Expected<FormatStyle> found = clang::format::getStyle(name, file, "none", text);
  if (!found) return Refusal{"--style=" + name + ": " + llvm::toString(found.takeError()), {}};
  if (name == "file" && found->DisableFormat) return usual();
  return *found;
}

/// Without what clang-format itself warns of, as it may change what code means, and without what finds nothing to
/// change in our text and would read it once more each.
FormatStyle layoutOnly(FormatStyle style) {
  style.FixNamespaceComments = false;
  style.SortUsingDeclarations = FormatStyle::SUD_Never;
  style.InsertBraces = false;
  style.RemoveBracesLLVM = false;
  style.RemoveSemicolon = false;
  style.RemoveParentheses = FormatStyle::RPS_Leave;
  style.QualifierAlignment = FormatStyle::QAS_Leave;
  return style;
}

/// A comment that stands before a pragma goes to column 0 with it; here each goes back to where the statement is.
clang::tooling::Replacements withCommentsAtStatements(const Printed &laid, const std::string &file) {
  clang::tooling::Replacements moves;
  const std::string &text = laid.text;
  const auto lineEnd = [&](std::size_t at) { return std::min(text.find('\n', at), text.size()); };
  for (const Stretch &s : laid.ours)
    for (std::size_t at = s.begin; (at = text.find("\n//", at)) < s.end; ++at) {
      std::size_t next = at + 1;
      while (text.compare(next, 2, "//") == 0) next = lineEnd(next) + 1;
      if (text.compare(next, 7, "#pragma") != 0) continue;
      const std::size_t statement = lineEnd(next) + 1, first = text.find_first_not_of(' ', statement);
      if (first == std::string::npos || first == statement) continue;
      llvm::consumeError(
          moves.add({file, static_cast<unsigned>(at + 1), 0, text.substr(statement, first - statement)}));
    }
  return moves;
}

/// The text with changes in it.
Result<Printed> changed(const Printed &printed, const clang::tooling::Replacements &changes) {
  llvm::Expected<std::string> text = clang::tooling::applyAllReplacements(printed.text, changes);
  if (!text) return Refusal{"the text cannot be laid out: " + llvm::toString(text.takeError()), {}};
  const auto moved = [&](std::size_t at) { return changes.getShiftedCodePosition(static_cast<unsigned>(at)); };
  Printed result{*text, {}, {}};
  for (const Stretch &s : printed.ours) result.ours.push_back({moved(s.begin), moved(s.end), s.isLaidOut});
  for (const Origin &o : printed.origins) result.origins.push_back({moved(o.at), o.source});
  return result;
}

/// Would the library weigh for seconds where the lines of a statement may end? So it does where brackets are deep;
/// those around the body of a lambda count for themselves.
bool isHard(std::string_view statement) {
  constexpr std::size_t longest = 1200, longWhereDeep = 400;
  constexpr int deep = 5;
  int depth = 0, deepest = 0;
  std::vector<int> around; // of bodies
  for (const char c : statement) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    deepest = std::max(deepest, depth);
    if (c == '{') around.push_back(std::exchange(depth, 0));
    if (c != '}' || around.empty()) continue;
    depth = around.back();
    around.pop_back();
  }
  return statement.size() > longest || (statement.size() > longWhereDeep && deepest > deep);
}

/// How many brackets a line opens that it does not close.
int openedBy(std::string_view line) {
  return static_cast<int>(std::ranges::count(line, '(')) - static_cast<int>(std::ranges::count(line, ')'));
}

/// The parts of a stretch that the library is to lay out: not statements that are hard, or hold such in a lambda that
/// they pass on; these keep the lines that they were printed in.
std::vector<clang::tooling::Range> partsOf(const std::string &text, std::size_t begin, std::size_t length) {
  std::vector<clang::tooling::Range> parts;
  const auto add = [&](std::size_t from, std::size_t to) {
    if (from < to) parts.emplace_back(static_cast<unsigned>(from), static_cast<unsigned>(to - from));
  };
  const std::size_t end = begin + length;
  std::size_t part = begin, statement = begin, inner = begin; // inner: in brackets of the statement
  int depth = 0;
  bool hasHard = false;
  for (std::size_t line = begin; line < end;) {
    const std::size_t next = std::min(text.find('\n', line), end - 1) + 1;
    const std::size_t last = text.find_last_not_of(" \n", next - 1);
    const bool isOver =
        last == std::string::npos || last < line || std::string_view(";{}:").find(text[last]) != std::string_view::npos;
    depth = std::max(0, depth + openedBy(std::string_view(text).substr(line, next - line)));
    line = next;
    if (!isOver) continue;
    hasHard = hasHard || isHard(std::string_view(text).substr(inner, line - inner));
    inner = line;
    if (depth > 0) continue;
    if (hasHard) {
      add(part, std::max(statement, part + 1) - 1); // the end of a line is the next token's
      part = line;
    }
    statement = line;
    hasHard = false;
  }
  add(part, end);
  return parts;
}

/// What the style changes in what is ours. What is laid out in it already is not shown to the library, which reads all
/// of a text, and once for each way through its conditions.
clang::tooling::Replacements changesOf(const Printed &printed, const FormatStyle &style, const std::string &file) {
  const FormatStyle layout = layoutOnly(style);
  const bool isUsual = layout == layoutOnly(usual());
  std::string shown = printed.text;
  std::vector<Stretch> hidden; // where each stood in what is shown, and how long it was
  std::vector<clang::tooling::Range> ranges;
  std::size_t before = 0;
  for (const Stretch &s : printed.ours) {
    const std::size_t at = s.begin - before, length = s.end - s.begin;
    if (isUsual && s.isLaidOut) {
      shown.erase(at, length);
      hidden.push_back({at, length});
      before += length;
    } else {
      const std::vector<clang::tooling::Range> parts = partsOf(printed.text, s.begin, length);
      for (const clang::tooling::Range &one : parts)
        ranges.emplace_back(one.getOffset() - static_cast<unsigned>(before), one.getLength());
    }
  }
  clang::tooling::Replacements changes;
  for (const auto &change : clang::format::reformat(layout, shown, ranges, file)) {
    std::size_t at = change.getOffset();
    bool isAround = false;
    for (const Stretch &s : hidden) {
      isAround = isAround || (change.getOffset() < s.begin && s.begin < change.getOffset() + change.getLength());
      if (s.begin <= change.getOffset()) at += s.end;
    }
    if (!isAround)
      llvm::consumeError(
          changes.add({file, static_cast<unsigned>(at), change.getLength(), change.getReplacementText()}));
  }
  return changes;
}

} // namespace

Result<Printed> layOut(const Printed &printed, const std::string &style, const std::string &file) {
  const Result<FormatStyle> chosen = styleFor(style, file, printed.text);
  if (!chosen) return chosen.refusal();
  const Result<Printed> laid = changed(printed, changesOf(printed, *chosen, file));
  return laid ? changed(*laid, withCommentsAtStatements(*laid, file)) : laid;
}

Printed below(const std::string &line, Printed printed) {
  const std::size_t at = printed.text.starts_with("\xEF\xBB\xBF") ? 3 : 0; // behind a byte order mark
  printed.text.insert(at, line);
  for (Stretch &s : printed.ours) s = {s.begin + line.size(), s.end + line.size(), s.isLaidOut};
  for (Origin &o : printed.origins)
    if (o.at >= at) o.at += line.size();
  printed.ours.insert(printed.ours.begin(), {at, at + line.size()});
  return printed;
}

} // namespace polymend
