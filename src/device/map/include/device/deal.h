// How the threads of a team share the points of a region.
#pragma once

#include "polymend/device.h"

#include "device/dealt.h"
#include "device/scope.h"

namespace polymend::device_room {

/// What dealing out needs to know about a team and its memory.
struct Memory {
  std::set<std::string> tiles;      // arrays in shared memory
  std::set<std::string> replicated; // scalars that every thread holds for itself
  std::set<std::string> owned{};    // rows of which each thread has one element in a register
  bool grouped = false;             // groups of threads run the points, one each
  std::set<std::string> readOnly{}; // global arrays whose elements stay the same as long as they are read
  std::set<std::string> kept{};     // those that several regions read
  int fours = 4;                    // of neighbours that each thread of a group holds
  bool windows = false;             // what is kept lies in shared memory where registers cannot hold it
  int threads = blockThreads;       // of a block
  bool ahead = false;               // few terms are read several at a time
  bool ragged = false;              // rows of points have lengths of their own, most of them short: threads take turns
};

/// The region in the form that suits it. `loop` is the one around it, or null.
DeviceDeal dealOf(const TilePoints &points, const Memory &memory, const Scope &scope, const TileLoop *loop = nullptr);

/// Every dimension of the region in order, by one thread.
DeviceDeal dealAlone(const TilePoints &points, const Scope &scope);

/// The streams of a region that a group deals out in fours, and how much is left of each at a piece of it; `loop` is
/// the one around it, or null.
std::vector<DeviceStream> streamsOf(const TilePoints &points, const Memory &memory, const Scope &scope,
                                    const TileLoop *loop);

/// Who touches the elements of `array` in the region, by blocks of `threads`: see Touches.
std::string ownerOf(const std::string &array, const DeviceDeal &deal, int threads);

} // namespace polymend::device_room
