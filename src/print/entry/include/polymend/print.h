// print: device programs -> source text. The output holds the whole input file with the transformed functions replaced;
// what else it needs is printed at its top, nothing of polymend is needed to build it.
#pragma once

#include "polymend/device.h"
#include "polymend/parse.h"
#include "polymend/print_options.h"
#include "polymend/text_layout.h"

namespace polymend {

/// Functions with a program whose text could not be written, by a fault of ours; print leaves them as they stand.
std::vector<LeftAlone> unprintable(const Nest &nest, const std::vector<DeviceProgram> &programs,
                                   const PrintOptions &options);
/// A function without a program is printed as it stands in the source.
Printed print(const Nest &nest, const std::vector<DeviceProgram> &programs, const PrintOptions &options);

} // namespace polymend
