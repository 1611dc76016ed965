// Rows that a kernel with roles marked are computed again by the block that marked them, at its end: what the general
// kernel does at a point of its grid is a function that both call, and a launch of the general kernel is needed only
// where no kernel with roles ran.
#pragma once

#include "polymend/device.h"
#include "print/host_values.h"

#include <set>

namespace polymend::print_room {

/// What the general kernel does at a point, as a function of the device.
struct PointFunction {
  std::string name;
  std::vector<std::string> arguments;                     // between a thread's memory and the point, in a kernel's text
  std::set<std::string> used, written;                    // arrays
  std::vector<std::pair<std::string, std::string>> extra; // what its callers take: declaration, argument
  std::vector<HostValue> values;                          // and what the host computes for it
  std::string alone; // the host's variable: has no kernel with roles run, so that the general one computes all?
  std::string chain; // of tickets: the one before, for each that a block took
  bool byWholeBlocks = false; // do copying threads join those that compute? Else these alone call it
  std::string tickets;        // the counters of kernels that stand in for each other; empty: none was printed yet

  /// `thread` is the number among blockThreads, `at` the point.
  [[nodiscard]] std::string call(const std::string &thread, const std::string &memory,
                                 const std::vector<std::string> &at) const;
};

} // namespace polymend::print_room
