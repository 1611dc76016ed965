// Accesses to memory that nothing orders. Text compiled with -fsanitize-coverage=func,trace-loads,trace-stores tells
// each access; barriers of the block, of warps and in shared memory order them (Flanagan, Freund, "FastTrack", 2009).
#pragma once

#include <cstdint>
#include <vector>

namespace emulated {

struct Block;

/// How far each thread of a block was when what is known here was told.
using Clock = std::vector<std::uint32_t>;

/// Races are looked for from now on: the text was compiled to tell its accesses.
bool watchRaces();
/// Starts a block's threads' clocks.
void racesBegin(Block &block);
/// What the current thread did so far is told to `clock`.
void releaseTo(Clock &clock);
/// The current thread knows what `clock` was told.
void acquireFrom(const Clock &clock);
/// `to` knows what `from` was told.
void tell(Clock &to, const Clock &from);
/// The current thread's copy writes these bytes of shared memory.
void copyWrites(std::uint32_t offset, std::uint32_t bytes);
/// The current thread's instruction reads these bytes of shared memory.
void matrixReads(std::uint32_t offset, std::uint32_t bytes);

} // namespace emulated
