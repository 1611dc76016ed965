// What tile programs are lowered for.
#pragma once

#include "polymend/machine.h"
#include "polymend/tile.h"

#include <functional>
#include <map>

namespace polymend {

struct LowerOptions {
  bool reorder = true;      // --fp=strict: reduced dimensions run in order
  bool approximate = false; // --fp=approx: a factor of a product may be rounded to the 16-bit type of the other
  std::map<std::string, std::int64_t> tiles = {}; // --tile=LOOP:N by loop variable, for kernels on matrix units
  std::optional<Machine> machine = {};            // whose matrix units may be used; absent: none
  std::function<void(const std::string &, const TileProgram &)> afterPass = {}; // sees the program after each pass
  bool guardsIndices = false; // entries ask first whether index arrays lead where there are elements
  bool sharesWithin = false;  // threads share loops within such as keep their order, though it be little
};

} // namespace polymend
