// Lays out printed code as the project around it does.
#pragma once

#include "polymend/support.h"

#include <string>
#include <vector>

namespace polymend {

/// Bytes [begin, end) of a text.
struct Stretch {
  std::size_t begin = 0, end = 0;
  bool isLaidOut = false; // as our own style does it
};

/// From byte `at` of a text on stands what a source has from byte `source` on, up to the next stretch that is ours.
struct Origin {
  std::size_t at = 0, source = 0;
};

/// A whole output file, and where it is from.
struct Printed {
  std::string text;
  std::vector<Stretch> ours;   // in order: what is not the source's
  std::vector<Origin> origins; // in order: of the rest
};

/// The text with what is ours laid out by Clang's format library; the rest is not touched. `style` is what
/// clang-format's --style takes: "file" looks for a .clang-format in the folder of `file` and above, and is LLVM's
/// style with 120 columns and short statements on one line where there is none; "none" leaves the text as it is.
/// Options of a style that change tokens (parentheses, braces, the order of qualifiers) are not followed. Refuses a
/// style that cannot be read.
Result<Printed> layOut(const Printed &printed, const std::string &style, const std::string &file);

/// The text with a line before it.
Printed below(const std::string &line, Printed printed);

/// The text with a `#line` wherever its lines turn from the source's to ours or back: those of the source are counted
/// in `file`, of which `source` is the content, ours in `output`. None stands within a comment, a string or a macro.
std::string withLineDirectives(const Printed &printed, const std::string &source, const std::string &file,
                               const std::string &output);

} // namespace polymend
