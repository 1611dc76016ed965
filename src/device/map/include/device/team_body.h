// The body of a kernel as the work of a team: each region dealt out, with barriers where threads must wait for one
// another.
#pragma once

#include "device/deal.h"

namespace polymend::device_room {

/// What a body runs in.
struct Surroundings {
  DeviceTeam::Kind team = DeviceTeam::Kind::Block;
  Memory memory;
  std::set<std::string> shared; // arrays through which threads of a block can see one another's writes
  bool repeats = false;         // the body runs again and again
  bool readsAhead = false;      // what the first terms of sums read is read at the start of a point
};

/// The body as it is mapped: leading Serial dimensions are loops, and independent assignments are apart.
TileBlock prepareBody(const TileBlock &nodes, bool strict);
/// The arrays that the nodes assign.
std::set<std::string> writtenIn(const TileBlock &nodes);
/// The arrays that the nodes read or assign.
std::set<std::string> usedIn(const TileBlock &nodes);

/// The rows among the tiles of which each thread touches the element of its own number, and no other.
std::set<std::string> ownedByThreads(const TileBlock &prepared, const Surroundings &around, Scope &scope);

DeviceBlock mapTeamBody(const TileBlock &prepared, const Surroundings &around, Scope &scope);

/// Nodes over `arrays`, which stand before those of the program, in order by one thread.
DeviceBlock mapAlone(const TileBlock &nodes, const std::vector<TileArray> &arrays, const TileProgram &program,
                     bool strict);

} // namespace polymend::device_room
