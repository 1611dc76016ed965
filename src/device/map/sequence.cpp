// A kernel without a grid runs once, in order. Loops and branches around parallel regions stay on the host, each region
// becomes a launch over the whole device, with those that follow it and have nothing to do with it, and what lies
// between becomes a launch of one block. A nest of shared loops is a launch whose blocks take its turns, with tiles of
// their own. Launches of one stream run one after another, so that their order is the program's. Other tiles live in
// global memory between launches.
#include "apart.h"
#include "grid.h"
#include "sums_in_order.h"

#include "device/deal.h"
#include "device/team_body.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Team = DeviceTeam::Kind;

constexpr std::int64_t oneBlockPoints = 4096;

/// Whether a region is worth the whole device.
bool isWide(const TilePoints &p, const Scope &scope) {
  const DeviceDeal deal = dealOf(p, {}, scope);
  if (deal.dealt.empty()) return false;
  if (!deal.fixed) return true;
  std::int64_t points = 1;
  for (const DealtDim &d : deal.dealt) points *= d.size;
  return points > oneBlockPoints;
}

bool holdsRegion(const TileBlock &nodes) {
  return any<TilePoints>(nodes, [](const TilePoints &) { return true; });
}

bool isShared(const TileLoop &loop) { return loop.kind == TileLoop::Kind::Shared && loop.step == 1; }

/// What the turns of a nest of shared loops do, and the loops.
std::pair<std::vector<PointDim>, TileBlock> sharedNest(const TileLoop &outer) {
  std::pair<std::vector<PointDim>, TileBlock> result;
  const TileLoop *loop = &outer;
  while (loop != nullptr && isShared(*loop)) {
    result.first.push_back({loop->variable, loop->first, loop->limit, PointDim::Kind::Parallel});
    result.second = loop->body;
    loop = loop->body.size() == 1 ? as<TileLoop>(loop->body.front()) : nullptr;
  }
  return result;
}

/// Several blocks of a processor wait for memory in turn: as many as their tiles and what threads hold on its way to
/// them leave room for.
int residentsOf(const DeviceTeam &team, const std::vector<TileArray> &tiles, const GpuFacts &facts) {
  constexpr std::int64_t ofBlock = 1024;
  const bool holdsFew = std::ranges::all_of(tiles, [](const TileArray &a) { return bytesOf(a.type) >= 8; });
  const std::int64_t most = holdsFew ? 3 : 2;
  const bool isKnown = facts.asynchronousCopies && team.kind == Team::Block && team.sharedBytes > 0;
  return isKnown ? static_cast<int>(
                       std::clamp<std::int64_t>(facts.sharedBytes * 4 / 3 / (team.sharedBytes + ofBlock), 1, most))
                 : 0;
}

TileBlock withoutSharedLoops(const TileBlock &nodes) {
  return rebuild(nodes, [](const TileNode &node) {
    const auto *loop = as<TileLoop>(node);
    return loop && isShared(*loop) ? TileBlock() : TileBlock{node};
  });
}

class SequenceMapper {
public:
  SequenceMapper(const Kernel &k, std::vector<DeviceKernel> &all, const GpuMap &m)
      : kernel(k), kernels(all), map(m), scope(m.scope) {}
  Result<DeviceStep> run();

private:
  DeviceBlock block(const TileBlock &nodes);
  [[nodiscard]] bool staysOnHost(const TileNode &node) const;
  DeviceNode launch(DeviceKernel k);
  DeviceNode single(const TileBlock &prepared, const std::vector<TileArray> &tiles);
  DeviceNode wide(const std::vector<TilePoints> &regions);
  DeviceNode dealtToAll(const TilePoints &p);
  DeviceNode turnsByBlocks(const TileLoop &shared);
  [[nodiscard]] std::optional<TilePoints> regionOf(const TileNode &node) const;
  DeviceNode onHost(const TileNode &node);

  const Kernel &kernel;
  std::vector<DeviceKernel> &kernels;
  const GpuMap &map;
  Scope &scope;
  std::optional<Refusal> refusal; // the first
};

bool SequenceMapper::staysOnHost(const TileNode &node) const {
  const auto wide = [&](const TilePoints &p) { return isWide(p, scope); };
  if (const auto *p = as<TilePoints>(node)) {
    const bool readsBounds =
        std::any_of(p->dims.begin(), p->dims.end(), [](const PointDim &d) { return reads(d.first) || reads(d.limit); });
    return wide(*p) && !readsBounds;
  }
  if (const auto *l = as<TileLoop>(node))
    return isShared(*l) || (!reads(l->first) && !reads(l->limit) &&
                            (any<TilePoints>(l->body, wide) || any<TileLoop>(l->body, isShared)));
  if (const auto *b = as<TileBranch>(node))
    return !reads(b->condition) && (any<TilePoints>(b->then, wide) || any<TilePoints>(b->otherwise, wide));
  return false;
}

DeviceNode SequenceMapper::launch(DeviceKernel k) {
  kernels.push_back(std::move(k));
  return DeviceLaunch{kernels.size() - 1};
}

/// Nodes as the work of one block, or of one thread where they hold no region.
DeviceNode SequenceMapper::single(const TileBlock &prepared, const std::vector<TileArray> &tiles) {
  if (tiles.empty() && !holdsRegion(prepared)) {
    Surroundings alone;
    alone.team = Team::Thread;
    DeviceKernel k;
    k.name = kernel.name;
    k.team = DeviceTeam{};
    k.team->threads = 1;
    k.body = mapTeamBody(prepared, alone, scope);
    return launch(std::move(k));
  }
  Kernel one;
  one.name = kernel.name;
  one.tiles = tiles;
  one.body = withTermsAside(prepared, one.tiles, scope);
  one.grid = {{scope.fresh("only"), Expr::integer(0), Expr::integer(1), PointDim::Kind::Parallel}};
  Result<DeviceKernel> mapped = mapGrid(one, nullptr, {}, map);
  if (mapped) return launch(*std::move(mapped));
  if (!refusal) refusal = mapped.refusal();
  return TileNote{};
}

/// By all threads of a launch, whose points' box is not constant to them.
DeviceNode SequenceMapper::dealtToAll(const TilePoints &p) {
  DeviceDeal deal = dealOf(p, {}, scope);
  deal.form = DeviceDeal::Form::Each;
  deal.fixed = false;
  deal.crossed = false;
  for (DealtDim &d : deal.dealt) {
    const std::optional<Box> box = boxOf(p.dims, d.dim);
    d.checkFirst = !equal(simplify(box->first), simplify(p.dims[d.dim].first));
    d.checkLimit = !equal(simplify(box->limit), simplify(p.dims[d.dim].limit));
  }
  for (const PointDim &d : p.dims) scope.signs.note(d);
  return std::make_shared<const DeviceDeal>(std::move(deal));
}

/// A launch whose blocks take the turns of shared loops, with the tiles that these alone use.
DeviceNode SequenceMapper::turnsByBlocks(const TileLoop &shared) {
  auto [grid, body] = sharedNest(shared);
  Kernel k;
  k.name = kernel.name;
  k.grid = std::move(grid);
  k.body = std::move(body);
  const std::set<std::string> used = usedIn(k.body);
  std::ranges::copy_if(kernel.tiles, std::back_inserter(k.tiles),
                       [&](const TileArray &a) { return used.contains(a.name); });
  Result<DeviceKernel> mapped = mapGrid(k, nullptr, {}, map);
  if (mapped) {
    mapped->team->residents = residentsOf(*mapped->team, k.tiles, map.facts);
    return launch(*std::move(mapped));
  }
  if (!refusal) refusal = mapped.refusal();
  return TileNote{};
}

/// Does a point of a region run a loop?
bool runsOn(const TilePoints &region) {
  return std::ranges::any_of(region.dims, [](const PointDim &d) { return d.kind != PointDim::Kind::Parallel; });
}

/// Regions that are apart, in one launch; sums in order by blocks of their own.
DeviceNode SequenceMapper::wide(const std::vector<TilePoints> &regions) {
  if (auto sums = regions.size() == 1 ? sumsByBlocks(regions.front(), scope) : std::nullopt) {
    sums->name = kernel.name;
    if (Result<DeviceKernel> mapped = mapGrid(*sums, nullptr, {}, map)) return launch(*std::move(mapped));
  }
  DeviceKernel k;
  k.name = kernel.name;
  k.team = DeviceTeam{};
  k.team->kind = Team::Launch;
  for (const TilePoints &p : regions) k.body.push_back(dealtToAll(p));
  k.team->spread = regions.size() == 1 && runsOn(regions.front());
  return launch(std::move(k));
}

/// Is a launch of its own for each more than it costs? Two sweeps over arrays of their own are (fdtd_2d: 2.9 ms in one
/// launch, 2.6 in two); pieces of one sweep, and a row or a column beside a plane, are not.
bool areWorthOneLaunch(const TilePoints &a, const TilePoints &b) {
  const auto writes = [](const TilePoints &points) {
    std::set<std::string> arrays;
    for (const TileAssign &assign : points.body) arrays.insert(assign.target.array);
    return arrays;
  };
  return a.dims.size() != b.dims.size() || a.dims.size() < 2 || writes(a) == writes(b);
}

/// What a launch over the whole device can take in: a region that is worth one, or a statement as a region of one
/// point.
std::optional<TilePoints> SequenceMapper::regionOf(const TileNode &node) const {
  if (const auto *p = as<TilePoints>(node)) return staysOnHost(node) ? std::optional(*p) : std::nullopt;
  const auto *assign = as<TileAssign>(node);
  if (assign == nullptr || assign->where) return std::nullopt;
  return TilePoints{{{"only'", Expr::integer(0), Expr::integer(1), PointDim::Kind::Parallel}}, {*assign}};
}

DeviceNode SequenceMapper::onHost(const TileNode &node) {
  if (const auto *l = as<TileLoop>(node)) {
    if (isShared(*l)) return turnsByBlocks(*l);
    scope.signs.note({l->variable, l->first, l->limit, PointDim::Kind::Serial});
    return std::make_shared<const DeviceLoop>(
        DeviceLoop{l->variable, l->first, l->limit, l->step, DeviceLoop::Kind::Serial, block(l->body)});
  }
  const auto &b = *as<TileBranch>(node);
  return std::make_shared<const DeviceBranch>(DeviceBranch{b.condition, block(b.then), block(b.otherwise)});
}

DeviceBlock SequenceMapper::block(const TileBlock &nodes) {
  DeviceBlock out;
  TileBlock group;
  std::vector<TilePoints> together;
  const auto flush = [&] {
    if (!together.empty()) out.push_back(wide(together));
    together.clear();
    const bool notesOnly = std::all_of(group.begin(), group.end(), [](const TileNode &n) { return as<TileNote>(n); });
    if (!notesOnly) out.push_back(single(group, {}));
    group.clear();
  };
  const auto joins = [&](const TilePoints &region) {
    return group.empty() && !together.empty() && std::ranges::all_of(together, [&](const TilePoints &other) {
             return areWorthOneLaunch(other, region) && areApart(other, region);
           });
  };
  for (const TileNode &node : nodes) {
    const bool isOnHost = staysOnHost(node);
    std::optional<TilePoints> region = regionOf(node);
    if (region && joins(*region)) {
      if (as<TileAssign>(node)) region->dims.front().variable = scope.fresh("only");
      together.push_back(*region);
    } else if (!isOnHost) {
      if (!together.empty()) flush();
      group.push_back(node);
    } else {
      flush();
      if (region)
        together.push_back(*region);
      else
        out.push_back(onHost(node));
    }
  }
  flush();
  return out;
}

Result<DeviceStep> SequenceMapper::run() {
  scope.enter(kernel);
  const TileBlock body = prepareBody(kernel.body, scope.strict());
  const std::set<std::string> used = usedIn(withoutSharedLoops(body));
  std::vector<TileArray> tiles;
  for (const TileArray &a : kernel.tiles)
    if (used.contains(a.name)) tiles.push_back(a);
  DeviceStep step;
  if (any<TilePoints>(body, [&](const TilePoints &p) { return isWide(p, scope); }) || any<TileLoop>(body, isShared)) {
    step.work = tiles;
    step.host = block(body);
  } else {
    step.host = {single(body, tiles)};
  }
  if (refusal) return *refusal;
  return step;
}

} // namespace

Result<DeviceStep> mapSequence(const Kernel &kernel, std::vector<DeviceKernel> &kernels, const GpuMap &map) {
  return SequenceMapper(kernel, kernels, map).run();
}

} // namespace polymend::device_room
