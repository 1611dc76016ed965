// Channels have one producer and one consumer, and nobody asks whether a slot is ready without waiting for it: a
// bounded Kahn network. What is got, when it may be used and whether all waits end do not depend on who runs when, so
// that one interleaving decides (Kahn, "The semantics of a simple language for parallel programming", 1974).
//
// note [one block]
// A block may be given any of the grid points. That one block which visits all of them does not deadlock decides for
// every other: each role hands back every slot of a grid point before it leaves the point and gets only slots that
// were filled for it (both are checked). So when all roles wait, those furthest behind find the channels as if their
// point were the first, and their waits depend on that point alone.
#include "protocol.h"

#include "polymend/interpret.h"
#include "polymend/verify.h"

#include "multiply.h"
#include "walk.h"

#include "tile/touched.h"
#include "tile/visit.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace polymend {

namespace tile {

namespace {

struct Slot {
  std::size_t visit = 0; // for which it was filled
  std::vector<double> values;
};

struct Channel {
  const TileArray *tile = nullptr;
  std::deque<Slot> full;
  int busy = 0; // slots that are full or held
};

using Channels = std::map<std::string, Channel>;

/// A contraction that may still be at work.
struct Issued {
  std::string name, target;
  std::set<std::string> operands;
};

std::set<std::string> readsOf(const TileAssign &a) {
  std::set<std::string> names;
  const auto add = [&](const Expr &e) {
    if (e.op() == Op::Read) names.insert(e->name);
  };
  visit(a.value, add);
  if (a.where) visit(a.where, add);
  for (const Expr &subscript : a.target.subscripts) visit(subscript, add);
  return names;
}

class RoleRun {
public:
  RoleRun(const Kernel &k, const TileRole &r, const std::vector<GridPoint> &points, const Environment &outer,
          Channels &c, Meaning m)
      : kernel(k), role(r), visits(points), channels(c), meaning(m), env(outer) {
    arrive();
  }
  /// Runs to the next wait or fault; whether it got anywhere.
  bool run();
  [[nodiscard]] bool done() const { return at == visits.size(); }
  /// "role 'r' waits for ..."
  [[nodiscard]] std::string wait() const { return "role '" + role.name + "' waits for " + awaited; }
  [[nodiscard]] const std::optional<std::string> &fault() const { return env.fault; }

private:
  void fail(const std::string &what) { env.fail("role '" + role.name + "' " + what); }
  bool waitFor(const std::string &what);
  void arrive();
  void depart();
  void inTime(const TileAssign &a, bool chained);
  bool step(const TileNote &) { return true; }
  bool step(const TileAssign &a);
  bool step(const std::shared_ptr<const TilePoints> &p);
  bool step(const std::shared_ptr<const TileAsync> &a);
  bool step(const TileSync &s);
  bool step(const std::shared_ptr<const TileLoop> &) { return true; }
  bool step(const std::shared_ptr<const TileBranch> &) { return true; }
  bool copy(const TilePoints &p);
  void contract(const TileAsync &a);
  bool get(const std::string &name);
  void release(const std::string &name);
  void bind(const TileArray &tile, std::vector<double> &values);

  const Kernel &kernel;
  const TileRole &role;
  const std::vector<GridPoint> &visits;
  Channels &channels;
  Meaning meaning;
  Environment env;
  std::size_t at = 0;
  Walk walk;
  Storage tiles;
  std::map<std::string, Slot> held;
  std::vector<Issued> issued;
  std::string awaited;
};

bool RoleRun::waitFor(const std::string &what) {
  awaited = what;
  return false;
}

void RoleRun::arrive() {
  if (done()) return;
  enter(kernel, visits[at], env);
  walk.start(role.body);
  tiles.clear();
  for (const TileArray &a : kernel.tiles)
    if (a.space != Space::Shared && meaning == Meaning::Values) allocate(a, tiles, env);
}

void RoleRun::depart() {
  if (!held.empty()) fail("leaves a grid point without releasing '" + held.begin()->first + "'");
  if (!issued.empty()) fail("leaves a grid point without awaiting '" + issued.front().name + "'");
  ++at;
}

bool RoleRun::run() {
  bool moved = false;
  while (!done() && !env.fault) {
    const TileNode *node = walk.node(env);
    if (env.fault) break;
    if (node) {
      if (!std::visit([&](const auto &x) { return step(x); }, *node)) return moved;
      walk.pass();
    } else {
      depart();
      arrive();
    }
    moved = true;
  }
  return moved;
}

/// What `a` reads must be held and finished; what it assigns, no contraction at work may use. Contractions into one
/// fragment finish in order (`chained`).
void RoleRun::inTime(const TileAssign &a, bool chained) {
  const std::set<std::string> reads = readsOf(a);
  for (const std::string &name : reads)
    if (channels.contains(name) && !held.contains(name)) fail("reads '" + name + "' while it holds no slot of it");
  for (const Issued &i : issued) {
    if (reads.contains(i.target)) fail("reads '" + i.target + "' before it awaits '" + i.name + "'");
    if (i.operands.contains(a.target.array) || (i.target == a.target.array && !chained))
      fail("assigns '" + a.target.array + "' before it awaits '" + i.name + "'");
  }
}

bool RoleRun::step(const TileAssign &a) {
  inTime(a, false);
  if (meaning == Meaning::Values) assign(a, env);
  return true;
}

bool RoleRun::step(const std::shared_ptr<const TilePoints> &p) {
  for (const TileAssign &a : p->body) inTime(a, false);
  if (meaning == Meaning::Values) points(*p, env);
  return true;
}

bool RoleRun::step(const std::shared_ptr<const TileAsync> &a) {
  if (a->kind == TileAsync::Kind::Copy) return copy(a->points);
  contract(*a);
  return true;
}

bool RoleRun::step(const TileSync &s) {
  if (s.kind == TileSync::Kind::Get) return get(s.name);
  if (s.kind == TileSync::Kind::Release)
    release(s.name);
  else if (s.kind == TileSync::Kind::Await)
    std::erase_if(issued, [&](const Issued &i) { return i.name == s.name; });
  return true;
}

void RoleRun::bind(const TileArray &tile, std::vector<double> &values) {
  Elements elements;
  const std::int64_t count = shape(tile, elements, env);
  if (values.empty()) values.resize(static_cast<std::size_t>(count));
  elements.values = &values;
  env.arrays[tile.name] = elements;
}

bool RoleRun::copy(const TilePoints &p) {
  const std::string &name = p.body.front().target.array;
  Channel &channel = channels[name];
  if (channel.busy == channel.tile->ring) return waitFor("a free slot of '" + name + "'");
  ++channel.busy;
  channel.full.push_back({at, {}});
  if (meaning == Meaning::Waits) return true;
  bind(*channel.tile, channel.full.back().values);
  points(p, env, Outside::Zero);
  env.arrays.erase(name);
  return true;
}

void RoleRun::contract(const TileAsync &a) {
  const TileAssign &product = a.points.body.front();
  inTime(product, true);
  issued.push_back({a.name, product.target.array, readsOf(product)});
  if (meaning == Meaning::Values && !multiply(a.points, kernel.tiles, env)) points(a.points, env);
}

bool RoleRun::get(const std::string &name) {
  Channel &channel = channels[name];
  if (held.contains(name)) fail("gets a slot of '" + name + "' while it holds one");
  if (env.fault) return true;
  if (channel.full.empty()) return waitFor("a full slot of '" + name + "'");
  Slot &slot = held[name] = std::move(channel.full.front());
  channel.full.pop_front();
  if (slot.visit != at) fail("gets a slot of '" + name + "' that was filled for another grid point");
  if (meaning == Meaning::Values) bind(*channel.tile, slot.values);
  return true;
}

void RoleRun::release(const std::string &name) {
  if (held.erase(name) == 0) return fail("releases '" + name + "' while it holds no slot of it");
  for (const Issued &i : issued)
    if (i.operands.contains(name)) fail("releases '" + name + "' before it awaits '" + i.name + "'");
  env.arrays.erase(name);
  --channels[name].busy;
}

/// Why nobody moves: what each unfinished role waits for.
std::string deadlock(const std::deque<RoleRun> &runs) {
  std::string text;
  for (const RoleRun &run : runs)
    if (!run.done()) text += (text.empty() ? "" : ", ") + run.wait();
  return text + " forever";
}

std::optional<std::string> run(std::deque<RoleRun> &runs, const Channels &channels) {
  for (bool moved = true; moved;) {
    moved = false;
    for (RoleRun &r : runs) {
      moved |= r.run();
      if (r.fault()) return r.fault();
    }
  }
  if (!std::all_of(runs.begin(), runs.end(), [](const RoleRun &r) { return r.done(); })) return deadlock(runs);
  for (const auto &[name, channel] : channels)
    if (!channel.full.empty()) return "a slot of '" + name + "' is never read";
  return std::nullopt;
}

} // namespace

std::set<std::string> namesReadByLets(const TileProgram &program) {
  std::set<std::string> names;
  for (const Kernel &k : program.kernels) {
    for (const PointDim &d : k.grid) noteReads(d.limit, names);
    for (const auto &[name, value] : k.lets) noteReads(value, names);
  }
  return names;
}

/// The program without roles that makes what lets read of its own arrays, which are arguments then.
TileProgram makingForLets(const TileProgram &program) {
  std::set<std::string> wanted = namesReadByLets(program);
  TileProgram result = program;
  result.kernels.clear();
  for (auto k = program.kernels.rbegin(); k != program.kernels.rend(); ++k) {
    const auto makes = [&](const TileAssign &a) { return wanted.contains(a.target.array); };
    bool isWanted = false;
    eachAssign(*k, [&](const TileAssign &a) { isWanted = isWanted || makes(a); });
    if (!k->roles.empty() || !isWanted) continue;
    eachAssign(*k, [&](const TileAssign &a) { noteReads(a.value, wanted); });
    result.kernels.insert(result.kernels.begin(), *k);
    result.kernels.front().when = {};
  }
  for (TileArray &a : result.arrays)
    if (a.space == Space::Work && wanted.contains(a.name)) a.space = Space::Argument;
  return result;
}

/// The memory with what lets read of the program's own arrays; a fault of what makes it.
std::optional<std::string> makeForLets(const TileProgram &program, Memory &memory) {
  const TileProgram making = makingForLets(program);
  if (making.kernels.empty()) return std::nullopt;
  Environment env;
  for (const auto &[name, value] : memory.sizes) env.integers[name] = value;
  for (std::size_t a = 0; a < program.arrays.size(); ++a) {
    if (program.arrays[a].space == making.arrays[a].space) continue;
    Elements elements;
    memory.arrays.emplace_back(program.arrays[a].name,
                               std::vector<double>(static_cast<std::size_t>(shape(making.arrays[a], elements, env))));
  }
  return interpret(making, memory);
}

/// The arrays that say how far loops run.
Memory readByLets(const TileProgram &program, const Memory &memory) {
  const std::set<std::string> names = namesReadByLets(program);
  Memory result;
  for (const auto &array : memory.arrays)
    if (names.contains(array.first)) result.arrays.push_back(array);
  return result;
}

std::optional<std::string> runRoles(const Kernel &k, const std::vector<GridPoint> &visits, const Environment &outer,
                                    Meaning meaning) {
  Channels channels;
  for (const TileArray &a : k.tiles)
    if (a.space == Space::Shared) channels[a.name].tile = &a;
  std::deque<RoleRun> runs;
  for (const TileRole &r : k.roles) runs.emplace_back(k, r, visits, outer, channels, meaning);
  const auto fault = run(runs, channels);
  return fault ? std::optional("kernel '" + k.name + "': " + *fault) : std::nullopt;
}

} // namespace tile

std::vector<std::string> protocolFaults(const TileProgram &program, const Memory &start) {
  std::vector<std::string> faults = verify(program);
  if (!faults.empty()) return faults;
  tile::Environment env;
  for (const auto &[name, value] : start.sizes) env.integers[name] = value;
  Memory made = start;
  if (const auto fault = tile::makeForLets(program, made)) return {*fault};
  Memory indices = tile::readByLets(program, made);
  for (const TileArray &a : program.arrays)
    for (auto &[name, values] : indices.arrays)
      if (a.name == name) {
        tile::Elements elements;
        tile::shape(a, elements, env);
        elements.values = &values;
        env.arrays[name] = elements;
      }
  for (const Kernel &k : program.kernels) {
    if (k.roles.empty()) continue;
    env.fault.reset();
    const std::vector<tile::GridPoint> visits = tile::gridPoints(k, env);
    const auto fault = env.fault ? env.fault : tile::runRoles(k, visits, env, tile::Meaning::Waits);
    if (fault) faults.push_back(*fault);
  }
  return faults;
}

} // namespace polymend
