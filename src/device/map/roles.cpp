// Warp groups that compute have as many rows of every tile as one atom or one warp each; where products run beside the
// threads, one warp group more copies, else as many warps as the block has registers for.
#include "roles.h"

#include "channels.h"
#include "device/marks.h"
#include "device/named_places.h"
#include "device/points_in_tile.h"
#include "device/rings.h"
#include "device/team_body.h"
#include "polymend/joined_by.h"
#include "polymend/machine.h"
#include "products.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

class RolesMapper {
public:
  RolesMapper(const Kernel &k, const TileProgram &p, bool approximate)
      : kernel(k), program(p), approximates(approximate) {}
  Result<DeviceKernel> run();

private:
  [[nodiscard]] std::int64_t runOf(const TileAsync &copy) const;
  [[nodiscard]] DeviceBlock copying(const TileBlock &nodes) const;
  void threads();
  void alignStores();
  void findStoredRows();

  const Kernel &kernel;
  const TileProgram &program;
  const bool approximates;
  DeviceRoles roles;
};

void RolesMapper::threads() {
  const std::int64_t group = groupThreads(roles.atom);
  roles.threads = roles.atom.asynchronous
                      ? group * (roles.groups + 1)
                      : group * roles.groups + lanesOf(roles.atom) * roles.copierWarps * roles.copiers;
}

/// Elements of 16 bits go out in words of 16 bytes.
void RolesMapper::alignStores() {
  const bool narrow = multipliedBytes(roles.channels.front().tile.type) == 2;
  const std::set<std::string> own = writtenIn(kernel.roles[1].body);
  for (const TileArray &a : program.arrays)
    if ((narrow || isNarrow(a.type)) && a.space == Space::Argument && own.contains(a.name))
      roles.aligned.push_back(a.name);
}

/// How many rows of its tile a condition lets through, where a part of it compares the row with what is the same for
/// all; absent: it compares none.
Expr rowsLetThrough(const Expr &where, const std::string &row) {
  for (const Expr &part : joinedBy(Op::And, where)) {
    if (part.op() != Op::Le && part.op() != Op::Lt) continue;
    const Expr room = part.arg(1) - part.arg(0) + Expr::integer(part.op() == Op::Le ? 1 : 0);
    const Expr rows = simplify(room + Expr::symbol(row, Type::Int64));
    if (!symbols(rows).contains(row) && symbols(part).contains(row)) return rows;
  }
  return {};
}

/// Of tiles of runs, of which many are not full: the rows that all stores to memory let through.
void RolesMapper::findStoredRows() {
  if (!kernel.order->runs || roles.groups == 1) return;
  const auto isFragment = [&](const std::string &name) {
    return std::any_of(roles.tiles.begin(), roles.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  };
  bool isSame = true;
  eachAssign(kernel.roles[1].body, [&](const TileAssign &a) {
    if (isFragment(a.target.array)) return;
    std::string row;
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read && isFragment(e->name) && e->args.front().op() == Op::Symbol) row = e->args.front()->name;
    });
    const Expr rows = row.empty() ? Expr() : rowsLetThrough(a.where, row);
    isSame = isSame && rows && (!roles.rows || equal(simplify(rows - roles.rows), Expr::integer(0)));
    if (rows) roles.rows = rows;
  });
  if (!isSame) roles.rows = {};
}

/// The run of the channel that the copy fills.
std::int64_t RolesMapper::runOf(const TileAsync &copy) const {
  const std::string &tile = copy.points.body.front().target.array;
  const auto channel =
      std::ranges::find_if(roles.channels, [&](const DeviceChannel &c) { return c.tile.name == tile; });
  return channel == roles.channels.end() ? 0 : channel->run;
}

DeviceBlock RolesMapper::copying(const TileBlock &nodes) const {
  DeviceBlock result;
  for (const TileNode &node : nodes) {
    if (const auto *note = as<TileNote>(node)) result.emplace_back(*note);
    if (const auto *copy = as<TileAsync>(node)) result.emplace_back(fillOf(*copy, runOf(*copy)));
    if (const auto *l = as<TileLoop>(node))
      result.emplace_back(std::make_shared<const DeviceLoop>(
          DeviceLoop{l->variable, l->first, l->limit, l->step, DeviceLoop::Kind::Serial, copying(l->body)}));
    if (const auto *b = as<TileBranch>(node))
      result.emplace_back(
          std::make_shared<const DeviceBranch>(DeviceBranch{b->condition, copying(b->then), copying(b->otherwise)}));
  }
  return result;
}

Result<DeviceKernel> RolesMapper::run() {
  if (kernel.roles.size() != 2 || !kernel.order) return Refusal{"these roles", placeOf(kernel)};
  roles.atom = atomOf(kernel);
  roles.order = *kernel.order;
  roles.lets = kernel.lets;
  roles.groups = computingGroups(kernel);
  if (auto refusal = mapChannels(kernel, program, roles)) return *refusal;
  for (const TileArray &tile : kernel.tiles)
    if (tile.space == Space::Fragment) roles.tiles.push_back(tile);
  threads();
  roles.copying = kernel.roles[0].registers;
  roles.computing = kernel.roles[1].registers;
  alignStores();
  findStoredRows();
  roles.copies = copying(kernel.roles[0].body);
  Result<DeviceBlock> computes = mapProducts(kernel, program, roles, approximates);
  if (!computes) return computes.refusal();
  roles.computes = *std::move(computes);
  namePlaces(roles, kernel.grid, program.sizes);
  DeviceKernel result;
  result.name = kernel.name;
  result.grid = kernel.grid;
  result.fallback = kernel.fallback;
  result.roles = std::make_shared<const DeviceRoles>(std::move(roles));
  return result;
}

/// The kernel of the tile program that computes again what is marked; null: there is none.
const Kernel *generalFor(const std::string &marks, const TileProgram &program) {
  const auto at = std::find_if(program.kernels.begin(), program.kernels.end(),
                               [&](const Kernel &k) { return k.roles.empty() && k.fallback == marks; });
  return at == program.kernels.end() ? nullptr : &*at;
}

} // namespace

Result<DeviceKernel> mapRoles(const Kernel &kernel, const TileProgram &program, bool approximates) {
  return RolesMapper(kernel, program, approximates).run();
}

void mapMarks(const TileProgram &program, DeviceProgram &mapped) {
  std::size_t at = 0;
  for (const Kernel &kernel : program.kernels) {
    if (kernel.roles.empty()) continue;
    while (!mapped.kernels[at].roles) ++at;
    DeviceKernel &result = mapped.kernels[at++];
    DeviceRoles roles = *result.roles;
    const Kernel *general = kernel.fallback.empty() ? nullptr : generalFor(kernel.fallback, program);
    const bool isCalled = std::any_of(mapped.kernels.begin(), mapped.kernels.end(), [&](const DeviceKernel &k) {
      return k.isCalled && !kernel.fallback.empty() && k.fallback == kernel.fallback;
    });
    if (isNeverMarked(program, kernel.fallback))
      roles.marks = DeviceMarks::Never;
    else if (isCalled)
      roles.marks = DeviceMarks::Chain;
    else if (general)
      roles.marks = DeviceMarks::Word;
    if (roles.marks == DeviceMarks::Chain) roles.again = pointsInTile(kernel, *general).value();
    result.roles = std::make_shared<const DeviceRoles>(std::move(roles));
  }
}

} // namespace polymend::device_room
