// unused_name: names for what a rewritten function has more than it had.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// The name, or one made of it, that nothing in the function has.
std::string unusedName(const Function &function, std::string name);

} // namespace polymend
