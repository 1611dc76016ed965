// Marks of what a kernel with roles leaves to a later one, as the host and the kernels of a file keep account of them.
#pragma once

#include "polymend/tile.h"

#include <map>
#include <optional>
#include <string>

namespace polymend::print_room {

/// Where blocks of a launch tell whether they marked anything: `tickets` points at the counters of the launch, behind
/// which `count` words stand.
struct MarkWords {
  std::string tickets, count;
};
constexpr int ticketCounters = 2; // of a launch with roles: see nextTicket

/// Whether the kernels with roles that this array's marks are of never set one.
bool isNeverMarked(const TileProgram &program, const std::string &array);

/// A kernel that does one thing where marks are set and another, or nothing, where none is, as a kernel for each.
struct ByMarks {
  Kernel marked;
  std::optional<Kernel> unmarked;
  std::string variable; // the host's, that is not zero where all is marked and zero where nothing is
};
/// Nothing where the kernel does not depend on marks that one variable of the host stands for. `unmarked`: these
/// variables by the name of the marks' array.
std::optional<ByMarks> byMarks(const Kernel &kernel, const std::map<std::string, std::string> &unmarked);

} // namespace polymend::print_room
