// Parses a source given as text: writes it to a temporary file of its own and removes it afterwards.
#pragma once

#include "polymend/parse.h"

#include <string>

namespace polymend::test {

ParseOutcome parseText(const std::string &source, const ParseOptions &options = {});
/// The dump of all functions; what Clang said where it found errors.
std::string dumped(const std::string &source, const ParseOptions &options = {});
/// The statements of the only function, without the lines that describe arrays and parameters.
std::string bodyOf(const std::string &source);
/// "line: reason" of the first function left alone, or of what is not read of the first; empty where all is.
std::string whyLeft(const std::string &source);

} // namespace polymend::test
