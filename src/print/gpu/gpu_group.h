// What a group of threads holds of streams in printed code, and regions that it deals out in fours.
#pragma once

#include "polymend/device.h"
#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

/// The array that stands for what a group holds of `array` in printed code, with the declaration of its holder.
std::string heldName(const std::string &array, Context &context);
std::string heldDeclaration(const std::string &holder, const std::string &array, int fours, Context &context);
/// As heldDeclaration, for an array that lies in shared memory from the text `memory` on, in so many pieces.
std::string windowDeclaration(const std::string &holder, const std::string &array, int fours, const std::string &memory,
                              const std::string &pieces, Context &context);

/// Prints a region that is dealt out in fours.
void printFours(const DeviceDeal &deal, Writer &out, Context &context);

} // namespace polymend::print_room
