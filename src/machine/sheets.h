// The sheets of each maker's machines, oldest first.
#pragma once

#include "polymend/machine.h"

namespace polymend {

inline constexpr std::int64_t kilo = 1024, mega = kilo * kilo;

std::vector<Machine> nvidiaMachines();
std::vector<Machine> amdMachines();
Machine cpuMachine();

} // namespace polymend
