// Warpgroup products as functions of printed code. The instruction names its shape and its registers, so each shape has
// a text of its own.
#pragma once

#include "print/library.h"

#include <string>

namespace polymend::print_room {

/// wgmma m64nNk16: a 64 x `columns` tile of float sums, 16 products each, by the 128 threads of a warpgroup.
struct WgmmaShape {
  int columns = 0;              // 8, 16, ..., 256
  bool brain = true;            // factors are bf16, else f16
  bool leftInRegisters = false; // the left factor is the thread's fragment, else a matrix in shared memory
  bool leftTransposed = false;  // rows of the left matrix in memory run across the sum; never with registers
  bool rightTransposed = false; // rows of the right matrix in memory run across the sum
};

[[nodiscard]] bool isWgmma(const WgmmaShape &shape);
/// A name of the shape, unqualified.
std::string wgmmaName(const WgmmaShape &shape);
/// The function NAME(float (&sums)[columns / 2], left, std::uint64_t right, int accumulate): sums = left * right, plus
/// sums where `accumulate` is not zero. `left` is a matrix descriptor, or in registers a `const std::uint32_t *` to
/// four words. The call stands between wgmmaFence and wgmmaCommit.
std::string wgmmaText(const WgmmaShape &shape);
/// Notes that printed code calls the product; its qualified name.
std::string needWgmma(const WgmmaShape &shape, Needs &needs);

} // namespace polymend::print_room
