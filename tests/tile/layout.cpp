// Layouts as values, and those of matrix units beside the enumerations of the PTX ISA.
#include "polymend/atoms.h"

#include "../fragments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace polymend;
using namespace polymend::tests;

namespace {

constexpr auto r = Digit::To::Register, l = Digit::To::Lane, w = Digit::To::Warp, b = Digit::To::Byte;

TileLayout layoutOf(const std::vector<Digits> &axes) { return {axes, {}, {}, {}}; }

/// Is element i of a thread where the enumeration says, for a layout whose axes are (row, column), or the other way
/// round where the factor is the right one?
testing::AssertionResult places(const TileLayout &layout, const Fragment &fragment, bool across = false) {
  std::size_t elements = 0;
  for (const auto &[thread, held] : fragment)
    for (std::size_t i = 0; i < held.size(); ++i, ++elements) {
      const std::vector<std::int64_t> at{across ? held[i].column : held[i].row, across ? held[i].row : held[i].column};
      const ElementPlace place = placeOf(layout, at);
      if (32 * place.warp + place.lane != thread || place.element != static_cast<std::int64_t>(i))
        return testing::AssertionFailure()
               << show(layout) << " has (" << at[0] << ", " << at[1] << ") in lane " << place.lane << " of warp "
               << place.warp << ", register " << place.element << ", not in thread " << thread << ", register " << i;
    }
  return elements == 0 ? testing::AssertionFailure() << "nothing enumerated" : testing::AssertionSuccess();
}

/// A fragment of two steps or two halves, one after the other: those of `next`, moved by so much.
Fragment together(Fragment first, const Fragment &next, int rows, int columns) {
  for (const auto &[thread, held] : next)
    for (const Element &e : held) first[thread].push_back({e.row + rows, e.column + columns});
  return first;
}

/// The same elements in each thread, in another order of its registers.
Fragment reordered(const Fragment &fragment, const std::vector<std::size_t> &order) {
  Fragment result;
  for (const auto &[thread, held] : fragment)
    for (const std::size_t i : order) result[thread].push_back(held.at(i));
  return result;
}

/// Layouts that differ from one in one number.
std::vector<TileLayout> mutants(const TileLayout &layout) {
  std::vector<TileLayout> all;
  const auto change = [&](auto f) {
    for (std::size_t a = 0; a < layout.axes.size(); ++a)
      for (std::size_t d = 0; d < layout.axes[a].size(); ++d) {
        TileLayout mutant = layout;
        f(mutant.axes[a], d);
        if (mutant != layout) all.push_back(mutant);
      }
  };
  change([](Digits &axis, std::size_t d) { axis[d].stride *= 2; });
  change([](Digits &axis, std::size_t d) { axis[d].stride = axis[d].stride == 1 ? 3 : 1; });
  change([](Digits &axis, std::size_t d) { axis[d].to = axis[d].to == l ? r : l; });
  change([](Digits &axis, std::size_t d) {
    if (d > 0) std::swap(axis[d - 1], axis[d]);
  });
  change([](Digits &axis, std::size_t d) {
    if (d + 1 < axis.size()) axis[d].extent *= 2; // the last one takes what is left anyway
  });
  return all;
}

/// The layout is that of the enumeration, and no other is.
void expectOnly(const TileLayout &layout, const Fragment &fragment, bool across = false) {
  EXPECT_TRUE(places(layout, fragment, across));
  const std::vector<TileLayout> others = mutants(layout);
  EXPECT_GT(others.size(), 4U);
  for (const TileLayout &mutant : others) EXPECT_FALSE(places(mutant, fragment, across)) << show(mutant);
}

const MatrixAtom wgmma = atoms::wgmmaNarrow(), narrow = atoms::mmaNarrow(), tf32 = atoms::mmaFloat(),
                 wide = atoms::mmaDouble();

/// Rows of a warp's fragment for each warp of a group.
Fragment overWarps(const Fragment &warp, int rows) {
  Fragment group;
  for (int number = 0; number < 4; ++number)
    for (const auto &[lane, held] : warp)
      for (const Element &e : held) group[32 * number + lane].push_back({e.row + rows * number, e.column});
  return group;
}

/// A coordinate beyond the extents goes on in the last digit.
TEST(Layout, TheLastDigitTakesWhatIsLeft) {
  const TileLayout layout = layoutOf({{{4, l, 1}, {2, r, 3}}, {{2, w, 1}}});
  EXPECT_EQ(placeOf(layout, {7, 0}).lane, 3);
  EXPECT_EQ(placeOf(layout, {7, 0}).element, 3);
  EXPECT_EQ(placeOf(layout, {4 * 5 + 1, 9}).lane, 1);
  EXPECT_EQ(placeOf(layout, {4 * 5 + 1, 9}).element, 15);
  EXPECT_EQ(placeOf(layout, {4 * 5 + 1, 9}).warp, 9);
}

} // namespace

TEST(Layout, SumsAreTheAccumulatorsOfAWarpGroup) {
  for (const MatrixAtom &atom : {wgmma, narrow, tf32, wide})
    for (const int columns : {16, 80, 128, 256}) {
      const TileLayout sums = sumsOf(atom, columns, {1});
      expectOnly(sums, accumulators(columns));
      EXPECT_EQ(registersOf(sums), columns / 2);
    }
  EXPECT_EQ(show(sumsOf(wgmma, 80, {3})), "<8l4 2r2 4w1 3g1 | 2r1 4l1 10r4>");
}

TEST(Layout, SumsAreTheAccumulatorsOfAWarp) {
  for (const MatrixAtom &atom : {narrow, tf32, wide}) expectOnly(atom.sums, warpSums());
  EXPECT_EQ(together(smallDoubleSums(), smallDoubleSums(), 8, 0), warpSums());
}

TEST(Layout, GroupsHaveTheirOwnRows) {
  const TileLayout one = sumsOf(wgmma, 48, {1}), three = sumsOf(wgmma, 48, {3});
  for (std::int64_t row = 0; row < 192; ++row)
    for (std::int64_t column = 0; column < 48; ++column) {
      ElementPlace wanted = placeOf(one, {row % 64, column});
      wanted.group = row / 64;
      EXPECT_EQ(placeOf(three, {row, column}), wanted);
    }
}

/// Warps beside each other have the same rows, several blocks of 16 of them, and take 16 columns each in turn.
TEST(Layout, WarpsBesideEachOtherShareColumns) {
  EXPECT_EQ(show(sumsOf(narrow, 256, {2, 4})), "<8l4 2r2 4r32 2g1 | 2r1 4l1 2r4 4w1 4r8>");
  EXPECT_EQ(show(sumsOf(tf32, 128, {1, 2})), "<8l4 2r2 2r32 2w2 | 2r1 4l1 2r4 2w1 4r8>");
  EXPECT_EQ(show(leftOf(narrow, 64, {2, 4})), "<8l4 2r2 4r32 2g1 | 2r1 4l1 8r4 ~ 4w1>");
  for (const std::int64_t beside : {1, 2, 4})
    for (const MatrixAtom &atom : {narrow, tf32, wide}) {
      const WarpShares shares{2, beside};
      const TileLayout layout = sumsOf(atom, 128, shares), left = leftOf(atom, 64, shares);
      EXPECT_EQ(registersOf(layout), 64);
      EXPECT_EQ(sharesOf(layout), shares);
      EXPECT_EQ(sharesOf(left), shares);
      const std::int64_t own = 128 / beside;
      const TileLayout block = sumsOf(atom, own, {1});
      std::set<ElementPlace> places;
      for (std::int64_t row = 0; row < 128; ++row)
        for (std::int64_t column = 0; column < 128; ++column) {
          const std::int64_t number = row % 64 / 16; // of the block of 16 rows in its group
          const std::int64_t turn = column / 16;
          ElementPlace wanted = placeOf(block, {row % 16, turn / beside * 16 + column % 16});
          wanted.element += number % beside * registersOf(block);
          wanted.warp = number / beside * beside + turn % beside;
          wanted.group = row / 64;
          EXPECT_EQ(placeOf(layout, {row, column}), wanted);
          places.insert(wanted);
        }
      EXPECT_EQ(places.size(), 128U * 128U);
    }
}

TEST(Layout, FactorsAreThoseOfTheInstructions) {
  expectOnly(narrow.left, narrowLeft());
  expectOnly(narrow.right, narrowRight(), true);
  expectOnly(wgmma.left, overWarps(narrowLeft(), 16));
  expectOnly(tf32.left, tf32Left());
  expectOnly(tf32.right, tf32Right(), true);
  // 8 terms in double are two products of 4
  expectOnly(wide.left, together(doubleLeft(), doubleLeft(), 0, 4));
  expectOnly(wide.right, together(doubleRight(), doubleRight(), 4, 0), true);
  EXPECT_EQ(together(smallDoubleLeft(), smallDoubleLeft(), 8, 0), doubleLeft());
}

/// Sums are the next product's left factor as they lie: 16-bit pairs register by register.
TEST(Layout, NarrowSumsAreTheLeftFactor) {
  for (const MatrixAtom &atom : {wgmma, narrow})
    for (const std::int64_t terms : {16, 48, 128, 176}) {
      EXPECT_EQ(sumsOf(atom, terms, {2}), leftOf(atom, terms, {2}));
      EXPECT_EQ(termsOrder(atom, sumsOf(atom, terms, {2}), terms, {2}), (std::vector<std::size_t>{0, 1, 2}));
    }
}

/// Sums of floats and doubles are not, but for a step's terms in another order: 0, 2, 4, 6, 1, 3, 5, 7.
TEST(Layout, WideSumsAreTheLeftFactorInAnotherOrderOfTerms) {
  for (const MatrixAtom &atom : {tf32, wide}) {
    EXPECT_EQ(conversion(sumsOf(atom, 48, {1}), leftOf(atom, 48, {1})), Conversion::Lanes);
    const auto order = termsOrder(atom, sumsOf(atom, 48, {1}), 48, {1});
    ASSERT_EQ(order, (std::vector<std::size_t>{1, 0}));
    const MatrixAtom turned = inOrder(atom, *order);
    EXPECT_EQ(conversion(sumsOf(atom, 48, {1}), leftOf(turned, 48, {1})), Conversion::Registers);
    for (int term = 0; term < 8; ++term) {
      const int own = 2 * (term % 4) + term / 4; // 0, 2, 4, 6, 1, 3, 5, 7
      for (const auto &[before, after] : {std::pair{atom.left, turned.left}, {atom.right, turned.right}})
        for (int other = 0; other < 8; ++other) EXPECT_EQ(placeOf(after, {other, own}), placeOf(before, {other, term}));
    }
    // Four registers of the sums, as mma.m16n8k8 takes them: 0, 2, 1, 3.
    Fragment asSums = reordered(tf32Left(), {0, 2, 1, 3});
    for (auto &[thread, held] : asSums)
      for (Element &e : held) e.column = 2 * (e.column % 4) + e.column / 4;
    EXPECT_EQ(asSums, warpSums());
  }
}

/// Where the units read the right factor themselves, its terms come in turn.
TEST(Layout, TermsInTurnHaveNoOtherOrder) {
  MatrixAtom atom = tf32;
  atom.paired = true;
  EXPECT_EQ(termsOrder(atom, sumsOf(atom, 48, {1}), 48, {1}), std::nullopt);
  EXPECT_EQ(termsOrder(atom, leftOf(atom, 48, {1}), 48, {1}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(termsOrder(tf32, sliced(sumsOf(tf32, 48, {1}), 0, false), 48, {1}), std::nullopt);
}

TEST(Layout, RowsAreSlicesOfMatrices) {
  const TileLayout rows = sliced(sumsOf(wgmma, 128, {2}), 1, false), sums = sliced(sumsOf(wgmma, 80, {2}), 1, true);
  EXPECT_EQ(show(rows), "<8l4 2r1 4w1 2g1 ~ 4l1>");
  EXPECT_EQ(show(sums), "<8l4 2r1 4w1 2g1 + 4l1>");
  for (std::int64_t row = 0; row < 128; ++row) {
    const ElementPlace at = placeOf(rows, {row}), first = placeOf(sumsOf(wgmma, 128, {2}), {row, 0});
    EXPECT_EQ(at.lane, first.lane);
    EXPECT_EQ(at.warp, first.warp);
    EXPECT_EQ(at.group, first.group);
    EXPECT_EQ(at.element, first.element / 2);
  }
  EXPECT_EQ(conversion(sums, rows), Conversion::Lanes);
  EXPECT_EQ(conversion(rows, rows), Conversion::None);
}

/// Swizzle of 128 bytes: 16-byte chunk c of row r of a panel stands at c xor r mod 8.
TEST(Layout, ChannelsAreSwizzledPanels) {
  for (const auto &[rows, columns] : {std::pair<std::int64_t, std::int64_t>{128, 128}, {64, 80}, {16, 64}, {80, 16}}) {
    const TileLayout layout = channelLayout(rows, columns, 2);
    TileLayout plain = layout, other = layout;
    plain.swizzle.clear();
    other.swizzle[1] = 4;
    std::set<std::int64_t> bytes;
    bool differs = false;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t panel = column / 64, chunk = column % 64 / 8;
        const std::int64_t byte = panel * rows * 128 + row * 128 + 16 * (chunk ^ row % 8) + 2 * (column % 8);
        EXPECT_EQ(placeOf(layout, {row, column}).byte, byte) << row << ", " << column;
        EXPECT_TRUE(bytes.insert(byte).second);
        differs = differs || (placeOf(plain, {row, column}).byte != byte && placeOf(other, {row, column}).byte != byte);
      }
    EXPECT_TRUE(differs);
  }
  EXPECT_EQ(show(channelLayout(128, 128, 2)), "<128b128 | 64b2 2b16384 ^ 1 2 4>");
}

/// For wider elements the row's lowest bit also exchanges the halves: four rows' pairs of chunks are eight different.
TEST(Layout, ChannelsOfWideElementsMeetInNoBank) {
  for (const std::int64_t bytes : {4, 8}) {
    const TileLayout layout = channelLayout(64, 128 / bytes, bytes);
    for (std::int64_t row = 0; row < 64; ++row)
      for (std::int64_t byte = 0; byte < 128; byte += bytes)
        EXPECT_EQ(placeOf(layout, {row, byte / bytes}).byte,
                  row * 128 + 16 * (byte / 16 ^ row % 8 ^ 4 * (row % 2)) + byte % 16);
    // A warp's share of 8 x 8 elements, (lane / 4, 2 * (lane % 4)) and its neighbour, in turns of 128 bytes: as many
    // threads as that is meet in no bank, nor those that read it across, one element each.
    const auto conflicts = [&](std::int64_t per, auto element) {
      int found = 0;
      const std::int64_t threads = 128 / (per * bytes);
      for (std::int64_t from = 0; from < 32; from += threads) {
        std::map<std::int64_t, std::set<std::int64_t>> banks;
        for (std::int64_t lane = from; lane < from + threads; ++lane)
          for (std::int64_t at = 0; at < per * bytes; at += 4) {
            const std::int64_t byte = placeOf(layout, element(lane)).byte + at;
            banks[byte / 4 % 32].insert(byte);
          }
        for (const auto &[bank, words] : banks) found += words.size() > 1 ? 1 : 0;
      }
      return found;
    };
    using At = std::vector<std::int64_t>;
    EXPECT_EQ(conflicts(2, [](std::int64_t lane) { return At{lane / 4, lane % 4 * 2}; }), 0);
    EXPECT_EQ(conflicts(1, [](std::int64_t lane) { return At{lane % 4 * 2, lane / 4}; }), 0);
  }
}

TEST(Layout, ConversionsCostWhatMoves) {
  const TileLayout sums = sumsOf(wgmma, 64, {1});
  TileLayout other = sums;
  std::swap(other.axes[1][0].stride, other.axes[1][2].stride); // 2r4, 8r1: overlapping, but the lanes stay
  EXPECT_EQ(conversion(sums, other), Conversion::Registers);
  EXPECT_EQ(conversion(sums, sums), Conversion::None);
  other = sums;
  std::swap(other.axes[1][0], other.axes[1][1]);
  EXPECT_EQ(conversion(sums, other), Conversion::Lanes) << "extents 2, 4 and 4, 2 cut the axis as 2, 2, 2";
  EXPECT_EQ(conversion(layoutOf({{{3, r, 1}, {2, r, 3}}}), layoutOf({{{2, r, 1}, {3, r, 2}}})), Conversion::Shared);
  EXPECT_EQ(
      conversion(layoutOf({{{8, l, 4}}, {{2, l, 1}, {2, l, 2}}}), layoutOf({{{8, l, 4}}, {{2, l, 2}, {2, l, 1}}})),
      Conversion::Lanes);
  other = sums;
  std::swap(other.axes[0], other.axes[1]);
  EXPECT_EQ(conversion(sums, other), Conversion::Shared) << "rows of one warp are columns of another";
  EXPECT_EQ(conversion(channelLayout(64, 64, 2), sums), Conversion::Shared);
}

TEST(Layout, NormalFormsAreEqualWhereMapsAre) {
  EXPECT_EQ(normal(layoutOf({{{2, r, 1}, {4, r, 2}, {1, w, 1}, {8, r, 8}}})), layoutOf({{{64, r, 1}}}));
  EXPECT_EQ(normal(layoutOf({{{2, r, 1}, {4, l, 2}}})), layoutOf({{{2, r, 1}, {4, l, 2}}}));
  EXPECT_NE(normal(layoutOf({{{2, r, 1}, {4, r, 4}}})), layoutOf({{{8, r, 1}}}));
}

TEST(Layout, CoordinatesAreSpelled) {
  const TileLayout sums = sumsOf(wgmma, 80, {2});
  EXPECT_EQ(coordinateOf(sums, 0, r, "e"), "8 * (e / 2 % 2)");
  EXPECT_EQ(coordinateOf(sums, 1, r, "e"), "8 * (e / 4) + e % 2");
  EXPECT_EQ(coordinateOf(sums, 0, l, "lane"), "lane / 4");
  EXPECT_EQ(coordinateOf(sums, 1, l, "lane"), "2 * (lane % 4)");
  EXPECT_EQ(coordinateOf(sums, 0, w, "warp"), "16 * warp");
  EXPECT_EQ(coordinateOf(sums, 1, w, "warp"), "");
  EXPECT_EQ(coordinateOf(channelLayout(64, 64, 2), 0, b, "byte"), "byte / 128");
}

TEST(Layout, DigitsAreRead) {
  EXPECT_EQ(digitOf(8, "l4"), (Digit{8, l, 4}));
  for (const char *wrong : {"", "l", "x4", "l0", "l4r", "l-1", "4", "l99999999999999999999"})
    EXPECT_EQ(digitOf(8, wrong), std::nullopt) << wrong;
  EXPECT_EQ(digitOf(0, "l4"), std::nullopt);
}
