#include "small_runs.h"

#include "polymend/isl.h"

#include "run.h"

#include <isl/set.h>

#include <algorithm>
#include <set>

namespace polymend {

namespace {

/// The rows, columns and chunks of the plan, smallest and largest, and those of kernels with roles.
std::vector<std::int64_t> extentsOf(const Schedule &schedule, const TileProgram &program) {
  std::set<std::int64_t> all{2};
  for (const KernelPlan &plan : schedule.kernels) {
    all.insert(plan.tiles.begin(), plan.tiles.end());
    for (const Phase &phase : plan.phases)
      for (std::int64_t chunk : phase.chunks) all.insert({chunk, chunk * plan.parts});
  }
  for (const Kernel &kernel : program.kernels)
    for (const TileArray &tile : kernel.tiles)
      if (tile.space == Space::Shared || tile.space == Space::Fragment)
        for (const Expr &extent : tile.extents)
          if (extent.op() == Op::Integer) all.insert(extent->integer);
  return {all.begin(), all.end()};
}

/// Numbers of the array's type that are neither zero nor equal to their neighbours, and whose products do not cancel
/// to the last digit; indices stay small.
double datum(std::size_t at, const TileArray &array) {
  constexpr double below = 0x1p-44;
  const std::uint64_t mixed = (at + 1) * 0x9E3779B97F4A7C15ULL + array.name.size() * 0xBF58476D1CE4E5B9ULL;
  const auto drawn = static_cast<std::int64_t>((mixed >> 40) % 31);
  if (!isFloating(array.type)) return static_cast<double>(drawn % 3);
  const double sized = static_cast<double>(drawn < 15 ? drawn - 16 : drawn - 14) / 8;
  return static_cast<double>(rounded(sized + static_cast<double>(mixed & 0xFFFFFFFFFF) * below, array.type));
}

} // namespace

std::optional<std::int64_t> valueOf(const Expr &e, const Values &sizes) {
  if (!e) return std::nullopt;
  const Expr value = simplify(substitute(e, [&](const std::string &name) {
    const auto at = sizes.find(name);
    return at == sizes.end() ? Expr() : Expr::integer(at->second);
  }));
  return value.op() == Op::Integer ? std::optional(value->integer) : std::nullopt;
}

std::optional<Values> whereGiven(const TileProgram &program, const Values &sizes) {
  return program.given ? repaired(program.given, sizes) : sizes;
}

std::vector<Values> sizesToRun(const TileProgram &program, const Schedule &schedule) {
  const std::vector<std::string> &names = program.sizes;
  std::set<std::int64_t> values{0, 1, 5};
  for (std::int64_t extent : extentsOf(schedule, program))
    values.insert({extent - 1, extent, extent + 1, 3 * extent + 1});
  std::vector<Values> result;
  const auto add = [&](const Values &wanted) {
    const std::optional<Values> sizes = whereGiven(program, wanted);
    if (sizes && std::find(result.begin(), result.end(), *sizes) == result.end()) result.push_back(*sizes);
  };
  for (std::int64_t value : values) {
    Values equal;
    for (const std::string &name : names) equal[name] = value;
    add(equal);
    for (const std::string &name : names) {
      Values one;
      for (const std::string &other : names) one[other] = other == name ? value : 3;
      add(one);
    }
  }
  return result;
}

Instances::Instances(const Scop &scop) {
  for (const Statement &statement : scop.statements) {
    Box box;
    for (unsigned d = 0; d < dimension(statement.domain); ++d) {
      const isl::set line = onlyDimension(statement.domain, d);
      const isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(line.copy())));
      const ScanBounds bounds =
          scan(hull, {Expr::symbol("x", Type::Int64)}, isl::manage(isl_set_universe(isl_set_get_space(line.get()))));
      box.emplace_back(lowest(bounds.dims[0]), highest(bounds.dims[0]));
    }
    boxes.push_back(box);
  }
}

double Instances::at(const Values &sizes) const {
  double total = 0;
  for (const Box &box : boxes) {
    double points = 1;
    for (const auto &[first, limit] : box) {
      const auto low = valueOf(first, sizes), high = valueOf(limit, sizes);
      points *= low && high ? static_cast<double>(std::max<std::int64_t>(0, *high - *low)) : 1e9;
    }
    total += points;
  }
  return total;
}

Result<Memory> memoryFor(const TileProgram &program, const Values &sizes) {
  constexpr std::int64_t most = 2'000'000;
  Memory memory;
  for (const std::string &size : program.sizes) memory.sizes.emplace_back(size, sizes.at(size));
  for (const auto &[name, type] : program.scalars) memory.scalars.emplace_back(name, isFloating(type) ? 0.75 : 2);
  for (const TileArray &array : program.arrays) {
    if (array.space != Space::Argument) continue;
    std::int64_t elements = 1;
    for (const Expr &extent : array.extents) {
      const auto value = valueOf(extent, sizes);
      if (!value) return Refusal{"how many elements '" + array.name + "' has is unknown", {}};
      if (*value > most) return Refusal{"'" + array.name + "' is too large to run at small sizes", {}};
      elements = std::min(most + 1, elements * std::max<std::int64_t>(*value, 0));
    }
    if (elements > most) return Refusal{"'" + array.name + "' is too large to run at small sizes", {}};
    std::vector<double> values(static_cast<std::size_t>(elements));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = datum(k, array);
    memory.arrays.emplace_back(array.name, values);
  }
  return memory;
}

} // namespace polymend
