// Channels stand one after the other in shared memory, then their barriers. Warps of the copying role take turns as the
// channels' copiers.
#include "role_frame.h"

#include "polymend/atoms.h"
#include "polymend/machine.h"

#include "tile/visit.h"

#include <algorithm>
#include <cctype>

namespace polymend::print_room {

using device_room::rowBytes;
using device_room::slotBytes;
namespace {

/// Warps that copy: at most so many, as many as a quarter of the block each has registers for anyway.
constexpr std::size_t copierWarps = 4;

void eachCopy(const TileBlock &nodes, const std::function<void(const TileAsync &)> &f) {
  each<TileAsync>(nodes, [&](const TileAsync &async) {
    if (async.kind == TileAsync::Kind::Copy) f(async);
  });
}

/// Finds the copied array; its last dimension runs along the tile's columns, one other along the rows.
std::optional<Refusal> findSource(Channel &channel, const TileProgram &program) {
  const TileAssign &assign = channel.copy->points.body[0];
  const auto at = std::find_if(program.arrays.begin(), program.arrays.end(),
                               [&](const TileArray &a) { return a.name == assign.value->name; });
  if (at == program.arrays.end()) return Refusal{"a copy of no array", placeOf(assign.value)};
  channel.source = &*at;
  const std::size_t rank = at->extents.size();
  if (rank < 2 || rank > 5 || assign.value->args.size() != rank)
    return Refusal{"a copy of so many dimensions", placeOf(assign.value)};
  const std::string &row = assign.target.subscripts[0]->name, &column = assign.target.subscripts[1]->name;
  for (std::size_t d = rank; d-- > 0;) {
    const std::set<std::string> used = symbols(assign.value->args[d]);
    const bool rows = used.count(row) > 0, columns = used.count(column) > 0;
    if (columns != (d + 1 == rank) || (rows && columns))
      return Refusal{"the copied tile is no matrix of the array", placeOf(assign.value)};
    if (!at->extents[d]) return Refusal{"an extent of the copied array is unknown", placeOf(assign.value)};
  }
  return std::nullopt;
}

} // namespace

std::string RoleFrame::plain(const Expr &e) const { return printExpr(simplify(e), context); }

Channel &RoleFrame::channelOf(const std::string &name) {
  return *std::find_if(channels.begin(), channels.end(), [&](const Channel &c) { return c.tile->name == name; });
}

bool RoleFrame::marks() const {
  return !kernel.fallback.empty() &&
         std::any_of(function.program.kernels.begin(), function.program.kernels.end(),
                     [&](const Kernel &other) { return other.roles.empty() && other.fallback == kernel.fallback; });
}

std::int64_t RoleFrame::copiers() const { return static_cast<std::int64_t>(std::min(channels.size(), copierWarps)); }

std::int64_t RoleFrame::warpsOfCopier() const {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(copierWarps / channels.size()));
}

std::int64_t RoleFrame::lastCopier() {
  std::string last;
  for (const TileRole &role : kernel.roles)
    eachCopy(role.body, [&](const TileAsync &async) { last = async.points.body[0].target.array; });
  return static_cast<std::int64_t>(channelOf(last).copier);
}

std::optional<Refusal> RoleFrame::findChannels() {
  for (const TileArray &tile : kernel.tiles) {
    if (tile.space != Space::Shared) continue;
    const SourceRange where = placeOf(kernel, tile.name);
    Channel channel;
    channel.tile = &tile;
    channel.name = context.names.of(tile.name);
    channel.rows = constant(tile.extents[0]);
    channel.columns = constant(tile.extents[1]);
    const std::int64_t size = multipliedBytes(tile.type);
    if (size == 0 || (!channels.empty() && size != elementBytes)) return Refusal{"copied tiles of these types", where};
    elementBytes = size;
    if (tile.layout != channelLayout(channel.rows, channel.columns, size))
      return Refusal{"'" + tile.name + "', which lies as " + show(tile.layout), where};
    channel.panels = (channel.columns * elementBytes + rowBytes - 1) / rowBytes;
    channel.bytes = slotBytes(tile);
    channel.offset = bytes;
    channel.barriers = barriers;
    bytes += channel.bytes * tile.ring;
    barriers += std::int64_t{2} * tile.ring;
    if (channel.rows % 8 != 0 || channel.rows > 256) return Refusal{"a copied tile of so many rows", where};
    for (const TileRole &role : kernel.roles)
      eachCopy(role.body, [&](const TileAsync &async) {
        if (async.points.body[0].target.array == tile.name) channel.copy = &async;
      });
    if (!channel.copy) return Refusal{"a channel that nothing fills", where};
    if (auto refusal = findSource(channel, function.program)) return refusal;
    channel.copier = channels.size() % copierWarps;
    channels.push_back(channel);
    fragments.place(tile.name, {slot(channel), channel.rows * rowBytes, tile.type});
  }
  return std::nullopt;
}

std::string RoleFrame::full(const Channel &c) {
  return "$barriers + 8 * (" + number(c.barriers) + " + " + c.name + "Slot)";
}
std::string RoleFrame::empty(const Channel &c) {
  return "$barriers + 8 * (" + number(c.barriers + c.tile->ring) + " + " + c.name + "Slot)";
}
std::string RoleFrame::slot(const Channel &c) { return c.name + " + " + c.name + "Slot * " + number(c.bytes); }

void RoleFrame::advance(const Channel &c, Writer &out) {
  if (c.tile->ring == 1)
    out.line(c.name + "Phase ^= 1;");
  else
    out.line("if (++" + c.name + "Slot == " + number(c.tile->ring) + ") " + c.name + "Slot = 0, " + c.name +
             "Phase ^= 1;");
}

std::vector<Expr> RoleFrame::firstOf(const TileAsync &copy) {
  const TileAssign &assign = copy.points.body[0];
  std::vector<Expr> first;
  for (const Expr &subscript : assign.value->args)
    first.push_back(simplify(substitute(subscript, [&](const std::string &name) {
      const bool own = name == assign.target.subscripts[0]->name || name == assign.target.subscripts[1]->name;
      return own ? Expr::integer(0) : Expr();
    })));
  return first;
}

const std::string &RoleFrame::local(const std::string &wish) {
  const auto [at, isNew] = locals.try_emplace(wish);
  if (isNew) at->second = context.names.fresh(wish);
  return at->second;
}

std::string RoleFrame::resolved(const std::string &text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
    result += local(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return result;
}

} // namespace polymend::print_room
