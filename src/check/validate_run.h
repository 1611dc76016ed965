// The meaning of a tile program, compared with the source's order by interpretation.
#pragma once

#include "polymend/validate.h"

namespace polymend {

/// Differences between the program and the source's own order of statements on small data.
std::vector<std::string> validateByRunning(const Passage &passage, const TileProgram &program, const Effort &effort);

} // namespace polymend
