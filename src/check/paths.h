// paths: the text of a result in which every way that a call may take tells that it was taken.
#pragma once

#include "polymend/check.h"

namespace polymend {

/// The text with its marks, and what they stand for, in order.
struct MarkedText {
  std::string text;
  std::vector<ResultPath> paths;
};

/// Marks the fallback at each entry, each kernel, and both sides of what is decided within them. To be followed by
/// marksKept, which defines where the marks are kept.
MarkedText withMarks(const std::string &text, const std::vector<CheckedFunction> &functions, Target target);
std::string marksKept(std::size_t count, Target target);

/// The bracket that closes the one at `at`, which is not in a comment or string; the text's length: there is none.
std::size_t closingBracket(const std::string &text, std::size_t at);

} // namespace polymend
