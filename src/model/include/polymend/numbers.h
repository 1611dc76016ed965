// Which statement of the model is which assignment of the function.
#pragma once

#include "polymend/model.h"

namespace polymend {

/// The index into Scop::statements of every assignment that runs at some sizes; the others have none.
std::map<const Assign *, int> statementNumbers(const Function &function, const Scop &scop);

} // namespace polymend
