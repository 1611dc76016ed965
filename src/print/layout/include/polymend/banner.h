// The first line of a printed file.
#pragma once

#include <string>

namespace polymend {

/// A comment of one line: what made the text, from which file with which content (the first 16 digits of its SHA-256),
/// by which `words` of a command line. `inPlace`: the text replaces the file, and is now people's to edit.
std::string bannerOf(const std::string &file, const std::string &source, const std::string &words, bool inPlace);
/// Does a text begin with such a line?
bool isResult(const std::string &text);

} // namespace polymend
