// What matrix units multiply at once, and where they want its elements.
#pragma once

#include "polymend/layout.h"

namespace polymend {

/// The product of one step: sums[m, n] += left[m, k] * right[n, k], by one warp or warp group.
struct MatrixAtom {
  std::string name; // as tile programs call it
  std::int64_t rows = 16, columns = 8, terms = 16;
  TileLayout sums;    // [m, n]
  TileLayout left;    // [m, k], in registers
  TileLayout right;   // [n, k], in registers; none: the units read it from shared memory
  bool paired = true; // two elements share a register, in the order of their numbers, and the right factor comes as it
                      // does along k; else registers are named one by one, and each thread loads its elements of the
                      // right factor by itself, so that a step's terms may come in another order
  bool asynchronous = false; // products go on while the threads that issued them do
};

/// The atoms that kernels are made of, and those of machines for which there are no such kernels yet.
namespace atoms {
MatrixAtom mmaNarrow();   // 16-bit factors, sums in float, by a warp
MatrixAtom mmaFloat();    // float factors, rounded to tf32
MatrixAtom mmaDouble();   // double factors
MatrixAtom wgmmaNarrow(); // 16-bit factors by a warp group, from shared memory
MatrixAtom mfmaWide();    // 16-bit factors by 64 lanes: 32 x 32 sums
MatrixAtom mfmaSquare();  // 16 x 16 sums
MatrixAtom mfmaDouble();  // double factors
} // namespace atoms

/// The atom of that name; absent: there is none.
std::optional<MatrixAtom> atomNamed(const std::string &name);

/// Lanes of a warp that issues it.
std::int64_t lanesOf(const MatrixAtom &atom);
/// Threads of a group of warps: what shares a tile's rows out has so many, or a multiple.
std::int64_t groupThreads(const MatrixAtom &atom);
/// Rows of a tile that a group of so many warps has: one atom's for each warp, or those of an atom of the whole group.
std::int64_t groupRows(const MatrixAtom &atom);

/// How the warps of a role share a tile: each group of four has 64 rows of it. Of these warps, `warpsN` stand side by
/// side: they have the same rows, `warpsN` atoms below one another, and take two atoms' columns each in turn.
struct WarpShares {
  std::int64_t groups = 1;
  std::int64_t warpsN = 1; // 1, 2 or 4; 1 for atoms of a whole group
  friend bool operator==(const WarpShares &, const WarpShares &) = default;
};

/// The layout of so many columns of sums, a multiple of those of a turn; of the left factor, by columns of terms: warps
/// side by side hold copies of it.
TileLayout sumsOf(const MatrixAtom &atom, std::int64_t columns, const WarpShares &shares);
TileLayout leftOf(const MatrixAtom &atom, std::int64_t terms, const WarpShares &shares);

/// How warps share a tile that lies so, rows first.
WarpShares sharesOf(const TileLayout &layout);

/// Of a channel's tile: panels of rows of 128 bytes, one below the other; chunks of 16 bytes in a row are exchanged so
/// that neither eight rows' chunks of one number nor, for elements of more than 2 bytes, four rows' pairs of chunks
/// meet in a bank.
TileLayout channelLayout(std::int64_t rows, std::int64_t columns, std::int64_t elementBytes);

/// The order in which a step must take its terms for a tile that lies so to be its left factor: for each digit of the
/// terms' number, minor first, which digit of the atom's own k it is. Absent: there is none, the tile must be
/// converted.
std::optional<std::vector<std::size_t>> termsOrder(const MatrixAtom &atom, const TileLayout &tile, std::int64_t terms,
                                                   const WarpShares &shares);
/// The atom with its terms in that order.
MatrixAtom inOrder(const MatrixAtom &atom, const std::vector<std::size_t> &order);

} // namespace polymend
