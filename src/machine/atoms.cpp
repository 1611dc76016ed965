// Tiles of atoms: repeated over columns and rows, shared out among warps and groups. "Swizzling modes" of tensor copies
// (PTX ISA), 128 bytes.
#include "polymend/atoms.h"

#include <algorithm>
#include <numeric>

namespace polymend {
namespace {

constexpr auto r = Digit::To::Register, l = Digit::To::Lane, w = Digit::To::Warp, g = Digit::To::Group,
               b = Digit::To::Byte;
constexpr std::int64_t groupWarps = 4, rowBytes = 128;

/// Warps that issue the atom together.
std::int64_t warpsOf(const MatrixAtom &atom) {
  std::int64_t warps = 1;
  for (const Digits &axis : atom.sums.axes)
    for (const Digit &d : axis)
      if (d.to == w) warps *= d.extent;
  return warps;
}

/// A tile's rows beyond the atom's: the warp's own, other warps', then other groups'.
TileLayout overRows(const MatrixAtom &atom, const TileLayout &layout, const WarpShares &shares) {
  if (warpsOf(atom) == groupWarps) return repeated(layout, 0, shares.groups, g, 1);
  const TileLayout own = repeated(layout, 0, shares.warpsN, r, registersOf(layout));
  return repeated(repeated(own, 0, groupWarps / shares.warpsN, w, shares.warpsN), 0, shares.groups, g, 1);
}

} // namespace

std::int64_t lanesOf(const MatrixAtom &atom) {
  std::int64_t lanes = 1;
  for (const Digits &axis : atom.sums.axes)
    for (const Digit &d : axis)
      if (d.to == l) lanes *= d.extent;
  return lanes;
}

std::int64_t groupThreads(const MatrixAtom &atom) { return lanesOf(atom) * groupWarps; }

std::int64_t groupRows(const MatrixAtom &atom) { return atom.rows * groupWarps / warpsOf(atom); }

TileLayout sumsOf(const MatrixAtom &atom, std::int64_t columns, const WarpShares &shares) {
  const std::int64_t atoms = columns / atom.columns, registers = registersOf(atom.sums);
  if (shares.warpsN == 1) return overRows(atom, repeated(atom.sums, 1, atoms, r, registers), shares);
  const TileLayout turn = repeated(repeated(atom.sums, 1, 2, r, registers), 1, shares.warpsN, w, 1);
  return overRows(atom, repeated(turn, 1, atoms / (2 * shares.warpsN), r, 2 * registers), shares);
}

TileLayout leftOf(const MatrixAtom &atom, std::int64_t terms, const WarpShares &shares) {
  const TileLayout wide = repeated(atom.left, 1, terms / atom.terms, r, registersOf(atom.left));
  TileLayout layout = overRows(atom, wide, shares);
  if (shares.warpsN > 1) layout.copies.push_back({shares.warpsN, w, 1});
  return normal(layout);
}

WarpShares sharesOf(const TileLayout &layout) {
  std::int64_t below = 1, groups = 1;
  for (const Digit &d : layout.axes.empty() ? Digits() : layout.axes[0]) {
    if (d.to == w) below *= d.extent;
    if (d.to == g) groups *= d.extent;
  }
  return {groups, groupWarps % below == 0 ? groupWarps / below : 1};
}

TileLayout channelLayout(std::int64_t rows, std::int64_t columns, std::int64_t elementBytes) {
  const std::int64_t panel = rowBytes / elementBytes, panels = (columns + panel - 1) / panel;
  TileLayout layout;
  layout.axes = {{{rows, b, rowBytes}}, {{panel, b, elementBytes}, {panels, b, rows * rowBytes}}};
  layout.swizzle = elementBytes == 2 ? std::vector<std::int64_t>{1, 2, 4} : std::vector<std::int64_t>{1 ^ 4, 2, 4};
  return normal(layout);
}

MatrixAtom inOrder(const MatrixAtom &atom, const std::vector<std::size_t> &order) {
  MatrixAtom result = atom;
  const auto reorder = [&](TileLayout &layout) {
    if (!layout) return;
    const Digits own = layout.axes[1];
    for (std::size_t d = 0; d < own.size(); ++d) layout.axes[1][d] = own.at(order.at(d));
  };
  reorder(result.left);
  reorder(result.right);
  return result;
}

std::optional<std::vector<std::size_t>> termsOrder(const MatrixAtom &atom, const TileLayout &tile, std::int64_t terms,
                                                   const WarpShares &shares) {
  std::vector<std::size_t> order(atom.left.axes[1].size());
  std::iota(order.begin(), order.end(), 0U);
  const Conversion free = atom.paired ? Conversion::None : Conversion::Registers;
  do {
    if (conversion(tile, leftOf(inOrder(atom, order), terms, shares)) <= free) return order;
  } while (!atom.paired && std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

} // namespace polymend
