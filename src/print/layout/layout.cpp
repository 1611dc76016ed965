#include "polymend/text_layout.h"

#include <clang/Format/Format.h>

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

/// Without what clang-format itself warns of: it may change what code means.
FormatStyle layoutOnly(FormatStyle style) {
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
  for (const Stretch &s : printed.ours) result.ours.push_back({moved(s.begin), moved(s.end)});
  for (const Origin &o : printed.origins) result.origins.push_back({moved(o.at), o.source});
  return result;
}

} // namespace

Result<Printed> layOut(const Printed &printed, const std::string &style, const std::string &file) {
  const std::string &text = printed.text;
  const Result<FormatStyle> chosen = styleFor(style, file, text);
  if (!chosen) return chosen.refusal();
  std::vector<clang::tooling::Range> ranges;
  for (const Stretch &s : printed.ours)
    ranges.emplace_back(static_cast<unsigned>(s.begin), static_cast<unsigned>(s.end - s.begin));
  const Result<Printed> laid = changed(printed, clang::format::reformat(layoutOnly(*chosen), text, ranges, file));
  return laid ? changed(*laid, withCommentsAtStatements(*laid, file)) : laid;
}

Printed below(const std::string &line, Printed printed) {
  const std::size_t at = printed.text.starts_with("\xEF\xBB\xBF") ? 3 : 0; // behind a byte order mark
  printed.text.insert(at, line);
  for (Stretch &s : printed.ours) s = {s.begin + line.size(), s.end + line.size()};
  for (Origin &o : printed.origins)
    if (o.at >= at) o.at += line.size();
  printed.ours.insert(printed.ours.begin(), {at, at + line.size()});
  return printed;
}

} // namespace polymend
