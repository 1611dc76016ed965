// run_place: what the text of a result runs on.
#pragma once

#include "run.h"

namespace polymend {

struct RunPlace {
  enum class Kind { Cpu, Gpu, Emulated };
  Kind kind = Kind::Cpu;
  std::string name;     // "the GPU"
  std::string compiler; // empty: the usual one
  std::vector<std::string> flags;
  std::vector<std::string> translate; // a command that turns the text into C++ for the emulated device
  std::string archive = {};           // to be linked
};

/// What text for the target runs on here, or why on nothing.
Result<RunPlace> placeOf(Target target, const std::string &arch);
/// Turns the text of a file into what the place runs; what went wrong, or nothing.
std::optional<Refusal> translated(const RunPlace &place, const std::string &source);

/// What the reference computes in: double holds twice the digits of everything narrower.
Widened widenedFor(const std::vector<CheckedFunction> &functions);

/// Libraries: the original without contraction, the result as its user would build it, and the original in a wider
/// type; `wide` is empty when there is none. Beside a type of 113 digits, which takes fifty times as long, `fewer` is
/// one in long double, for what takes long.
struct Libraries {
  std::string original, result, wide;
  Widened widened = Widened::No;
  std::string fewer = {};
};
Result<Libraries> buildAll(const CheckRequest &request, const RunPlace &place, const std::string &resultText,
                           const ScratchDirectory &scratch);

/// Marks the functions whose objects or surroundings have to be made, where the original does not build with them as
/// they are made; false: there are none.
bool leaveUncallable(CheckRequest &request, const ScratchDirectory &scratch);

} // namespace polymend
