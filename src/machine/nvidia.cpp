// NVIDIA's GPUs. Shared memory of a block, registers: CUDA C++ Programming Guide, "Compute Capabilities".
// Multiprocessors and caches: of the largest chip, as its white paper says (A100, GA102, AD102, H100, B200, GB202).
// Registers for matrices: 65536 among warps by fours, at most 255 a thread, less about 75 for addresses and one step's
// operands; on sm_90a warp groups hand registers over. Which cuts, columns and chunks are best was measured on an H200.
#include "sheets.h"

#include <string_view>

namespace polymend {
namespace {

/// Of a block's shared memory, for barriers and for moving the first tile to a multiple of 1024 bytes.
constexpr std::int64_t besideTiles = 2 * kilo;

struct Chip {
  std::string_view name;
  std::int64_t sharedBytes = 0, processors = 0, farCache = 0; // 0: not known, or none
};

Machine machineOf(const Chip &chip) {
  Machine m;
  m.name = chip.name;
  m.lanes = 32;
  m.groupWarps = 4;
  m.sharedBytes = chip.sharedBytes;
  m.processors = chip.processors;
  m.registers = 65536;
  m.threadRegisters = 255;
  m.farCache = chip.farCache;
  m.parts = 1024;
  m.stream = 4096;
  return m;
}

/// Products by warps, tiles copied by threads: from sm_80 on.
Machine withWarpProducts(Machine m) {
  const auto units = [&](std::int64_t bytes, const MatrixAtom &atom, const std::vector<GroupBudget> &budgets) {
    return MatrixUnits{bytes,        atom,    CopyWay::Chunks, false, m.sharedBytes - besideTiles,
                       m.processors, budgets, {128, 64},       16};
  };
  m.units = {units(2, atoms::mmaNarrow(), {{2, 92, 48}, {1, 196}}),
             units(4, atoms::mmaFloat(), {{2, 128, 16, 52}, {1, 196, 16, 48}}),
             units(8, atoms::mmaDouble(), {{2, 128, 16, 36}, {1, 196, 16, 48}})};
  return m;
}

/// Products of 16-bit numbers by warp groups, tiles fetched by the copy engine: sm_90a alone. Of the 160 registers of
/// three groups, 124 are for matrices: with 128, chunks of 128 columns for 64 elements a row fit too, and take 1.3 %
/// longer than 112.
Machine withGroupProducts(Machine m) {
  m = withWarpProducts(std::move(m));
  m.units[0] = {2,
                atoms::wgmmaNarrow(),
                CopyWay::Engine,
                true,
                226 * kilo,
                m.processors,
                {{3, 124, 64}, {2, 196, 64}, {1, 200}},
                {256, 128},
                2};
  return m;
}

} // namespace

std::vector<Machine> nvidiaMachines() {
  std::vector<Machine> all;
  // Older ones have no matrix units that multiply 16-bit numbers into float by warps of 16 rows.
  for (const std::string_view name : {"sm_50", "sm_52", "sm_53", "sm_60", "sm_61", "sm_62", "sm_70", "sm_72", "sm_75"})
    all.push_back(machineOf({name}));
  const auto add = [&](const Chip &chip) { all.push_back(withWarpProducts(machineOf(chip))); };
  add({"sm_80", 163 * kilo, 108, 40 * mega});
  add({"sm_86", 99 * kilo, 84, 6 * mega});
  add({"sm_87", 163 * kilo, 16});
  add({"sm_88", 99 * kilo, 16});
  add({"sm_89", 99 * kilo, 142, 96 * mega});
  add({"sm_90", 227 * kilo, 132, 50 * mega});
  all.push_back(withGroupProducts(machineOf({"sm_90a", 227 * kilo, 132, 50 * mega})));
  for (const std::string_view name : {"sm_100", "sm_100a", "sm_100f", "sm_103", "sm_103a", "sm_103f"})
    add({name, 227 * kilo, 148, 126 * mega});
  for (const std::string_view name : {"sm_110", "sm_110a", "sm_110f"}) add({name, 227 * kilo, 20});
  for (const std::string_view name : {"sm_120", "sm_120a", "sm_120f"}) add({name, 99 * kilo, 188, 128 * mega});
  add({"sm_121", 99 * kilo, 48});
  return all;
}

} // namespace polymend
