// What the threads of a block share.
#pragma once

#include "machine.h"
#include "races.h"

namespace emulated {

/// Shared memory holds the system's part, the variables of kernels, then what a launch asks for, at an address of
/// which 16 divides, as promised, and 32 does not.
constexpr std::uint32_t systemBytes = 1024, windowBytes = 256 * 1024, mostDynamicBytes = 232448;
/// The byte that nothing has written: floats of any width are NaN.
constexpr unsigned char poison = 0xff;

/// A barrier in shared memory.
struct Mbarrier {
  std::uint32_t count = 0, pending = 0;
  std::int64_t bytes = 0; // that copies still owe to this phase
  std::uint64_t phase = 0;
  bool shown = false; // to the copy engine
  Clock told, ended;  // by who arrives; by the end of the last phase
  Waiters waiters;
};

/// A barrier by number.
struct NamedBarrier {
  unsigned arrived = 0, threads = 0;
  bool asked = false, answered = false; // whether any of those who meet now, or met last, had a predicate that holds
  Clock told;                           // to those who meet now
  std::shared_ptr<const Clock> learnt;  // of those who met last
  Waiters waiters;
};

struct Rendezvous;

struct Warp {
  int number = 0;              // within the block
  std::uint32_t live = 0;      // lanes that have not ended
  std::vector<Thread *> ready; // lanes that can go on
  bool queued = false;
  std::vector<std::shared_ptr<Rendezvous>> meetings; // that some lane has not come to yet
};

struct Block {
  uint3 index{};
  std::deque<Thread> threads;
  std::deque<Warp> warps;
  std::deque<std::shared_ptr<Warpgroup>> warpgroups;
  unsigned live = 0;
  char *shared = nullptr; // windowBytes, as threads see them
  char *proxy = nullptr;  // the same, as products see them
  std::map<std::uint32_t, Mbarrier> mbarriers;
  NamedBarrier named[16];
  int copies = 0; // on their way
  std::int64_t freeRegisters = 0;
  Waiters registers;
  std::shared_ptr<struct Races> races;
};

/// Where this launch's dynamic shared memory begins in the window.
std::uint32_t dynamicOffset();
/// The address in the window of an object in the current block's shared memory.
std::uint32_t sharedOffset(const volatile void *object);
/// The bytes [offset, offset + bytes) of a view of shared memory; fails where they lie outside.
char *sharedBytes(Block &block, char *view, std::uint32_t offset, std::uint32_t bytes, const char *what);
/// Room for a variable of a kernel, in every block.
std::size_t reserveShared(std::size_t bytes, std::size_t alignment);

/// All live threads of the block, or `threads` of them, meet at a numbered barrier.
/// True where the predicate holds for any of them.
bool namedBarrier(unsigned number, unsigned threads, bool predicate = false);
void barrierEnds(Block &block);
/// Fails where the current thread has products in flight.
void productsEnd();
/// Fails where it has copies in flight that nobody waits for.
void chunksEnd();
std::shared_ptr<Warpgroup> newWarpgroup();

} // namespace emulated
