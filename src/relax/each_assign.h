// each_assign: a function's statements, one by one.
#pragma once

#include "polymend/parse.h"

#include <functional>
#include <optional>

namespace polymend {

/// A body without what `assigned` gives nothing for, and without loops and conditions that are left empty.
Body withEach(const Body &body, const std::function<std::optional<Assign>(const Assign &)> &assigned);

} // namespace polymend
