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
      ranges.emplace_back(static_cast<unsigned>(at), static_cast<unsigned>(length));
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
