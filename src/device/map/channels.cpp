// Channels stand one after the other in shared memory, then their barriers. A tile stands as panels of rows of 128
// bytes; the chunks of 16 bytes within a row are exchanged by the row's number r modulo 8: for 16-bit elements by r,
// for wider ones by r ^ r % 2 * 4. Warps of the copying role take turns as the channels' copiers.
#include "channels.h"

#include "device/rings.h"
#include "polymend/atoms.h"
#include "polymend/machine.h"
#include "tile/filled_rows.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// Warps that copy: at most so many, as many as a quarter of the block each has registers for anyway.
constexpr std::size_t copierWarps = 4;
constexpr std::int64_t panelColumns = 64; // of 16-bit elements

const std::string &tileOf(const TileAsync &copy) { return copy.points.body.front().target.array; }

const TileAsync *copyInto(const std::string &tile, const Kernel &kernel) {
  const TileAsync *found = nullptr;
  for (const TileRole &role : kernel.roles)
    each<TileAsync>(role.body, [&](const TileAsync &async) {
      if (async.kind == TileAsync::Kind::Copy && tileOf(async) == tile) found = &async;
    });
  return found;
}

class ChannelMapper {
public:
  ChannelMapper(const TileProgram &p, DeviceChannel &c, const TileAsync &filled)
      : program(p), channel(c), copy(filled), assign(filled.points.body.front()) {}
  std::optional<Refusal> source(bool byEngine);
  /// Finds how many rows lie one behind the other where data say where they are.
  std::optional<Refusal> runs(const Kernel &kernel);
  /// Does one copy of the engine take all panels of the tile?
  [[nodiscard]] bool isJoined(std::int64_t panels) const;

private:
  [[nodiscard]] Refusal refused(const std::string &what) const { return {what, placeOf(assign.value)}; }
  [[nodiscard]] std::int64_t step(std::size_t d, const std::string &variable) const;
  [[nodiscard]] const TileArray &copied() const;
  bool takesBox(const std::string &row, const std::string &column, const TileArray &array, bool byEngine);

  const TileProgram &program;
  DeviceChannel &channel;
  const TileAsync &copy;
  const TileAssign &assign;
};

/// How far the first two elements along a variable of the tile are apart in a dimension of the source.
std::int64_t ChannelMapper::step(std::size_t d, const std::string &variable) const {
  const auto at = [&](std::int64_t place) {
    return simplify(substitute(assign.value->args[d], [&](const std::string &name) {
      return name == variable ? Expr::integer(place) : Expr();
    }));
  };
  return constant(simplify(at(1) - at(0)));
}

/// Do rows lie in a box of several dimensions, those along the last of these one after the other?
bool ChannelMapper::takesBox(const std::string &row, const std::string &column, const TileArray &array, bool byEngine) {
  const std::size_t rank = array.extents.size(), last = rank - 1;
  const auto uses = [&](std::size_t d, const std::string &name) {
    return symbols(assign.value->args[d]).contains(name);
  };
  std::vector<std::size_t> along;
  for (std::size_t d = 0; d < rank; ++d)
    if (uses(d, row)) along.push_back(d);
  const bool isMatrix = uses(last, column) && step(last, column) == 1 && !uses(last, row);
  if (!byEngine || along.size() < 2 || !isMatrix || channel.run > 0 || assign.where) return false;
  const std::int64_t rows = constant(channel.tile.extents[0]);
  const auto placeAt = [&](std::size_t d, std::int64_t r) {
    const auto at = [&](std::int64_t place) {
      return substitute(assign.value->args[d],
                        [&](const std::string &name) { return name == row ? Expr::integer(place) : Expr(); });
    };
    const Expr apart = simplify(at(r) - at(0));
    return apart.op() == Op::Integer ? apart->integer : -1;
  };
  channel.box.assign(rank, 1);
  for (const std::size_t d : along)
    for (std::int64_t r = 0; r < rows; ++r) channel.box[d] = std::max(channel.box[d], placeAt(d, r) + 1);
  channel.rowsAlong = along.back();
  bool isBox = true;
  for (std::size_t d = 0; d < rank; ++d) {
    isBox = isBox && array.extents[d] && (d == last || !uses(d, column));
    for (std::int64_t r = 0; r < rows && d < last; ++r)
      isBox = isBox && constant(simplify(placeInBox(channel, d, Expr::integer(r)))) == placeAt(d, r);
  }
  std::int64_t all = 1;
  for (const std::int64_t extent : channel.box) all *= extent;
  if (!isBox || all != rows) channel.box.clear();
  return !channel.box.empty();
}

std::optional<Refusal> ChannelMapper::runs(const Kernel &kernel) {
  std::set<std::string> moving{assign.target.subscripts[0]->name};
  std::set<std::string> ours; // lists of chunks, which name none that is not there
  for (const TileArray &array : program.arrays)
    if (array.space == Space::Work) ours.insert(array.name);
  bool isChosen = false;
  for (const TileRole &role : kernel.roles) {
    each<TileLoop>(role.body, [&](const TileLoop &loop) { moving.insert(loop.variable); });
    each<TileAsync>(role.body, [&](const TileAsync &async) {
      const bool isOwn = async.kind == TileAsync::Kind::Copy && tileOf(async) == channel.tile.name;
      isChosen = isChosen || (isOwn && isGathered(async.points.body.front(), moving, ours));
    });
  }
  if (!isChosen) return std::nullopt;
  channel.run = rowsInRun(assign, constant(channel.tile.extents[0]));
  return channel.run > 0 ? std::nullopt : std::optional(refused("rows of the copied tile lie one by one"));
}

/// Finds the copied array; its last dimension runs along the tile's columns, one other along the rows.
std::optional<Refusal> ChannelMapper::source(bool byEngine) {
  const auto at = std::find_if(program.arrays.begin(), program.arrays.end(),
                               [&](const TileArray &a) { return a.name == assign.value->name; });
  if (at == program.arrays.end()) return refused("a copy of no array");
  channel.source = at->name;
  const std::size_t rank = at->extents.size();
  constexpr std::size_t most = 5; // of a copy engine, to which residues are one more
  if (rank < 2 || rank > most || assign.value->args.size() != rank) return refused("a copy of so many dimensions");
  const std::string &row = assign.target.subscripts[0]->name, &column = assign.target.subscripts[1]->name;
  if (takesBox(row, column, *at, byEngine)) return std::nullopt;
  std::size_t found = 0;
  for (std::size_t d = rank; d-- > 0;) {
    const std::set<std::string> used = symbols(assign.value->args[d]);
    const bool rows = used.contains(row), columns = used.contains(column);
    if (columns != (d + 1 == rank) || (rows && columns)) return refused("the copied tile is no matrix of the array");
    if (!at->extents[d] && !staysWithin(assign, *at)) return refused("an extent of the copied array is unknown");
    const std::int64_t next = rows || columns ? step(d, rows ? row : column) : 0;
    if (rows && channel.run > 0 && next == 0) continue; // it tells runs apart
    if ((rows || columns) && (next < 1 || (columns && next > 1)))
      return refused("the copied tile skips elements of the array");
    if (rows && next > 1 && (channel.run > 0 || filledRows(assign) || !at->extents[d]))
      return refused("the copied tile skips rows of an array whose rows data say");
    if (rows && next > 1 && byEngine && rank == most) return refused("a copy of so many dimensions that skips rows");
    if (rows) channel.rowsAlong = d;
    if (rows) channel.step = next;
    found += rows ? 1 : 0;
  }
  if (found != 1) return refused("the rows of the copied tile run along no dimension of the array");
  return std::nullopt;
}

const TileArray &ChannelMapper::copied() const {
  return *std::find_if(program.arrays.begin(), program.arrays.end(),
                       [&](const TileArray &a) { return a.name == channel.source; });
}

bool ChannelMapper::isJoined(std::int64_t panels) const {
  const TileArray &array = copied();
  const std::size_t rank = array.extents.size();
  const std::int64_t width = constant(simplify(usedExtent(array, rank - 1)));
  if (channel.run > 0 && channel.run != constant(channel.tile.extents[0])) return false;
  if (channel.step > 1 || !channel.box.empty()) return false;
  const Expr first = fillOf(copy, channel.run).first.back();
  const bool aligned = first.op() == Op::Integer && first->integer % panelColumns == 0;
  return aligned && panels > 1 && rank < 4 && width > 0 && width % panelColumns == 0 &&
         constant(channel.tile.extents[1]) % panelColumns == 0;
}

/// The copier of what is copied last: when it is done with a grid point, the readers are no more than a ring behind.
std::int64_t lastCopier(const Kernel &kernel, const std::vector<DeviceChannel> &channels) {
  std::string last;
  for (const TileRole &role : kernel.roles)
    each<TileAsync>(role.body, [&](const TileAsync &async) {
      if (async.kind == TileAsync::Kind::Copy) last = tileOf(async);
    });
  for (const DeviceChannel &c : channels)
    if (c.tile.name == last) return c.copier;
  return 0;
}

} // namespace

DeviceFill fillOf(const TileAsync &copy, std::int64_t run) {
  const TileAssign &assign = copy.points.body.front();
  const std::string &row = assign.target.subscripts[0]->name, &column = assign.target.subscripts[1]->name;
  const bool isOne = run == 0 || run == constant(copy.points.dims.front().limit);
  const Expr first = isOne ? Expr::integer(0) : Expr::integer(run) * Expr::symbol(numberOfRun, Type::Int64);
  DeviceFill fill{assign.target.array, {}, filledRows(assign)};
  for (const Expr &subscript : assign.value->args)
    fill.first.push_back(rewrite(substitute(subscript,
                                            [&](const std::string &name) {
                                              return name == row ? first : name == column ? Expr::integer(0) : Expr();
                                            }),
                                 [](const Expr &e) { return simplify(e); }));
  return fill;
}

std::optional<Refusal> mapChannels(const Kernel &kernel, const TileProgram &program, DeviceRoles &roles) {
  std::int64_t elementBytes = 0;
  for (const TileArray &tile : kernel.tiles) {
    if (tile.space != Space::Shared) continue;
    const SourceRange where = placeOf(kernel, tile.name);
    const std::int64_t size = multipliedBytes(tile.type), rows = constant(tile.extents[0]);
    const std::int64_t columns = constant(tile.extents[1]);
    if (size == 0 || (elementBytes != 0 && size != elementBytes)) return Refusal{"copied tiles of these types", where};
    elementBytes = size;
    if (tile.layout != channelLayout(rows, columns, size))
      return Refusal{"'" + tile.name + "', which lies as " + show(tile.layout), where};
    if (rows % 8 != 0 || rows > 256) return Refusal{"a copied tile of so many rows", where};
    const TileAsync *copy = copyInto(tile.name, kernel);
    if (!copy) return Refusal{"a channel that nothing fills", where};
    DeviceChannel channel;
    channel.tile = tile;
    channel.offset = roles.bytes;
    channel.barriers = roles.barriers;
    channel.copier = static_cast<std::int64_t>(roles.channels.size() % copierWarps);
    ChannelMapper mapper(program, channel, *copy);
    if (auto refusal = mapper.runs(kernel)) return refusal;
    if (auto refusal = mapper.source(roles.atom.asynchronous)) return refusal;
    channel.joined = roles.atom.asynchronous && mapper.isJoined(slotBytes(tile) / (rows * rowBytes));
    roles.bytes += slotBytes(tile) * tile.ring;
    roles.barriers += std::int64_t{2} * tile.ring;
    roles.channels.push_back(std::move(channel));
  }
  if (roles.channels.empty()) return Refusal{"roles that hand nothing over", placeOf(kernel)};
  roles.copiers = static_cast<std::int64_t>(std::min(roles.channels.size(), copierWarps));
  roles.copierWarps = std::max<std::int64_t>(1, static_cast<std::int64_t>(copierWarps / roles.channels.size()));
  roles.drawing = lastCopier(kernel, roles.channels);
  return std::nullopt;
}

} // namespace polymend::device_room
