// Data sheets: layouts of atoms against the makers' own tables, element by element; what no two rooms may disagree on.
#include "polymend/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>

using namespace polymend;

namespace {

const TileLayout &layoutOf(const MatrixAtom &atom, const std::string &matrix) {
  return matrix == "left" ? atom.left : matrix == "right" ? atom.right : atom.sums;
}

std::vector<MatrixAtom> atomsOf(const Machine &machine) {
  std::vector<MatrixAtom> all = machine.atoms;
  for (const MatrixUnits &units : machine.units) all.push_back(units.atom);
  return all;
}

/// How many elements the digits of an axis tell apart.
std::int64_t extentOf(const Digits &axis) {
  return std::accumulate(axis.begin(), axis.end(), std::int64_t{1},
                         [](std::int64_t all, const Digit &digit) { return all * digit.extent; });
}

} // namespace

/// Every register of every lane, of each MFMA atom.
TEST(Atoms, LieAsThePublishedTablesSay) {
  std::ifstream file(std::string(POLYMEND_SOURCE_DIR) + "/tests/machine/mfma.txt");
  std::size_t elements = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string name, matrix;
    std::int64_t number = 0;
    words >> name >> matrix >> number;
    const auto atom = atomNamed(name);
    ASSERT_TRUE(atom) << name;
    for (std::int64_t lane = 0; lane < lanesOf(*atom); ++lane, ++elements) {
      std::int64_t first = 0, second = 0;
      char comma = 0;
      words >> first >> comma >> second;
      const ElementPlace place = placeOf(layoutOf(*atom, matrix), {first, second});
      EXPECT_EQ(place.element, number) << name << " " << matrix << " " << first << "," << second;
      EXPECT_EQ(place.lane, lane) << name << " " << matrix << " " << first << "," << second;
    }
  }
  EXPECT_EQ(elements, 64U * (4 + 4 + 16 + 4 + 4 + 4 + 1 + 1 + 4));
}

TEST(Atoms, HaveTheExtentsOfTheirLayouts) {
  for (const Machine &machine : machines()) {
    for (const MatrixAtom &atom : atomsOf(machine))
      for (const auto &[layout, rows, columns] :
           {std::tuple{atom.sums, atom.rows, atom.columns}, std::tuple{atom.left, atom.rows, atom.terms},
            std::tuple{atom.right, atom.columns, atom.terms}}) {
        if (!layout) continue;
        EXPECT_EQ(extentOf(layout.axes[0]), rows) << atom.name;
        EXPECT_EQ(extentOf(layout.axes[1]), columns) << atom.name;
      }
  }
}

/// Each register of each thread of an atom's warps holds another element.
TEST(Atoms, HoldEachElementOnce) {
  for (const Machine &machine : machines()) {
    for (const MatrixAtom &atom : atomsOf(machine)) {
      EXPECT_EQ(lanesOf(atom), machine.lanes) << atom.name;
      ASSERT_TRUE(atomNamed(atom.name)) << atom.name;
      EXPECT_EQ(atomNamed(atom.name)->sums, atom.sums);
      std::set<ElementPlace> places;
      for (std::int64_t m = 0; m < atom.rows; ++m)
        for (std::int64_t n = 0; n < atom.columns; ++n) places.insert(placeOf(atom.sums, {m, n}));
      EXPECT_EQ(places.size(), static_cast<std::size_t>(atom.rows * atom.columns)) << atom.name;
    }
  }
}

/// A block of kernels that the machine has units for fits what the machine gives a block.
TEST(Machines, GiveUnitsWhatABlockHas) {
  std::size_t withUnits = 0;
  for (const Machine &machine : machines())
    for (const MatrixUnits &units : machine.units) {
      ++withUnits;
      EXPECT_LT(units.sharedBytes, machine.sharedBytes) << machine.name;
      EXPECT_EQ(units.processors, machine.processors) << machine.name;
      EXPECT_EQ(machine.unitsFor(units.elementBytes), &units) << machine.name;
      for (const GroupBudget &budget : units.budgets) EXPECT_LE(budget.registers, machine.threadRegisters);
    }
  EXPECT_GT(withUnits, 50U);
}

TEST(Machines, AreFoundByName) {
  for (const char *name :
       {"sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120", "gfx90a", "gfx942", "cpu"}) {
    ASSERT_TRUE(machineNamed(name)) << name;
    EXPECT_EQ(machineNamed(name)->name, name);
  }
  EXPECT_FALSE(machineNamed("sm_999"));
  EXPECT_EQ(machineNamed("gfx942")->lanes, 64);
  EXPECT_EQ(machineNamed("sm_70")->unitsFor(2), nullptr) << "its matrix units have no warps of 16 rows";
}

/// sm_86 and sm_89 give a block 99 KiB where sm_80 gives 163: kernels for one need not fit the other.
TEST(Machines, DifferInSharedMemory) {
  EXPECT_EQ(machineNamed("sm_80")->sharedBytes, 163 * 1024);
  EXPECT_EQ(machineNamed("sm_86")->sharedBytes, 99 * 1024);
  EXPECT_EQ(machineNamed("sm_90a")->sharedBytes, 227 * 1024);
  EXPECT_EQ(machineNamed("sm_120")->sharedBytes, 99 * 1024);
}

/// Copies of warps begin at multiples of 16 bytes, those of the copy engine anywhere.
TEST(Machines, CopyChunksFromSixteenBytesOn) {
  const Machine &machine = *machineNamed("sm_90a");
  EXPECT_EQ(machine.unitsFor(2)->copies, CopyWay::Engine);
  EXPECT_EQ(machine.unitsFor(2)->copiedAt, 2);
  for (const std::int64_t bytes : {4, 8}) {
    EXPECT_EQ(machine.unitsFor(bytes)->copies, CopyWay::Chunks);
    EXPECT_EQ(machine.unitsFor(bytes)->copiedAt, 16);
  }
}

TEST(Atoms, AreIssuedByGroupsOfFourWarps) {
  for (const Machine &machine : machines())
    for (const MatrixAtom &atom : machine.atoms) {
      EXPECT_EQ(lanesOf(atom), machine.lanes) << machine.name << " " << atom.name;
      EXPECT_EQ(groupThreads(atom), 4 * machine.lanes) << machine.name << " " << atom.name;
    }
}
