// Prints the body of a kernel as the work of a block, with barriers where threads must wait for one another.
#pragma once

#include "print/gpu_barriers.h"
#include "print/gpu_region.h"

#include <functional>

namespace polymend::print_room {

/// What a body runs in.
struct Surroundings {
  Team team = Team::Block; // Block, Group, or One: each thread runs a body of its own
  Memory memory;
  std::set<std::string> shared; // arrays through which threads of a block can see one another's writes
  bool repeats = false;         // the body runs again and again
};

/// The body as it is printed: leading Serial dimensions are loops, and independent assignments are apart.
TileBlock prepareBody(const TileBlock &nodes, bool strict);
/// The arrays that the nodes assign.
std::set<std::string> writtenIn(const TileBlock &nodes);
/// The arrays that the nodes read or assign.
std::set<std::string> usedIn(const TileBlock &nodes);

/// The rows among the tiles of which each thread touches the element of its own number, and no other.
std::set<std::string> ownedByThreads(const TileBlock &prepared, const Surroundings &around, Context &context);

void printTeamBody(const TileBlock &prepared, const Surroundings &around, Writer &out, Context &context);

} // namespace polymend::print_room
