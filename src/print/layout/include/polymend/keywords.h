// What no name may be.
#pragma once

#include <string>

namespace polymend {

/// Is it a word of C++20, or of what compilers add to it?
bool isKeyword(const std::string &word);

} // namespace polymend
