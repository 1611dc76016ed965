// Which kernels groups can run. A thread holds more where nothing is stored in rows: with fewer threads to a point less
// is computed by all of them alike; results in rows need registers of their own. Arrays that the kernel does not write
// are read-only; so is one that only the last region of a point writes, where it was read: what a group holds of it is
// not looked at afterwards. Rows whose lengths are read from arrays are taken to be short: a few lanes take the
// elements of a row in turn and hold none, as the next row is another; where such lengths cannot be told before the
// point runs, they are taken to be no longer than what a warp holds.
#include "groups.h"
#include "device/team_body.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::int64_t warpThreads = 32;

/// The last node if it is a region and none behind it touches what it writes.
std::set<std::string> writtenLast(const TileBlock &body) {
  for (std::size_t i = body.size(); i-- > 0;) {
    if (!as<TilePoints>(body[i])) {
      if (any<TilePoints>({body[i]}, [](const TilePoints &) { return true; })) return {};
      continue;
    }
    std::set<std::string> written = writtenIn({body[i]});
    for (const std::string &array : writtenIn({body.begin(), body.begin() + static_cast<std::ptrdiff_t>(i)}))
      written.erase(array);
    for (const std::string &array : usedIn({body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end()}))
      written.erase(array);
    return written;
  }
  return {};
}

std::set<std::string> readOnlyArrays(const TileBlock &body, const std::set<std::string> &held) {
  const std::set<std::string> last = writtenLast(body), written = writtenIn(body);
  std::set<std::string> readOnly;
  for (const std::string &array : usedIn(body))
    if (!held.contains(array) && (!written.contains(array) || last.contains(array))) readOnly.insert(array);
  return readOnly;
}

/// Arrays that more than one region streams.
std::set<std::string> oftenStreamed(const TileBlock &body, const Memory &memory, const Scope &scope) {
  std::map<std::string, int> regions;
  any<TilePoints>(body, [&](const TilePoints &p) {
    std::set<std::string> arrays;
    for (const DeviceStream &s : dealOf(p, memory, scope).streams) arrays.insert(s.array);
    for (const std::string &array : arrays) ++regions[array];
    return false;
  });
  std::set<std::string> often;
  for (const auto &[array, count] : regions)
    if (count > 1) often.insert(array);
  return often;
}

/// limit - first at most, over what is outside `outer`; of a range that is read from arrays `unread`; absent: unknown.
Expr lengthOf(const Expr &first, const Expr &limit, const std::vector<PointDim> &outer, const Expr &unread) {
  if (reads(first) || reads(limit)) return unread;
  Expr length = simplify(limit - first);
  for (std::size_t i = outer.size(); length && i-- > 0;) length = withoutVariable(length, outer[i], true);
  return length && !reads(length) ? length : Expr();
}

/// Are bounds in the block read from arrays?
bool readsRanges(const TileBlock &body) {
  const auto reads = [](const Expr &first, const Expr &limit) {
    return polymend::reads(first) || polymend::reads(limit);
  };
  return any<TileLoop>(body, [&](const TileLoop &l) { return reads(l.first, l.limit); }) ||
         any<TilePoints>(body, [&](const TilePoints &p) {
           return std::any_of(p.dims.begin(), p.dims.end(), [&](const PointDim &d) { return reads(d.first, d.limit); });
         });
}

/// The longest row that is read from arrays, over the grid's variables and what the body leaves alone: of the loops and
/// regions that stand in no other; absent: there is none, or it depends on more.
Expr rowOf(const TileBlock &body, const std::vector<PointDim> &grid, const Scope &scope) {
  const std::set<std::string> written = writtenIn(body);
  Expr row;
  const auto consider = [&](const Expr &first, const Expr &limit) {
    const Expr length = simplify(limit - first);
    bool isKnown = reads(length);
    visit(length, [&](const Expr &e) {
      if (e.op() == Op::Read) isKnown = isKnown && !written.contains(e->name);
      if (e.op() != Op::Symbol) return;
      const bool isCoordinate =
          std::any_of(grid.begin(), grid.end(), [&](const PointDim &d) { return d.variable == e->name; });
      isKnown = isKnown && (isCoordinate || scope.isOverSizes(e));
    });
    if (!isKnown || (row && equal(row, length))) return;
    row = row ? Expr::make(Op::Max, Type::Int64, {row, length}) : length;
  };
  for (const TileNode &node : body) {
    if (const auto *loop = as<TileLoop>(node)) consider(loop->first, loop->limit);
    if (const auto *points = as<TilePoints>(node)) consider(points->dims.front().first, points->dims.front().limit);
  }
  return row;
}

/// The longest of the chunked loops and of the regions outside them.
bool collectLengths(const TileBlock &nodes, std::vector<PointDim> &outer, const Expr &unread,
                    std::vector<Expr> &lengths) {
  for (const TileNode &node : nodes) {
    if (const auto *p = as<TilePoints>(node)) {
      const PointDim &d = p->dims.front();
      lengths.push_back(lengthOf(d.first, d.limit, outer, unread));
    }
    if (const auto *b = as<TileBranch>(node))
      if (!collectLengths(b->then, outer, unread, lengths) || !collectLengths(b->otherwise, outer, unread, lengths))
        return false;
    if (const auto *l = as<TileLoop>(node)) {
      if (!any<TilePoints>(l->body, [](const TilePoints &) { return true; })) continue;
      if (l->step > 1) {
        lengths.push_back(lengthOf(l->first, l->limit, outer, unread));
        continue;
      }
      outer.push_back({l->variable, l->first, l->limit, PointDim::Kind::Serial});
      const bool known = collectLengths(l->body, outer, unread, lengths);
      outer.pop_back();
      if (!known) return false;
    }
  }
  return std::all_of(lengths.begin(), lengths.end(), [](const Expr &e) { return static_cast<bool>(e); });
}

Expr longest(const TileBlock &body, std::vector<PointDim> grid, const Expr &unread) {
  std::vector<Expr> lengths;
  if (!collectLengths(body, grid, unread, lengths)) return {};
  Expr most;
  for (const Expr &length : lengths)
    if (!most || !equal(most, length)) most = most ? Expr::make(Op::Max, Type::Int64, {most, length}) : length;
  return most ? simplify(most) : most;
}

} // namespace

std::optional<GroupPlan> planGroups(const TileBlock &body, const std::vector<PointDim> &grid,
                                    const std::set<std::string> &held, const Scope &scope, bool windows, bool alone) {
  GroupPlan plan;
  plan.memory.replicated = held;
  plan.memory.grouped = true;
  plan.memory.readOnly = readOnlyArrays(body, held);
  if (alone) plan.row = rowOf(body, grid, scope);
  plan.memory.ragged = static_cast<bool>(plan.row);
  bool streams = false, stores = false;
  const bool others = any<TilePoints>(body, [&](const TilePoints &p) {
    const DeviceDeal region = dealOf(p, plan.memory, scope);
    const bool reads = plan.memory.ragged || !region.streams.empty();
    streams = streams || (reads && p.dims.front().kind == PointDim::Kind::Reduced);
    stores = stores || p.dims.front().kind == PointDim::Kind::Parallel;
    return region.form != DeviceDeal::Form::Fours && region.form != DeviceDeal::Form::Whole;
  });
  if (others || (alone && !streams)) return std::nullopt;
  plan.memory.fours = plan.memory.ragged ? 1 : stores ? 4 : 8;
  plan.memory.kept = oftenStreamed(body, plan.memory, scope);
  plan.window = plan.memory.windows = stores && !plan.memory.kept.empty() && windows && !readsRanges(body);
  plan.length = longest(body, grid, Expr::integer(warpThreads * plan.memory.fours * 4));
  return plan;
}

std::optional<GroupPlan> planBeside(const TileBlock &body, const std::vector<PointDim> &grid,
                                    const std::set<std::string> &held, const Scope &scope) {
  GroupPlan plan;
  plan.memory.replicated = held;
  plan.memory.grouped = plan.memory.ragged = true;
  plan.memory.fours = 1;
  const bool others = any<TilePoints>(body, [&](const TilePoints &p) {
    const DeviceDeal region = dealOf(p, plan.memory, scope);
    const bool isShared = region.form == DeviceDeal::Form::Each && region.dealt.size() == 1 && !region.ahead;
    return region.form != DeviceDeal::Form::Whole && region.form != DeviceDeal::Form::Fours && !isShared;
  });
  if (others || readsRanges(body)) return std::nullopt;
  plan.length = longest(body, grid, Expr::integer(warpThreads));
  return plan;
}

} // namespace polymend::device_room
