// A cell of four bytes of shared memory remembers its last writer and a few readers; an access is a race where the
// other's is not known to this thread. Of many readers a drawn few are remembered. Products' reads are no accesses
// here: they are made late instead.
#include "races.h"

#include "block.h"

#include <algorithm>

namespace emulated {

namespace {

constexpr int remembered = 4;
constexpr std::uint32_t cellBytes = 4;

bool watched = false;

struct Access {
  std::uint32_t time = 0; // zero where there was none
  std::uint16_t thread = 0;
  std::uint16_t bytes = 0; // of the cell, a mask
};

struct Cell {
  Access writes[2], reads[remembered];
};

} // namespace

struct Races {
  std::vector<Clock> clocks; // of each thread
  std::vector<Cell> cells{windowBytes / cellBytes};
};

namespace {

bool ordered(const Access &earlier, std::uint16_t bytes, const Clock &clock) {
  return earlier.time == 0 || (earlier.bytes & bytes) == 0 || earlier.thread == current->number ||
         earlier.time <= clock[earlier.thread];
}

[[noreturn]] void race(const char *what, const char *other, const Access &earlier, std::uint32_t offset) {
  fail(std::string(what) + " shared memory at " + std::to_string(static_cast<std::int64_t>(offset) - dynamicOffset()) +
       " that thread " + std::to_string(earlier.thread) + " " + other + ", with no barrier between them");
}

void note(Access *places, int count, const Access &now) {
  for (int i = 0; i < count; ++i)
    if (places[i].time == 0 || places[i].thread == now.thread) {
      places[i] = now;
      return;
    }
  places[launched->random() % static_cast<unsigned>(count)] = now;
}

void access(std::uint32_t offset, std::uint32_t bytes, bool writes) {
  Races &races = *current->block->races;
  const Clock &clock = races.clocks[static_cast<std::size_t>(current->number)];
  const std::uint32_t time = clock[static_cast<std::size_t>(current->number)];
  for (std::uint32_t at = offset; at < offset + bytes;) {
    const std::uint32_t within = at % cellBytes, count = std::min(cellBytes - within, offset + bytes - at);
    Cell &cell = races.cells[at / cellBytes];
    const auto mask = static_cast<std::uint16_t>(((1u << count) - 1) << within);
    for (const Access &write : cell.writes)
      if (!ordered(write, mask, clock)) race(writes ? "a store to" : "a load of", "writes", write, at);
    if (writes)
      for (const Access &read : cell.reads)
        if (!ordered(read, mask, clock)) race("a store to", "reads", read, at);
    const Access now{time, static_cast<std::uint16_t>(current->number), mask};
    if (writes)
      note(cell.writes, 2, now);
    else
      note(cell.reads, remembered, now);
    at += count;
  }
}

/// An access by the text; others than to the block's shared memory are of no interest.
void told(const void *address, std::uint32_t bytes, bool writes) {
  if (!watched || !current) return;
  const auto offset = static_cast<std::uintptr_t>(static_cast<const char *>(address) - current->block->shared);
  if (offset < windowBytes) access(static_cast<std::uint32_t>(offset), bytes, writes);
}

} // namespace

void tell(Clock &to, const Clock &from) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

namespace {

Clock &own() { return current->block->races->clocks[static_cast<std::size_t>(current->number)]; }

} // namespace

bool watchRaces() { return watched = true; }

void racesBegin(Block &block) {
  if (!watched) return;
  block.races = std::make_shared<Races>();
  block.races->clocks.assign(block.threads.size(), Clock(block.threads.size()));
  for (std::size_t i = 0; i < block.threads.size(); ++i) block.races->clocks[i][i] = 1;
}

void releaseTo(Clock &clock) {
  if (!watched) return;
  tell(clock, own());
  ++own()[static_cast<std::size_t>(current->number)];
}

void acquireFrom(const Clock &clock) {
  if (watched) tell(own(), clock);
}

void copyWrites(std::uint32_t offset, std::uint32_t bytes) {
  if (watched) access(offset, bytes, true);
}

void matrixReads(std::uint32_t offset, std::uint32_t bytes) {
  if (watched) access(offset, bytes, false);
}

} // namespace emulated

#define TOLD(bytes)                                                                                                    \
  extern "C" void __sanitizer_cov_load##bytes(const void *at) { emulated::told(at, bytes, false); }                    \
  extern "C" void __sanitizer_cov_store##bytes(const void *at) { emulated::told(at, bytes, true); }
TOLD(1)
TOLD(2)
TOLD(4)
TOLD(8)
TOLD(16)
