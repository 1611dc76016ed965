#include "small_runs.h"

#include "polymend/isl.h"

#include "run.h"
#include "tile/frame.h"
#include "tile/visit.h"

#include <isl/set.h>

#include <algorithm>
#include <array>
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

/// Do the elements of the array say where something is written? That rests on their rising.
bool placesWrites(const TileProgram &program, const std::string &array) {
  bool found = false;
  for (const Kernel &kernel : program.kernels)
    eachAssign(kernel, [&](const TileAssign &assign) {
      for (const Expr &subscript : assign.target.subscripts) found = found || reads(subscript, array);
    });
  return found;
}

/// Numbers of the array's type that are neither zero nor equal to their neighbours, and whose products do not cancel
/// to the last digit; indices stay small, and the ends of ranges rise, some of which are empty.
double datum(std::int64_t index, const TileArray &array, bool rises, bool isDeclared) {
  if (isDeclared) return static_cast<double>(index < 0 ? 0 : index + index / 4); // rises, and no two are the same
  constexpr std::array<std::int64_t, 4> ends{0, 0, 3, 4}; // of four ranges, the fourth of which ends at the next's 0
  if (rises) return static_cast<double>(index < 0 ? 0 : index / 4 * 5 + ends.at(static_cast<std::size_t>(index % 4)));
  const auto at = static_cast<std::size_t>(index);
  constexpr double below = 0x1p-44;
  const std::uint64_t mixed = (at + 1) * 0x9E3779B97F4A7C15ULL + array.name.size() * 0xBF58476D1CE4E5B9ULL;
  const auto drawn = static_cast<std::int64_t>((mixed >> 40) % 31);
  if (!isFloating(array.type)) return static_cast<double>(drawn % 3);
  const double sized = static_cast<double>(drawn < 15 ? drawn - 16 : drawn - 14) / 8;
  return static_cast<double>(rounded(sized + static_cast<double>(mixed & 0xFFFFFFFFFF) * below, array.type));
}

/// The array's elements in [first, limit); first may be negative.
std::vector<double> data(const TileArray &array, const TileProgram &program, std::int64_t first, std::int64_t limit) {
  const bool rises = placesWrites(program, array.name);
  const bool isDeclared =
      std::find(program.declared.begin(), program.declared.end(), array.name) != program.declared.end();
  std::vector<double> values;
  for (std::int64_t k = first; k < limit; ++k) values.push_back(datum(k, array, rises, isDeclared));
  return values;
}

constexpr std::int64_t lengthOfRow = 3; // at most, where arrays say it

Refusal tooLarge(const std::string &array) { return {"'" + array + "' is too large to run at small sizes", {}}; }

/// How many elements the array has; none yet where its first extent is unknown.
Result<std::int64_t> elementsOf(const TileArray &array, const Values &sizes, std::int64_t most) {
  std::int64_t elements = 1;
  for (const Expr &extent : array.extents) {
    const auto value = extent ? valueOf(extent, sizes) : std::optional<std::int64_t>(0);
    if (!value) return Refusal{"how many elements '" + array.name + "' has is unknown", {}};
    if (*value > most) return tooLarge(array.name);
    elements = std::min(most + 1, elements * std::max<std::int64_t>(*value, 0));
  }
  if (elements > most) return tooLarge(array.name);
  return elements;
}

/// More elements of the array on the side where the lack is: four times as many as were there.
void extend(Memory &memory, const TileArray &array, const TileProgram &program, const Lack &lack) {
  constexpr std::int64_t least = 16, growth = 4;
  for (auto &[name, values] : memory.arrays) {
    if (name != array.name) continue;
    std::int64_t &origin = memory.origins[name];
    const auto end = static_cast<std::int64_t>(values.size()) - origin;
    if (lack.at < 0) {
      const std::int64_t below = std::max({least, growth * origin, -lack.at});
      const std::vector<double> more = data(array, program, -below, -origin);
      values.insert(values.begin(), more.begin(), more.end());
      origin = below;
    } else {
      const std::vector<double> more = data(array, program, end, std::max({least, growth * end, lack.at + 1}));
      values.insert(values.end(), more.begin(), more.end());
    }
  }
}

/// The memory with room for whatever the source touches of arrays whose extents are unknown.
Result<Memory> withRoom(Memory memory, const TileProgram &program, const TileProgram &source, std::int64_t most) {
  const auto isOpen = [](const TileArray &array) {
    return array.space == Space::Argument && !array.extents.empty() && !array.extents.front();
  };
  if (std::none_of(program.arrays.begin(), program.arrays.end(), isOpen)) return memory;
  while (const auto lack = lackOf(source, memory)) {
    const auto array = std::find_if(program.arrays.begin(), program.arrays.end(),
                                    [&](const TileArray &a) { return a.name == lack->array && isOpen(a); });
    if (array == program.arrays.end() || std::abs(lack->at) > most) return tooLarge(lack->array);
    extend(memory, *array, program, *lack);
  }
  return memory;
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

Instances::Instances(const Scop &scop, const Body &body) {
  addLoops(body, {});
  for (const Statement &statement : scop.statements) {
    Box box;
    for (unsigned d = 0; d < dimension(statement.domain); ++d) {
      const isl::set line = onlyDimension(statement.domain, d);
      const auto [low, high] = outermostBounds(line, "x");
      const auto sized = [&](const Expr &bound) {
        return bound ? substitute(bound,
                                  [&](const std::string &name) {
                                    const auto isNamed = [&](const DataSize &data) { return data.name == name; };
                                    return std::any_of(scop.dataSizes.begin(), scop.dataSizes.end(), isNamed)
                                               ? Expr::integer(lengthOfRow)
                                               : Expr();
                                  })
                     : bound;
      };
      box.emplace_back(sized(low), sized(high));
    }
    boxes.push_back(box);
  }
}

void Instances::addLoops(const Body &body, const Box &around) {
  for (const Node &node : body) {
    if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      addLoops((*branch)->then, around);
      addLoops((*branch)->otherwise, around);
    } else if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      Box inner = around;
      if ((*loop)->step == 1) inner.emplace_back((*loop)->first, (*loop)->limit);
      if ((*loop)->step == 1) loops.push_back(inner);
      addLoops((*loop)->body, inner);
    }
  }
}

double Instances::count(const Values &sizes, bool isOuter) const {
  double total = 0;
  for (const Box &box : boxes) {
    double points = 1, most = 1;
    for (const auto &[first, limit] : box) {
      const auto low = valueOf(first, sizes), high = valueOf(limit, sizes);
      points *= low && high ? static_cast<double>(std::max<std::int64_t>(0, *high - *low)) : 1e9;
      most = std::max(most, points);
    }
    total += isOuter ? most : points;
  }
  if (!isOuter) return total;
  for (const Box &nest : loops) {
    double turns = 1;
    for (const auto &[first, limit] : nest) {
      const auto low = valueOf(first, sizes), high = valueOf(limit, sizes);
      if (low && high) turns *= static_cast<double>(std::max<std::int64_t>(0, *high - *low));
    }
    total = std::max(total, turns);
  }
  return total;
}

double Instances::at(const Values &sizes) const { return count(sizes, false); }
double Instances::turns(const Values &sizes) const { return count(sizes, true); }

Result<Memory> memoryFor(const TileProgram &program, const TileProgram &source, const Values &sizes,
                         std::int64_t most) {
  Memory memory;
  for (const std::string &size : program.sizes) memory.sizes.emplace_back(size, sizes.at(size));
  for (const auto &[name, type] : program.scalars) memory.scalars.emplace_back(name, isFloating(type) ? 0.75 : 2);
  for (const TileArray &array : program.arrays) {
    if (array.space != Space::Argument) continue;
    const Result<std::int64_t> elements = elementsOf(array, sizes, most);
    if (!elements) return elements.refusal();
    memory.arrays.emplace_back(array.name, data(array, program, 0, *elements));
  }
  return withRoom(std::move(memory), program, source, most);
}

} // namespace polymend
