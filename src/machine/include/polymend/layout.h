// Where the elements of a tile are: which register of which thread, or which byte of shared memory, holds each. A
// value: two tiles lie alike where their layouts are equal. Free of isl and of any instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polymend {

/// One digit of an element's coordinate, in mixed radix, and what it counts: each step of the digit is `stride` further
/// registers (elements of a thread, whatever their size), lanes of a warp, warps of a group, groups of 128 threads of a
/// role, or bytes of a slot in shared memory.
struct Digit {
  enum class To { Register, Lane, Warp, Group, Byte };
  std::int64_t extent = 1;
  To to = To::Register;
  std::int64_t stride = 1;
  friend bool operator==(const Digit &, const Digit &) = default;
};
using Digits = std::vector<Digit>; // minor first; the last one takes what is left of the coordinate

/// A coordinate for each axis of a tile, sent digit by digit to a place. In normal form equality is that of the maps:
/// no digit of extent 1, no two neighbours that count on from each other.
struct TileLayout {
  std::vector<Digits> axes;          // as the tile's extents, outermost first
  Digits copies;                     // places that hold the same element
  Digits parts;                      // places whose sum is the element
  std::vector<std::int64_t> swizzle; // bytes: bit b of the number of a row of 128 bytes exchanges the row's chunks of
                                     // 16 bytes: chunk c is at c ^ swizzle[b]
  friend bool operator==(const TileLayout &, const TileLayout &) = default;
  /// Has the tile a layout?
  explicit operator bool() const { return !axes.empty(); }
};

/// Where an element is: the first of its copies or parts.
struct ElementPlace {
  std::int64_t element = 0, lane = 0, warp = 0, group = 0, byte = 0; // element: number of the thread's register
  friend auto operator<=>(const ElementPlace &, const ElementPlace &) = default;
};
ElementPlace placeOf(const TileLayout &layout, const std::vector<std::int64_t> &coordinates);

/// The digits in normal form, and a layout of such.
Digits normal(const Digits &digits);
TileLayout normal(const TileLayout &layout);

/// The layout of `times` of these side by side along an axis, each next one `stride` of `to` further.
TileLayout repeated(const TileLayout &layout, std::size_t axis, std::int64_t times, Digit::To to, std::int64_t stride);

/// How many different elements a thread holds.
std::int64_t registersOf(const TileLayout &layout);

/// What is left of an axis that is reduced or dropped: its registers are numbered anew without gaps; its lanes, warps
/// and groups hold the same element, or with `summed` a part of it each.
TileLayout sliced(const TileLayout &layout, std::size_t axis, bool summed);

/// What takes the elements of a tile to a tile of the same extents with another layout, from nothing upwards.
enum class Conversion {
  None,      // the layouts are equal
  Registers, // the same thread has them, under other numbers: nothing at run time where all loops are unrolled
  Lanes,     // threads of a warp exchange them, or add up their parts
  Shared     // they pass through shared memory
};
Conversion conversion(const TileLayout &from, const TileLayout &to);

/// The coordinate along an axis that places count up to: the sum over its digits that count `to`, in C, where `name` is
/// the number of the register, lane, warp or group; in decreasing order of what a step counts: "8 * (e / 4) + e % 2".
/// Empty: there is no such digit.
std::string coordinateOf(const TileLayout &layout, std::size_t axis, Digit::To to, const std::string &name);

/// Text form: axes apart by '|', each digit as its extent, a letter of "rlwgb" and its stride: "<8l4 2r1 ~ 4l1>";
/// copies after '~', parts after '+', swizzle after '^'.
std::string show(const TileLayout &layout);
/// The digit of that extent whose letter and stride are spelled so, "l4"; absent: it is none.
std::optional<Digit> digitOf(std::int64_t extent, const std::string &spelling);

} // namespace polymend
