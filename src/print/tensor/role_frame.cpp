#include "role_frame.h"

#include <algorithm>
#include <cctype>

namespace polymend::print_room {

RoleFrame::RoleFrame(const DeviceKernel &k, DeviceFunction &f, RoleFrame *behind, std::size_t place)
    : kernel(k), roles(*k.roles), function(f), context(f.context), beside(roles.atom.asynchronous),
      lanes(lanesOf(roles.atom)), groupThreads(polymend::groupThreads(roles.atom)),
      elementBytes(multipliedBytes(roles.channels.front().tile.type)), fragments(k, f.context),
      own({f.program.sizes.begin(), f.program.sizes.end()}), values(behind ? behind->values : own), first(behind),
      part(place) {
  for (const DeviceChannel &c : roles.channels) {
    fragments.place(c.tile.name, {slot(c), panelOf(c), c.tile.type});
    const bool isNew = first && !sharesSource(c);
    descriptions[c.tile.name] = isNew ? context.names.fresh(c.tile.name) : nameOf(c);
  }
}

const DeviceChannel &RoleFrame::inFirst(const DeviceChannel &c) const {
  const auto place = std::find_if(roles.channels.begin(), roles.channels.end(),
                                  [&](const DeviceChannel &other) { return other.tile.name == c.tile.name; });
  const std::vector<DeviceChannel> &channels = (first ? first->roles : roles).channels;
  return channels[static_cast<std::size_t>(place - roles.channels.begin())];
}

std::string RoleFrame::nameOf(const DeviceChannel &c) const { return context.names.of(inFirst(c).tile.name); }

bool RoleFrame::sharesSource(const DeviceChannel &c) const {
  const DeviceChannel &other = inFirst(c);
  return c.source == other.source && c.rowsAlong == other.rowsAlong && c.joined == other.joined &&
         c.step == other.step && c.box == other.box && rowsOf(c) == rowsOf(other);
}

std::string RoleFrame::plain(const Expr &e) const { return print_room::plain(e, context); }

/// Literals beyond 32767 are spelt in 64 bits, and so is a product of two variables.
bool RoleFrame::isInt(const Expr &e) const {
  constexpr std::int64_t largest = 32767;
  switch (e.op()) {
  case Op::Integer: return -largest <= e->integer && e->integer <= largest;
  case Op::Symbol: return context.narrow.contains(e->name);
  case Op::Add:
  case Op::Sub: return isInt(e.arg(0)) && isInt(e.arg(1));
  case Op::Mul:
    return (e.arg(0).op() == Op::Integer || e.arg(1).op() == Op::Integer) && isInt(e.arg(0)) && isInt(e.arg(1));
  default: return false;
  }
}

std::string RoleFrame::asInt(const Expr &e) const {
  const Expr value = simplify(e);
  return isInt(value) ? plain(value) : "static_cast<int>(" + printExpr(value, context) + ")";
}

const DeviceChannel &RoleFrame::channelOf(const std::string &name) const {
  return *std::find_if(roles.channels.begin(), roles.channels.end(),
                       [&](const DeviceChannel &c) { return c.tile.name == name; });
}

const TileArray &RoleFrame::sourceOf(const DeviceChannel &c) const {
  return *std::find_if(function.program.arrays.begin(), function.program.arrays.end(),
                       [&](const TileArray &a) { return a.name == c.source; });
}

std::string RoleFrame::full(const DeviceChannel &c) const {
  return "$barriers + 8 * (" + number(c.barriers) + " + " + nameOf(c) + "Slot)";
}
std::string RoleFrame::empty(const DeviceChannel &c) const {
  return "$barriers + 8 * (" + number(c.barriers + c.tile.ring) + " + " + nameOf(c) + "Slot)";
}
std::string RoleFrame::slot(const DeviceChannel &c) const {
  return nameOf(c) + " + " + nameOf(c) + "Slot * " + number(bytesOf(c));
}

void RoleFrame::advance(const DeviceChannel &c, Writer &out) const {
  if (c.tile.ring == 1)
    out.line(nameOf(c) + "Phase ^= 1;");
  else
    out.line("if (++" + nameOf(c) + "Slot == " + number(c.tile.ring) + ") " + nameOf(c) + "Slot = 0, " + nameOf(c) +
             "Phase ^= 1;");
}

std::string RoleFrame::barrier(const std::string &what) const {
  return context.primitive((beside ? "barrier" : "mbarrier") + what);
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
