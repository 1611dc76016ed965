// The primitives that printed code may call: the headers under primitives/.
#pragma once

#include "print/target.h"

#include <map>
#include <set>
#include <string>

namespace polymend::print_room {

/// What a printed file needs at its top: primitives by name, and headers by name.
struct Needs {
  std::set<std::string> primitives, headers;
  std::set<std::string> files;                  // of primitives and what these need, once closed
  std::set<std::string> kernels;                // names of kernels of the file
  std::map<std::string, std::string> generated; // by name, texts that stand after the primitives they call
};

/// Adds everything that the needed primitives need themselves.
Needs close(Needs needs, const TargetTable &target);
/// What stands at the top of a printed file: macros, and functions in an anonymous namespace within `polymend_rt`.
struct Library {
  std::string macros, text;
  [[nodiscard]] std::string whole() const { return macros + text; }
};
/// The texts of the needed primitives; `needs` is closed.
Library libraryText(const Needs &needs, const TargetTable &target);
/// The lines that include them instead, and the text of what is generated.
Library libraryIncludes(const Needs &needs, const TargetTable &target);

} // namespace polymend::print_room
