// What a text is printed for.
#pragma once

#include "polymend/options.h"
#include <map>
#include <string>
#include <vector>

namespace polymend {

enum class Target { Cpp, Cuda, Hip };

struct PrintOptions {
  Target target = Target::Cpp;
  FloatMode fp = FloatMode::Algebraic;
  std::map<std::string, std::vector<std::string>> assumptions = {}; // by function: what its result rests on
};

} // namespace polymend
