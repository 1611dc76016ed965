// A kernel on matrix units on its way to text: how its channels and threads are called. Names of the kernel's own
// variables are written $NAME until all names are known.
#pragma once

#include "device/rings.h"
#include "polymend/atoms.h"
#include "polymend/machine.h"
#include "print/gpu_kernel.h"
#include "role_fragment.h"

namespace polymend::print_room {

struct RoleFrame {
  /// `behind`: the frame of the first kernel of the launch that its points come in, as number `place`; null: it is the
  /// first itself.
  RoleFrame(const DeviceKernel &k, DeviceFunction &f, RoleFrame *behind = nullptr, std::size_t place = 0);
  RoleFrame(const RoleFrame &) = delete;
  RoleFrame &operator=(const RoleFrame &) = delete;
  const DeviceKernel &kernel;
  const DeviceRoles &roles;
  DeviceFunction &function;
  Context &context;
  const bool beside;                      // do products run beside the threads, and copies by an engine?
  const std::int64_t lanes, groupThreads; // of a warp, and of a group of warps
  const std::int64_t elementBytes;        // of all channels' elements
  FragmentPrinter fragments;
  HostValues own;
  HostValues &values;                      // that the launch's text asks for: its first kernel's
  const PointFunction *fallback = nullptr; // with which blocks compute again what they marked; absent: a later launch

  [[nodiscard]] const DeviceChannel &channelOf(const std::string &name) const;
  /// The array whose elements it takes.
  [[nodiscard]] const TileArray &sourceOf(const DeviceChannel &c) const;
  /// Of the ring whose slots the channel takes: of the channel in its place in the launch's first kernel.
  [[nodiscard]] std::string nameOf(const DeviceChannel &c) const;
  /// How names of what a copy engine knows of the channel's source begin.
  [[nodiscard]] const std::string &described(const DeviceChannel &c) const { return descriptions.at(c.tile.name); }
  /// Has the launch's first kernel the same source for the same copies?
  [[nodiscard]] bool sharesSource(const DeviceChannel &c) const;
  /// The variables that hold a point's number among the kernel's, and how many these are.
  [[nodiscard]] std::string ticket() const { return "$ticket" + suffix(); }
  [[nodiscard]] std::string points() const { return "$points" + suffix(); }
  [[nodiscard]] static std::int64_t rowsOf(const DeviceChannel &c) { return constant(c.tile.extents[0]); }
  [[nodiscard]] static std::int64_t columnsOf(const DeviceChannel &c) { return constant(c.tile.extents[1]); }
  [[nodiscard]] static std::int64_t bytesOf(const DeviceChannel &c) { return device_room::slotBytes(c.tile); }
  /// Bytes of a panel.
  [[nodiscard]] static std::int64_t panelOf(const DeviceChannel &c) { return rowsOf(c) * device_room::rowBytes; }
  /// The barrier of a channel's current slot that its readers wait for, and the one that its copier waits for.
  [[nodiscard]] std::string full(const DeviceChannel &c) const;
  [[nodiscard]] std::string empty(const DeviceChannel &c) const;
  /// The address of a channel's current slot.
  [[nodiscard]] std::string slot(const DeviceChannel &c) const;
  void advance(const DeviceChannel &c, Writer &out) const;
  /// A primitive on barriers: Init, Arrive or Wait.
  [[nodiscard]] std::string barrier(const std::string &what) const;
  /// Threads of a copier that copy, whose arrivals fill a slot.
  [[nodiscard]] std::int64_t copyArrivals() const { return beside ? 1 : lanes * roles.copierWarps; }
  /// The number of the first thread that computes; the others follow.
  [[nodiscard]] std::int64_t firstComputing() const { return beside ? groupThreads : 0; }
  /// The number of a computing thread's group.
  [[nodiscard]] std::string group() const { return beside ? "($warpGroup - 1)" : "$warpGroup"; }
  /// A name of the host's part that nothing else has.
  const std::string &local(const std::string &wish);
  /// The text with names that nothing of the program has.
  std::string resolved(const std::string &text);
  /// Text of an expression.
  [[nodiscard]] std::string plain(const Expr &e) const;
  /// The same as an int, which it fits.
  [[nodiscard]] std::string asInt(const Expr &e) const;
  /// Does C++ compute it as an int?
  [[nodiscard]] bool isInt(const Expr &e) const;

private:
  [[nodiscard]] const DeviceChannel &inFirst(const DeviceChannel &c) const;
  [[nodiscard]] std::string suffix() const { return part == 0 ? "" : "Of" + std::to_string(part); }
  RoleFrame *const first;                          // null: it is that itself
  const std::size_t part;                          // which of the launch's kernels
  std::map<std::string, std::string> descriptions; // by channel
  std::map<std::string, std::string> locals;       // by the name in $NAME
};

/// Do rows of the tile run along the variable?
inline bool runsAlong(const Ref &ref, const std::string &variable) {
  return ref.subscripts[1].op() == Op::Symbol && ref.subscripts[1]->name == variable;
}

} // namespace polymend::print_room
