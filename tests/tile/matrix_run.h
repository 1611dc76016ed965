// Tile programs on matrix units beside the source's order: both interpreted on the same data.
#pragma once

#include "matrix_cases.h"
#include "polymend/element_types.h"
#include "polymend/interpret.h"

#include "tile/evaluate.h"

#include <cmath>
#include <limits>

namespace polymend::tests {

/// A function lowered for matrix units, in source order, and as `expected`: where masks are assumed to hide numbers
/// only, infinite ones are compared with the program of other targets.
struct OnBoth {
  TileProgram program, reference, expected;
};

inline OnBoth lowerBoth(const MatrixCase &c) {
  const Analysed t = analyse(c.text, {RelaxMode::Auto, {}, c.approximate ? 1 : 2, false, c.positions});
  Schedule inOrder;
  inOrder.order = t.trace.scop->schedule;
  const auto lowered = [&](const Schedule &schedule, const LowerOptions &chosen) {
    const auto p =
        lower(t.trace.function, *t.trace.scop, *t.trace.dependences, settled(t.relaxed(), t.plan()), schedule, chosen);
    EXPECT_TRUE(p) << (p ? "" : p.refusal().reason);
    return p ? *p : TileProgram{};
  };
  const TileProgram reference = lowered(inOrder, {});
  return {lowered(t.plan(), onMatrixUnits(c)), reference,
          t.relaxed().assumptions.empty() ? reference : lowered(t.plan(), {})};
}

/// Steep: values grow along an array, so that running maxima move far.
enum class Slope { Flat, Steep };

/// Memory for the program's arguments at these sizes; outputs are poisoned.
inline Memory memoryAt(const TileProgram &program, const Sizes &sizes, Slope slope) {
  Memory memory;
  tile::Environment env;
  for (const std::string &size : program.sizes) {
    memory.sizes.emplace_back(size, sizes.at(size));
    env.integers[size] = sizes.at(size);
  }
  for (const TileArray &array : program.arrays) {
    if (array.space != Space::Argument) continue;
    std::int64_t count = 1;
    for (const Expr &extent : array.extents) count *= std::max<std::int64_t>(0, tile::evaluate(extent, env).integer());
    EXPECT_EQ(env.fault, std::nullopt);
    std::vector<double> values;
    for (std::int64_t at = 0; at < count; ++at) {
      const std::uint64_t mixed =
          (static_cast<std::uint64_t>(at) + 1) * 0x9E3779B97F4A7C15ULL + array.name.back() * 0xBF58476D1CE4E5B9ULL;
      const double drawn = static_cast<double>((mixed >> 40) % 33) / 16 - 1;
      const double growth = slope == Slope::Flat ? 1 : 1 + 4 * static_cast<double>(at) / static_cast<double>(count);
      const double poison = std::numeric_limits<double>::quiet_NaN();
      const double value = isFloating(array.type) ? roundTo(array.type, drawn * growth)
                                                  : std::floor(std::abs(drawn * growth)); // places in other arrays
      values.push_back(array.written ? poison : value);
    }
    memory.arrays.emplace_back(array.name, values);
  }
  return memory;
}

inline bool isNear(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 0.02 * std::max(1.0, std::abs(a));
}

/// What is wrong with `program` on this memory, or nothing.
inline std::optional<std::string> fault(const TileProgram &program, const TileProgram &reference,
                                        const Memory &memory) {
  Memory wanted = memory, got = memory;
  if (const auto broken = interpret(reference, wanted)) return "the reference: " + *broken;
  if (const auto broken = interpret(program, got)) return broken;
  for (std::size_t a = 0; a < wanted.arrays.size(); ++a)
    for (std::size_t k = 0; k < wanted.arrays[a].second.size(); ++k)
      if (const double x = wanted.arrays[a].second[k], y = got.arrays[a].second[k]; !isNear(x, y))
        return wanted.arrays[a].first + "[" + std::to_string(k) + "] is " + std::to_string(y) + ", not " +
               std::to_string(x);
  return std::nullopt;
}

inline std::string text(const Sizes &sizes) {
  std::string all;
  for (const auto &[name, value] : sizes) all += " " + name + "=" + std::to_string(value);
  return all;
}

} // namespace polymend::tests
