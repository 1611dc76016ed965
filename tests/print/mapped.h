// Tile programs printed as the pipeline does it: mapped first.
#pragma once

#include "polymend/map.h"
#include "polymend/print.h"

#include <algorithm>

namespace polymend::testing_print {

/// The program on the options' target, in place of the function of its name.
inline Result<DeviceProgram> mapped(const Nest &nest, const TileProgram &program, const PrintOptions &options) {
  const auto at = std::find_if(nest.functions.begin(), nest.functions.end(),
                               [&](const Function &f) { return f.name == program.function; });
  return mapTo(at == nest.functions.end() ? Function() : *at, program, options.target, options.fp);
}

/// The whole file; what cannot be mapped stays as it stands.
inline Printed printMapped(const Nest &nest, const TileProgram &program, const PrintOptions &options) {
  const auto device = mapped(nest, program, options);
  return print(nest, device ? std::vector{*device} : std::vector<DeviceProgram>(), options);
}

} // namespace polymend::testing_print
