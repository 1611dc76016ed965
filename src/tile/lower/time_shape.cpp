// Distances of readings add up along a turn, from its last sweep to its first. As many turns are made as keep what lies
// around a tile thin; a launch must read and write at most a third of what its turns would.
#include "time_shape.h"

#include <algorithm>

namespace polymend {

namespace {

std::int64_t elementsOfTile(const std::vector<std::int64_t> &all) {
  std::int64_t product = 1;
  for (const std::int64_t one : all) product *= one;
  return product;
}

std::int64_t bytesOfElement(const Stencil &stencil) {
  std::int64_t bytes = 0;
  for (const auto &[name, array] : stencil.arrays) bytes += bytesOf(array.type);
  return bytes;
}

/// Tiles of so many turns and extents; absent: nothing would be left of them.
std::optional<TileShape> shapeOf(const Reaches &reach, std::int64_t turns, const std::vector<std::int64_t> &extents) {
  TileShape shape{turns, {}, extents};
  for (std::size_t d = 0; d < reach.size(); ++d) {
    shape.results.push_back(extents[d] - turns * (reach[d].low + reach[d].high));
    if (shape.results.back() * 2 < extents[d]) return std::nullopt;
  }
  return shape;
}

/// Elements that a turn's sweeps read and write of the loop's arrays, each once, for an element of results.
double touchedByTurn(const Stencil &stencil) {
  double touched = 0;
  for (const Sweep &sweep : stencil.sweeps) {
    std::set<std::string> arrays;
    for (const Sweep::Reading &reading : sweep.readings) arrays.insert(reading.array);
    const auto moving = std::ranges::count_if(sweep.axes, [](const auto &axis) { return !axis.variable.empty(); });
    if (static_cast<std::size_t>(moving) == stencil.axes) touched += 1.0 + static_cast<double>(arrays.size());
  }
  return touched;
}

/// The same of a launch, for all of its turns.
double touchedByTile(const Stencil &stencil, const TileShape &shape) {
  const auto lasting = static_cast<double>(stencil.arrays.size() - stencil.passing.size());
  const double around =
      static_cast<double>(elementsOfTile(shape.extents)) / static_cast<double>(elementsOfTile(shape.results));
  return lasting * (1 + around);
}

/// Does a thread take several points of the sweep together, which read one another's neighbours?
bool takesNeighbours(const Sweep &sweep, const Stencil &stencil) {
  bool readsTiles = stencil.axes > 1;
  visit(sweep.assign.value, [&](const Expr &e) {
    const bool isTile = e.op() != Op::Read || stencil.arrays.contains(e->name);
    readsTiles = readsTiles && isTile && (e.op() != Op::Read || e->name != sweep.assign.target.array);
  });
  return readsTiles && sweep.readings.size() > 1;
}

/// Bytes of all arrays that a cache holds, so that a turn by itself costs its launches.
constexpr std::int64_t cachedBytes = std::int64_t{32} << 20;

/// Are turns in tiles faster where each turn reads and writes memory? As measured on an H200: a point of a sweep in a
/// tile takes so many bytes' time.
bool isFasterFromMemory(const Stencil &stencil) {
  constexpr double leastGain = 1.1, together = 7, alone = 11, alonePerByte = 0.5;
  double moved = 0, computed = 0;
  for (const Sweep &sweep : stencil.sweeps) {
    const std::int64_t bytes = bytesOf(stencil.arrays.at(sweep.assign.target.array).type);
    std::set<std::string> arrays{sweep.assign.target.array};
    visit(sweep.assign.value, [&](const Expr &e) {
      if (e.op() == Op::Read && e->args.size() == stencil.axes) arrays.insert(e->name);
    });
    const auto moving = std::ranges::count_if(sweep.axes, [](const auto &axis) { return !axis.variable.empty(); });
    if (static_cast<std::size_t>(moving) != stencil.axes) continue;
    const bool isUpdate = reads(sweep.assign.value, sweep.assign.target.array);
    moved += static_cast<double>(bytes) * static_cast<double>(arrays.size() + (isUpdate ? 1 : 0));
    computed += takesNeighbours(sweep, stencil) ? together : alone + alonePerByte * static_cast<double>(bytes - 4);
  }
  return stencil.axes == 1 || moved >= leastGain * computed;
}

} // namespace

TurnReach reachOf(const Stencil &stencil) {
  TurnReach result{{}, Reaches(stencil.axes)};
  std::map<std::string, Reaches> needed;
  for (const auto &[name, array] : stencil.arrays) needed[name] = Reaches(stencil.axes);
  for (auto sweep = stencil.sweeps.rbegin(); sweep != stencil.sweeps.rend(); ++sweep) {
    const Reaches own = needed[sweep->assign.target.array];
    for (const Sweep::Reading &reading : sweep->readings)
      for (std::size_t d = 0; d < stencil.axes; ++d) {
        Reach &reach = needed[reading.array][d];
        reach.low = std::max(reach.low, own[d].low - reading.distance[d]);
        reach.high = std::max(reach.high, own[d].high + reading.distance[d]);
      }
    result.sweeps.insert(result.sweeps.begin(), own);
  }
  for (const auto &[name, reaches] : needed)
    for (std::size_t d = 0; d < stencil.axes; ++d) {
      result.all[d].low = std::max(result.all[d].low, reaches[d].low);
      result.all[d].high = std::max(result.all[d].high, reaches[d].high);
    }
  return result;
}

std::optional<TileShape> chosenShape(const Stencil &stencil, const Reaches &reach, const TimeTiling &tiling) {
  if (tiling.tiny) {
    TileShape shape{2, {}, {}};
    for (const Reach &r : reach) {
      shape.results.push_back(3);
      shape.extents.push_back(3 + 2 * (r.low + r.high));
    }
    return shape;
  }
  constexpr double leastGain = 3;
  const std::int64_t thinnest = stencil.axes == 1 ? 16 : 5; // as measured on an H200
  if (stencil.axes > 2) return std::nullopt;                // what lies around a tile is as much as the tile
  std::vector<std::int64_t> extents =
      stencil.axes == 1 ? std::vector<std::int64_t>{2048} : std::vector<std::int64_t>{64, 64};
  while (elementsOfTile(extents) * bytesOfElement(stencil) > tiling.bytes && extents.front() > 16) extents.front() /= 2;
  if (elementsOfTile(extents) * bytesOfElement(stencil) > tiling.bytes) return std::nullopt;
  std::optional<TileShape> best;
  for (const std::int64_t turns : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    const auto shape = shapeOf(reach, turns, extents);
    if (!shape) break;
    bool isThin = true;
    for (std::size_t d = 0; d < stencil.axes; ++d)
      isThin = isThin && thinnest * (extents[d] - shape->results[d]) <= extents[d];
    if (turns > 1 && !isThin) break;
    if (touchedByTurn(stencil) * static_cast<double>(turns) >= leastGain * touchedByTile(stencil, *shape)) best = shape;
  }
  if (best && !isFasterFromMemory(stencil)) best->most = cachedBytes / bytesOfElement(stencil);
  return best;
}

} // namespace polymend
