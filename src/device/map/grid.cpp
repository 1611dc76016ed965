#include "grid.h"

#include "ahead.h"
#include "arrivals.h"
#include "beside.h"
#include "device/depends.h"
#include "device/invariant_values.h"
#include "device/joined_deals.h"
#include "device/joined_sums.h"
#include "device/layout.h"
#include "device/loop_ends.h"
#include "device/one_condition.h"
#include "device/points_in_tile.h"
#include "device/rings.h"
#include "device/stride.h"
#include "device/team_body.h"
#include "groups.h"
#include "segments.h"
#include "tile/visit.h"
#include "whole_rows.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Team = DeviceTeam::Kind;
using Place = DeviceTile::Place;

Kernel withNeededTiles(Kernel kernel) {
  const std::set<std::string> used = usedIn(kernel.body);
  std::erase_if(kernel.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  return kernel;
}

class GridMapper {
public:
  GridMapper(const Kernel &k, const GpuMap &m) : kernel(withNeededTiles(k)), map(m), scope(m.scope) {}
  Result<DeviceKernel> run(const Kernel *next, const std::vector<const Kernel *> &users);

private:
  std::optional<Refusal> measure();
  void prepare();
  void runBeside(const Kernel *next);
  void readFewTerms();
  void holdLines();
  void joinArrivals(const Kernel &next);
  [[nodiscard]] bool hasFewValues() const;
  [[nodiscard]] bool runsPerThread() const;
  [[nodiscard]] bool serves(const std::vector<const Kernel *> &users) const;
  [[nodiscard]] Surroundings surroundings() const;
  [[nodiscard]] bool has(Place place) const { return !layout.at(place).empty(); }

  Kernel kernel;
  const GpuMap &map;
  Scope &scope;
  DeviceKernel result;
  DeviceTeam team;
  Layout layout;
  std::optional<GroupPlan> groups;
  std::set<std::string> written, held;
};

std::optional<Refusal> GridMapper::measure() {
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    const std::optional<Box> box = boxOf(kernel.grid, i);
    if (!box)
      return Refusal{"the bounds of the grid dimension '" + kernel.grid[i].variable + "' have no box", placeOf(kernel)};
    team.box.emplace_back(box->first, box->limit);
  }
  for (const TileArray &a : kernel.tiles)
    for (const Expr &extent : a.extents)
      if (usesAny(extent, kernel.grid))
        return Refusal{"the size of '" + a.name + "' changes over the grid", placeOf(kernel, a.name)};
  return std::nullopt;
}

std::set<std::string> namesOf(const std::vector<TileArray> &tiles) {
  std::set<std::string> names;
  for (const TileArray &a : tiles) names.insert(a.name);
  return names;
}

/// Has the region few points: a constant number, or not more than a tile has elements, of which each sets one?
bool isSmall(const TilePoints &points, const std::set<std::string> &tiles) {
  constexpr std::int64_t few = 64;
  std::int64_t total = 1;
  const bool sets = std::ranges::all_of(points.body, [&](const TileAssign &a) {
    return tiles.contains(a.target.array) && a.target.subscripts.size() == points.dims.size();
  });
  const auto isParallel = [](const PointDim &d) { return d.kind == PointDim::Kind::Parallel; };
  if (sets && std::ranges::all_of(points.dims, isParallel)) return true;
  const std::map<std::string, Interval> known = boundsOfDims(points);
  for (const PointDim &d : points.dims) {
    const Interval &bounds = known.at(d.variable);
    if (!bounds.low() || !bounds.high() || *bounds.high() - *bounds.low() >= few) return false;
    total *= std::max<std::int64_t>(*bounds.high() - *bounds.low() + 1, 0);
  }
  return total <= few;
}

/// Are the arrays that a point has for itself small enough for a thread, and nothing in it more work than for one?
bool GridMapper::hasFewValues() const {
  constexpr std::int64_t mostBytes = 512;
  std::int64_t bytes = 0;
  bool arrays = false;
  const std::set<std::string> own = namesOf(kernel.tiles);
  for (const TileArray &a : kernel.tiles) {
    std::int64_t size = bytesOf(a.type);
    arrays = arrays || !a.extents.empty();
    for (const Expr &extent : a.extents) {
      const Expr length = simplify(extent);
      if (length.op() != Op::Integer || a.space == Space::Row) return false;
      size *= std::clamp<std::int64_t>(length->integer, 1, mostBytes + 1);
    }
    if (!a.extents.empty()) bytes += std::min(size, mostBytes + 1);
  }
  return arrays && bytes <= mostBytes && kernel.fallback.empty() &&
         !any<TilePoints>(kernel.body, [&](const TilePoints &points) { return !isSmall(points, own); });
}

/// Without parallel work inside a point, and with nothing but scalars or a few elements, a point is a thread.
bool GridMapper::runsPerThread() const {
  if (hasFewValues()) return true;
  const bool scalars =
      std::all_of(kernel.tiles.begin(), kernel.tiles.end(), [](const TileArray &a) { return a.extents.empty(); });
  return scalars && !any<TilePoints>(kernel.body, [&](const TilePoints &p) {
           return !scope.strict() || !dealOf(p, {}, scope).dealt.empty();
         });
}

/// Finds out where all is, and how threads share the work. Groups run points whose tiles are scalars that each of their
/// threads holds.
void GridMapper::prepare() {
  kernel.body = prepareBody(kernel.body, scope.strict());
  team.kind = runsPerThread() ? Team::Thread : Team::Block;
  held = heldScalars(kernel, scope);
  if (team.kind == Team::Thread) held = namesOf(kernel.tiles);
  layout = layOut(kernel.tiles, held, map.facts.sharedBytes);
  written = writtenIn(kernel.body);
  if (team.kind == Team::Thread || has(Place::Shared) || has(Place::Slice)) return;
  const TileBlock rows = withWholeRows(kernel.body);
  groups = planGroups(rows, kernel.grid, held, scope, map.facts.asynchronousCopies);
  if (groups && groups->row)
    kernel.body = rows;
  else
    groups = planGroups(kernel.body, kernel.grid, held, scope, map.facts.asynchronousCopies);
  if (groups) team.kind = Team::Group;
}

/// Points beside one another that read neighbours: a thread each, or a few, which take elements in turn.
void GridMapper::runBeside(const Kernel *next) {
  if (team.kind == Team::Thread || has(Place::Shared) || has(Place::Slice) || (groups && groups->row)) return;
  if (scope.strict() || !kernel.fallback.empty() || (next && arrivalsFor(kernel, *next))) return;
  if (!readsBeside(kernel.body, kernel.grid, namesOf(kernel.tiles))) return;
  const TileBlock rows = withKnownRows(kernel.body);
  auto plan = planBeside(rows, kernel.grid, held, scope);
  if (!plan) return;
  kernel.body = rows;
  groups = std::move(plan);
  team.kind = Team::Group;
  team.beside = true;
  team.apart = runsAlike(kernel.body, kernel.grid, team.box);
}

Surroundings GridMapper::surroundings() const {
  Surroundings s;
  s.team = team.kind;
  s.repeats = true;
  s.readsAhead = static_cast<bool>(team.terms);
  s.memory.threads = team.threads;
  s.memory.ahead = true;
  if (team.kind == Team::Thread) return s;
  s.memory.replicated = held;
  if (groups) s.memory = groups->memory;
  s.memory.tiles = s.shared = layout.at(Place::Shared);
  s.memory.owned = layout.at(Place::Owned);
  s.shared.merge(layout.at(Place::Slice));
  for (const std::string &array : written)
    if (!held.contains(array)) s.shared.insert(array);
  return s;
}

/// Sums of few terms need few threads; rows of which each thread has one element need no shared memory.
void GridMapper::readFewTerms() {
  const auto few = fewTerms(kernel.body, surroundings().memory, scope);
  if (!few) return;
  team.threads = few->threads;
  team.terms = few->count;
  if (!has(Place::Slice))
    layout = layOut(kernel.tiles, held, map.facts.sharedBytes, ownedByThreads(kernel.body, surroundings(), scope));
}

/// Which way a value goes along with a variable: 1 up, -1 down, 0 nowhere; absent: nobody knows.
std::optional<int> trendOf(const Expr &e, const std::string &variable) {
  if (const auto step = stepOf(e, variable)) return *step > 0 ? 1 : *step < 0 ? -1 : 0;
  const bool isDivided = e.op() == Op::FloorDiv && e.arg(1).op() == Op::Integer && e.arg(1)->integer > 0;
  if (e.op() == Op::Cast || isDivided) return trendOf(e.arg(0), variable);
  if (e.op() != Op::Min && e.op() != Op::Max) return std::nullopt;
  int all = 0;
  for (const Expr &arg : e->args) {
    const auto own = trendOf(arg, variable);
    if (!own || *own * all < 0) return std::nullopt;
    if (*own != 0) all = *own;
  }
  return all;
}

/// Do points have longer loops the later they come along the outermost dimension, and none of them a shorter one?
bool growsAlong(const Kernel &kernel) {
  const std::string &variable = kernel.grid.front().variable;
  bool grows = false;
  const bool shrinks = any<TileLoop>(kernel.body, [&](const TileLoop &loop) {
    const auto first = trendOf(loop.first, variable), limit = trendOf(loop.limit, variable);
    grows = grows || (first && limit && *first <= 0 && *limit > 0);
    return !first || !limit || *first > 0 || *limit < 0;
  });
  return grows && !shrinks;
}

/// What a thread alone has of each line that it walks along needs no shared memory.
void GridMapper::holdLines() {
  const bool walks = any<TilePoints>(kernel.body, [](const TilePoints &p) {
    return p.dims.size() > 1 && p.dims.front().kind == PointDim::Kind::Parallel &&
           p.dims.back().kind == PointDim::Kind::Serial;
  });
  if (walks && !has(Place::Slice))
    layout = layOut(kernel.tiles, held, map.facts.sharedBytes, ownedByThreads(kernel.body, surroundings(), scope));
}

/// Each of the second kernel's tiles must be a scalar that threads hold, and groups must be able to run it. It is run
/// once in many points: few registers count, not how fast it is.
void GridMapper::joinArrivals(const Kernel &next) {
  const std::optional<std::int64_t> count = arrivalsFor(kernel, next);
  if (!count) return;
  Kernel second = withNeededTiles(next);
  second.body = prepareBody(second.body, scope.strict());
  scope.enter(second);
  const std::set<std::string> scalars = heldScalars(second, scope);
  const bool areHeld = std::all_of(second.tiles.begin(), second.tiles.end(),
                                   [&](const TileArray &a) { return scalars.contains(a.name); });
  auto after = areHeld ? planGroups(second.body, second.grid, scalars, scope, map.facts.asynchronousCopies, false)
                       : std::nullopt;
  if (!after) return;
  after->memory.kept.clear();
  after->memory.fours = 1;
  after->memory.ahead = true;
  held.insert(scalars.begin(), scalars.end());
  written.merge(writtenIn(second.body));
  Surroundings s;
  s.team = Team::Group;
  s.memory = after->memory;
  for (const std::string &array : written)
    if (!held.contains(array)) s.shared.insert(array);
  result.arrival = {next.name, second.grid, *count, {}, mapTeamBody(second.body, s, scope)};
  for (const TileArray &a : second.tiles) result.arrival->tiles.push_back({a, Place::Held});
}

/// Do copying threads have to join the computing ones of such a kernel, for a team to be large enough?
bool needsWholeBlocks(const Kernel &user) { return groupThreads(atomOf(user)) * computingGroups(user) < blockThreads; }

/// Can they? Of warp groups that hand registers over, one copies.
bool hasWholeBlocks(const Kernel &user) {
  return user.roles.back().registers > 0 && groupThreads(atomOf(user)) * (computingGroups(user) + 1) >= blockThreads;
}

/// Whether blocks of these kernels with roles can run points: their threads and memory are enough, and nothing but
/// marks is read that only they write.
bool GridMapper::serves(const std::vector<const Kernel *> &users) const {
  if (users.empty() || team.kind != Team::Block) return false;
  std::set<std::string> globals;
  for (const TileArray &a : map.program.arrays) globals.insert(a.name);
  const std::set<std::string> used = usedIn(kernel.body);
  return std::all_of(users.begin(), users.end(), [&](const Kernel *user) {
    std::set<std::string> left;
    for (const TileRole &role : user->roles) left.merge(writtenIn(role.body));
    left.erase(kernel.fallback);
    const bool own = std::none_of(left.begin(), left.end(), [&](const std::string &array) {
      return used.contains(array) && !written.contains(array) && globals.contains(array);
    });
    const bool enough = !needsWholeBlocks(*user) || (users.size() == 1 && hasWholeBlocks(*user));
    return own && enough && teamOffset(layout.bytes) + teamBytes <= ringBytes(*user) && pointsInTile(*user, kernel);
  });
}

Result<DeviceKernel> GridMapper::run(const Kernel *next, const std::vector<const Kernel *> &users) {
  scope.enter(kernel);
  if (const std::optional<Refusal> refusal = measure()) return *refusal;
  prepare();
  if (users.empty()) runBeside(next);
  result.isCalled = serves(users);
  result.byWholeBlocks = result.isCalled && needsWholeBlocks(*users.front());
  if (team.kind == Team::Block && !result.isCalled) {
    readFewTerms();
    if (!team.terms) holdLines();
  }
  for (const PointDim &d : kernel.grid) scope.signs.note(d);
  if (groups && !groups->row && next && !team.beside) joinArrivals(*next);
  if (groups) {
    team.fours = groups->memory.fours;
    team.kept = groups->memory.kept;
    team.window = groups->window;
    team.length = groups->length;
    team.row = groups->row;
  }
  team.backwards = team.kind == Team::Block && !result.isCalled && growsAlong(kernel);
  team.sharedBytes = result.isCalled ? teamOffset(layout.bytes) + teamBytes : layout.bytes;
  result.name = kernel.name;
  result.grid = kernel.grid;
  result.fallback = kernel.fallback;
  result.tiles = layout.tiles;
  result.body = mapTeamBody(kernel.body, surroundings(), scope);
  result.team = std::move(team);
  shareNeighbours(result);
  shareSegments(result, scope);
  if (result.team->kind == Team::Thread) {
    result.team->spread = any<TileLoop>(kernel.body, [](const TileLoop &) { return true; });
    result = withInvariantValues(withLoopEnds(std::move(result)), scope);
  }
  return withOneCondition(withJoinedSums(withJoinedDeals(std::move(result))));
}

} // namespace

Result<DeviceKernel> mapGrid(const Kernel &kernel, const Kernel *next, const std::vector<const Kernel *> &users,
                             const GpuMap &map) {
  return GridMapper(kernel, map).run(next, users);
}

} // namespace polymend::device_room
