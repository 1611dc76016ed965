#ifndef POLYMEND_RT_INDEX_FAULT
#define POLYMEND_RT_INDEX_FAULT

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace polymend_rt {
namespace {

/// An element of an index array that a function cannot stand, in words of 64 bits.
struct IndexFault {
  std::int64_t check = 0;    // which of the function's checks found it, from 1 on; 0: nothing is wrong
  std::int64_t position = 0; // of the element
  std::int64_t value = 0;    // of the element
  std::int64_t reached = 0;  // what it leads to
  std::int64_t bound = 0;    // what that breaks
  std::int64_t side = 0;     // -1: it is below it; 1: it is not below it; 0: it is the same at that other position
};

/// The array that a check asks about, and what is wrong where it fails.
struct IndexCheck {
  const char *array, *why;
};

/// "f: column[17] = 1003 leads out of 'x': 1003 is not below 1000".
inline std::string indexMessage(const IndexFault &fault, const char *function, const IndexCheck *checks) {
  const IndexCheck &check = checks[fault.check - 1];
  const std::string what = std::string(function) + ": " + check.array + "[" + std::to_string(fault.position) +
                           "] = " + std::to_string(fault.value) + " " + check.why + ": ";
  if (fault.side == 0) return what + "as " + check.array + "[" + std::to_string(fault.bound) + "] does";
  return what + std::to_string(fault.reached) + (fault.side < 0 ? " is below " : " is not below ") +
         std::to_string(fault.bound);
}

/// Throws std::out_of_range; where there are no exceptions the message goes to stderr, and the program ends.
[[noreturn]] inline void refuseIndex(const IndexFault &fault, const char *function, const IndexCheck *checks) {
  const std::string message = indexMessage(fault, function, checks);
#if defined(__cpp_exceptions)
  throw std::out_of_range(message);
#else
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
#endif
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_INDEX_FAULT
