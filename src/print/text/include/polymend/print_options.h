// What a text is printed for.
#pragma once

#include "polymend/options.h"
#include <map>
#include <string>
#include <vector>

namespace polymend {

/// Where a result has its primitives from.
enum class Runtime {
  Inline, // they stand in it
  Header  // it includes them from polymend_rt/, which is installed beside the tool
};

struct PrintOptions {
  Target target = Target::Cpp;
  FloatMode fp = FloatMode::Algebraic;
  Runtime runtime = Runtime::Inline;
  std::map<std::string, std::vector<std::string>> assumptions = {}; // by function: what its result rests on
  bool hasMarks = false; // of what the source has (source_marks.h): no text for a compiler
};

} // namespace polymend
