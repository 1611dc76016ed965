// Plans for systems whose bounds read arrays.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// The tiles asked for, with one row at a time of each loop that a data size depends on: within a kernel's turn each
/// data size then is one number.
std::map<std::string, std::int64_t> withSingleRows(std::map<std::string, std::int64_t> tiles, const Scop &scop);

/// Why kernels of the schedule would not see each data size as one number; absent: they do.
std::optional<std::string> losesRows(const Scop &scop, const Relaxed &relaxed, const Schedule &schedule);

} // namespace polymend
