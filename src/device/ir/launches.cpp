#include "device/launches.h"

#include "device/rings.h"
#include "device/walk.h"
#include "polymend/machine.h"
#include "tile/touched.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// The arrays that a kernel reads or writes, and those that it writes.
struct KernelArrays {
  std::set<std::string> used, written;
};

KernelArrays arraysOf(const DeviceKernel &kernel) {
  std::vector<const DeviceBlock *> blocks{&kernel.body};
  KernelArrays result;
  if (kernel.arrival) blocks.push_back(&kernel.arrival->body);
  if (kernel.roles) {
    blocks = {&kernel.roles->copies, &kernel.roles->computes};
    for (const DeviceChannel &c : kernel.roles->channels) result.used.insert(c.source);
    for (const auto &[name, value] : kernel.roles->lets) noteReads(value, result.used);
  }
  for (const DeviceBlock *block : blocks) {
    result.used.merge(usedIn(*block));
    result.written.merge(writtenIn(*block));
  }
  // Tiles of a block are nobody else's.
  std::set<std::string> own;
  for (const DeviceTile &tile : kernel.tiles) own.insert(tile.array.name);
  if (kernel.roles) {
    for (const TileArray &tile : kernel.roles->tiles) own.insert(tile.name);
    for (const DeviceChannel &c : kernel.roles->channels) own.insert(c.tile.name);
  }
  for (const std::string &name : own) {
    result.used.erase(name);
    result.written.erase(name);
  }
  return result;
}

bool meet(const std::set<std::string> &a, const std::set<std::string> &b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string &name) { return b.contains(name); });
}

bool isSameRing(const DeviceChannel &a, const DeviceChannel &b) {
  return slotBytes(a.tile) == slotBytes(b.tile) && a.tile.ring == b.tile.ring &&
         multipliedBytes(a.tile.type) == multipliedBytes(b.tile.type) && a.offset == b.offset &&
         a.barriers == b.barriers && a.copier == b.copier;
}

bool areSameBlocks(const DeviceRoles &a, const DeviceRoles &b) {
  return a.atom.name == b.atom.name && a.groups == b.groups && a.copiers == b.copiers &&
         a.copierWarps == b.copierWarps && a.drawing == b.drawing && a.threads == b.threads && a.copying == b.copying &&
         a.computing == b.computing && a.bytes == b.bytes && a.barriers == b.barriers &&
         layoutOfMatrices(a) == layoutOfMatrices(b) &&
         std::equal(a.channels.begin(), a.channels.end(), b.channels.begin(), b.channels.end(), isSameRing);
}

/// Is it the one kernel with roles of its marks, which are never set?
bool standsAlone(const DeviceProgram &program, const DeviceKernel &kernel) {
  if (!kernel.roles || kernel.roles->marks != DeviceMarks::Never || kernel.roles->order.runs) return false;
  return std::count_if(program.kernels.begin(), program.kernels.end(),
                       [&](const DeviceKernel &k) { return k.roles && k.fallback == kernel.fallback; }) == 1;
}

} // namespace

bool canFollow(const DeviceProgram &program, std::size_t first, std::size_t at) {
  const DeviceKernel &kernel = program.kernels[at], &ahead = program.kernels[first];
  if (first >= at || !ahead.launch.empty() || !standsAlone(program, ahead) || !standsAlone(program, kernel) ||
      !areSameBlocks(*ahead.roles, *kernel.roles))
    return false;
  const KernelArrays own = arraysOf(kernel);
  for (std::size_t k = first; k < at; ++k) {
    const KernelArrays other = arraysOf(program.kernels[k]);
    if (meet(own.written, other.used) || meet(own.written, other.written) || meet(own.used, other.written))
      return false;
  }
  return true;
}

} // namespace polymend::device_room
