// Bounds that read arrays, as the source has them.
#pragma once

#include "polymend/parse.h"

namespace polymend {

/// The expression with what it reads in the place of data sizes.
Expr withData(const Expr &e, const std::vector<DataSize> &dataSizes);

} // namespace polymend
