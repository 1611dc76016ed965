// A kernel with roles on its way to text: its channels, and how texts name them. Names of the kernel's own variables
// are written $NAME until all names are known.
#pragma once

#include "device/rings.h"
#include "print/gpu_kernel.h"
#include "role_fragment.h"

namespace polymend::print_room {

/// A ring of tiles in shared memory. A tile stands as panels of rows of 128 bytes; the chunks of 16 bytes within a row
/// are exchanged by the row's number r modulo 8: for 16-bit elements by r, for wider ones by r ^ r % 2 * 4. Each slot
/// has two barriers: full and empty.
struct Channel {
  const TileArray *tile = nullptr;
  std::string name; // in printed text
  std::int64_t rows = 0, columns = 0, panels = 0, bytes = 0;
  std::int64_t offset = 0;   // of the first slot in shared memory
  std::int64_t barriers = 0; // of the first full barrier among all; the empty ones follow
  const TileArray *source = nullptr;
  std::size_t copier = 0; // who copies
  const TileAsync *copy = nullptr;
};

struct RoleFrame {
  RoleFrame(const Kernel &k, DeviceFunction &f)
      : kernel(k), function(f), context(f.context), lanes(lanesOf(atomOf(k))),
        groupThreads(polymend::groupThreads(atomOf(k))), fragments(k, f.context),
        values({f.program.sizes.begin(), f.program.sizes.end()}) {}
  const Kernel &kernel;
  DeviceFunction &function;
  Context &context;
  const std::int64_t lanes, groupThreads; // of a warp, and of a group of warps
  FragmentPrinter fragments;
  HostValues values; // that the kernel's text asks for
  std::vector<Channel> channels;
  std::int64_t barriers = 0, bytes = 0; // of all channels
  std::int64_t groups = 1;              // of the computing role
  std::int64_t elementBytes = 2;        // of all channels' elements
  const PointFunction *fallback =
      nullptr; // with which blocks compute again what they marked; absent: a later launch does

  /// Finds the kernel's channels; refused: a tile that none can be made of.
  std::optional<Refusal> findChannels();
  Channel &channelOf(const std::string &name);
  /// Do others ask whether this one marked anything?
  [[nodiscard]] bool marks() const;
  /// Who copies, each for channels of its own.
  [[nodiscard]] std::int64_t copiers() const;
  /// Warps that a copier has where its threads copy: all that the block has room for.
  [[nodiscard]] std::int64_t warpsOfCopier() const;
  /// The copier of what is copied last: when it is done with a grid point, the readers are no more than a ring behind.
  [[nodiscard]] std::int64_t lastCopier();
  /// The barrier of a channel's current slot that its readers wait for, and the one that its copier waits for.
  [[nodiscard]] static std::string full(const Channel &c);
  [[nodiscard]] static std::string empty(const Channel &c);
  /// The address of a channel's current slot.
  [[nodiscard]] static std::string slot(const Channel &c);
  static void advance(const Channel &c, Writer &out);
  /// The subscripts of the source at the first element of a copied tile.
  [[nodiscard]] static std::vector<Expr> firstOf(const TileAsync &copy);
  /// A name of the host's part that nothing else has.
  const std::string &local(const std::string &wish);
  /// The text with names that nothing of the program has.
  std::string resolved(const std::string &text);
  /// Text of an expression.
  [[nodiscard]] std::string plain(const Expr &e) const;

private:
  std::map<std::string, std::string> locals; // by the name in $NAME
};

inline std::string number(std::int64_t n) { return std::to_string(n); }
/// Do rows of the tile run along the variable?
inline bool runsAlong(const Ref &ref, const std::string &variable) {
  return ref.subscripts[1].op() == Op::Symbol && ref.subscripts[1]->name == variable;
}

} // namespace polymend::print_room
