// The table of architectures (CUDA C++ Programming Guide, compute capabilities: shared memory of a block; the number of
// multiprocessors is that of the largest chip). Registers of a thread: 65536 among warps by fours, at most 255 a
// thread, less about 75 for addresses and one step's operands; on sm_90a warp groups hand registers over. Products of
// wider elements are made by warps everywhere, with at most two warps beside them that copy.
#include "polymend/units.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace polymend {
namespace {

struct Architecture {
  std::string_view name;
  std::int64_t sharedBytes = 0; // of a block; 0: no matrix units for 16-bit products into float by warps of 16 rows
  std::int64_t processors = 0;
};

constexpr std::int64_t kilo = 1024;
/// Of a block's shared memory, for barriers and for moving the first tile to a multiple of 1024 bytes.
constexpr std::int64_t besideTiles = 2 * kilo;

constexpr std::array<Architecture, 29> architectures{{
    {"sm_50"},
    {"sm_52"},
    {"sm_53"},
    {"sm_60"},
    {"sm_61"},
    {"sm_62"},
    {"sm_70"},
    {"sm_72"},
    {"sm_75"},
    {"sm_80", 163 * kilo, 108},
    {"sm_86", 99 * kilo, 84},
    {"sm_87", 163 * kilo, 16},
    {"sm_88", 99 * kilo, 16},
    {"sm_89", 99 * kilo, 142},
    {"sm_90", 227 * kilo, 132},
    {"sm_90a", 227 * kilo, 132},
    {"sm_100", 227 * kilo, 148},
    {"sm_100a", 227 * kilo, 148},
    {"sm_100f", 227 * kilo, 148},
    {"sm_103", 227 * kilo, 148},
    {"sm_103a", 227 * kilo, 148},
    {"sm_103f", 227 * kilo, 148},
    {"sm_110", 227 * kilo, 20},
    {"sm_110a", 227 * kilo, 20},
    {"sm_110f", 227 * kilo, 20},
    {"sm_120", 99 * kilo, 188},
    {"sm_120a", 99 * kilo, 188},
    {"sm_120f", 99 * kilo, 188},
    {"sm_121", 99 * kilo, 48},
}};

} // namespace

std::optional<MatrixUnits> matrixUnitsOf(const std::string &arch) {
  const auto *const at = std::find_if(architectures.begin(), architectures.end(),
                                      [&](const Architecture &known) { return known.name == arch; });
  if (at == architectures.end() || at->sharedBytes == 0) return std::nullopt;
  // Of the 160 registers of three groups, 124 are for matrices: with 128, chunks of 128 columns for 64 elements a row
  // fit too, and take 1.3 % longer than 112 (H200).
  if (arch == "sm_90a")
    return MatrixUnits{
        MatrixInstructions::Wgmma, 226 * kilo, at->processors, {{3, 124, 64}, {2, 196, 64}, {1, 200}}, {256, 128}, 2};
  return MatrixUnits{MatrixInstructions::MmaSync,
                     at->sharedBytes - besideTiles,
                     at->processors,
                     {{2, 92, 48}, {1, 196}},
                     {128, 64},
                     16};
}

MatrixInstructions instructionsFor(MatrixInstructions narrow, std::int64_t elementBytes) {
  return elementBytes == 2 ? narrow : MatrixInstructions::MmaSync;
}

MatrixUnits unitsFor(const MatrixUnits &units, std::int64_t elementBytes) {
  if (elementBytes == 2) return units;
  MatrixUnits wide = units;
  wide.instructions = instructionsFor(units.instructions, elementBytes);
  if (units.instructions == MatrixInstructions::Wgmma) wide.sharedBytes -= besideTiles / 2;
  wide.budgets = elementBytes == 8 ? std::vector<GroupBudget>{{2, 128, 16, 36}, {1, 196, 16, 48}}
                                   : std::vector<GroupBudget>{{2, 128, 16, 52}, {1, 196, 16, 48}};
  wide.columns = {128, 64};
  wide.copiedAt = 16;
  wide.elementBytes = elementBytes;
  return wide;
}

std::int64_t multipliedBytes(Type type) {
  if (isNarrow(type)) return 2;
  return type == Type::Float32 ? 4 : type == Type::Float64 ? 8 : 0;
}

std::vector<std::string> cudaArchitectures() {
  std::vector<std::string> names;
  names.reserve(architectures.size());
  for (const Architecture &known : architectures) names.emplace_back(known.name);
  return names;
}

} // namespace polymend
