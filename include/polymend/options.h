// Choices of the user that more than one room needs.
#pragma once

namespace polymend {

/// --relax: which way of mending a dropped dependence may be used.
enum class RelaxMode { Auto, None, Rolling, SplitK };

} // namespace polymend
