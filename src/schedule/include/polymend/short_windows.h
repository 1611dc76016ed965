// Loops whose chunks would not be worth their mends.
#pragma once

#include "polymend/model.h"
#include "polymend/schedule.h"

namespace polymend {

/// Why a plan gains nothing beside the source's order: a mend for each chunk of few elements. Absent: it may gain.
std::optional<std::string> shortWindows(const Function &function, const Relaxed &relaxed, const Schedule &schedule);

/// The source's order, and why.
Schedule inSourceOrder(const Scop &scop, const std::string &why);

} // namespace polymend
