// Where the elements of matrix units' operands are, enumerated as the PTX ISA documents it.
#pragma once

#include <map>
#include <vector>

namespace polymend::tests {

struct Element {
  int row, column;
  bool operator==(const Element &) const = default;
};
/// The elements of each thread, register by register (two of 16 bits share one: low half first).
using Fragment = std::map<int, std::vector<Element>>;

/// "Register Fragments for wgmma.mma_async", sums of a warp group, 64 x columns: blocks of eight columns, in each the
/// rows of the warp's upper and lower half, in each half eight rows of four threads with two neighbours each.
inline Fragment accumulators(int columns) {
  Fragment held;
  for (int block = 0; block < columns; block += 8)
    for (int half = 0; half < 2; ++half)
      for (int warp = 0; warp < 4; ++warp) {
        int thread = 32 * warp;
        for (int row = 0; row < 8; ++row)
          for (int pair = 0; pair < 8; pair += 2, ++thread)
            for (int element = 0; element < 2; ++element)
              held[thread].push_back({16 * warp + 8 * half + row, block + pair + element});
      }
  return held;
}

/// A fragment of one warp, from its documented row and column of element i of a thread, groupID = lane / 4,
/// threadID_in_group = lane % 4.
template <class Row, class Column> Fragment ofWarp(int elements, Row row, Column column) {
  Fragment held;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < elements; ++i)
      held[lane].push_back({row(lane / 4, lane % 4, i), column(lane / 4, lane % 4, i)});
  return held;
}

/// "mma.m16n8k16 with floating point type", 16-bit: a (16 x 16), b (16 x 8), c (16 x 8).
inline Fragment narrowLeft() {
  return ofWarp(
      8, [](int group, int, int i) { return (0 <= i && i < 2) || (4 <= i && i < 6) ? group : group + 8; },
      [](int, int thread, int i) { return i < 4 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8; });
}
inline Fragment narrowRight() {
  return ofWarp(
      4, [](int, int thread, int i) { return i < 2 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8; },
      [](int group, int, int) { return group; });
}
inline Fragment warpSums() {
  return ofWarp(
      4, [](int group, int, int i) { return i < 2 ? group : group + 8; },
      [](int, int thread, int i) { return thread * 2 + (i & 1); });
}

/// "mma.m16n8k8", .tf32: a (16 x 8), b (8 x 8); its sums are those of m16n8k16.
inline Fragment tf32Left() {
  return ofWarp(
      4, [](int group, int, int i) { return i == 0 || i == 2 ? group : group + 8; },
      [](int, int thread, int i) { return i < 2 ? thread : thread + 4; });
}
inline Fragment tf32Right() {
  return ofWarp(
      2, [](int, int thread, int i) { return i == 0 ? thread : thread + 4; },
      [](int group, int, int) { return group; });
}

/// "mma.m16n8k4 with .f64": a (16 x 4), b (4 x 8); its sums are those of m16n8k16.
inline Fragment doubleLeft() {
  return ofWarp(
      2, [](int group, int, int i) { return i == 0 ? group : group + 8; }, [](int, int thread, int) { return thread; });
}
inline Fragment doubleRight() {
  return ofWarp(1, [](int, int thread, int) { return thread; }, [](int group, int, int) { return group; });
}

/// "mma.m8n8k4 with .f64": a (8 x 4), sums (8 x 8).
inline Fragment smallDoubleLeft() {
  return ofWarp(1, [](int group, int, int) { return group; }, [](int, int thread, int) { return thread; });
}
inline Fragment smallDoubleSums() {
  return ofWarp(
      2, [](int group, int, int) { return group; }, [](int, int thread, int i) { return thread * 2 + (i & 1); });
}

} // namespace polymend::tests
