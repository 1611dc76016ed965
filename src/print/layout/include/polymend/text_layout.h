// Lays out printed code as the project around it does.
#pragma once

#include "polymend/support.h"

#include <string>
#include <vector>

namespace polymend {

/// Bytes [begin, end) of a text.
struct Stretch {
  std::size_t begin = 0, end = 0;
};

/// `text` with its `stretches` laid out by Clang's format library; what stands outside them is not touched. `style` is
/// what clang-format's --style takes: "file" looks for a .clang-format in the folder of `file` and above, and is LLVM's
/// style with 120 columns and short statements on one line where there is none; "none" leaves the text as it is.
/// Options of a style that change tokens (parentheses, braces, the order of qualifiers) are not followed. Refuses a
/// style that cannot be read.
Result<std::string> layOut(const std::string &text, const std::vector<Stretch> &stretches, const std::string &style,
                           const std::string &file);

} // namespace polymend
