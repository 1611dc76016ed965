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

} // namespace

Result<std::string> layOut(const std::string &text, const std::vector<Stretch> &stretches, const std::string &style,
                           const std::string &file) {
  const Result<FormatStyle> chosen = styleFor(style, file, text);
  if (!chosen) return chosen.refusal();
  std::vector<clang::tooling::Range> ranges;
  for (const Stretch &s : stretches)
    ranges.emplace_back(static_cast<unsigned>(s.begin), static_cast<unsigned>(s.end - s.begin));
  const clang::tooling::Replacements changes = clang::format::reformat(layoutOnly(*chosen), text, ranges, file);
  llvm::Expected<std::string> result = clang::tooling::applyAllReplacements(text, changes);
  if (!result) return Refusal{"the text cannot be laid out: " + llvm::toString(result.takeError()), {}};
  return *result;
}

} // namespace polymend
