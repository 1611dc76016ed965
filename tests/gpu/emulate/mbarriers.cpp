// Barriers in shared memory (PTX ISA, "Parallel Synchronization: mbarrier"): a phase ends when no arrival and no byte
// is owed to it. Their words hold a mark, so that a store over a barrier is noticed at its next use.
#include "block.h"
#include "ptx.h"

#include <cstring>

namespace emulated {

namespace {

constexpr std::uint64_t mark = 0x6d62617272696572u;

std::string named(std::uint32_t address) { return "mbarrier at " + std::to_string(address - dynamicOffset()); }

} // namespace

Mbarrier &mbarrierAt(std::uint32_t address, Block &block) {
  const auto found = block.mbarriers.find(address);
  if (found == block.mbarriers.end()) fail(named(address) + " was never prepared");
  std::uint64_t word = 0;
  std::memcpy(&word, block.shared + address, sizeof word);
  if (word != mark) fail(named(address) + " was overwritten");
  return found->second;
}

void settle(Mbarrier &barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  barrier.ended = barrier.told;
  wake(barrier.waiters);
}

namespace {

void arrive(std::uint32_t address, std::int64_t bytes) {
  Mbarrier &barrier = mbarrierAt(address, *current->block);
  if (barrier.pending == 0)
    fail(named(address) + " gets more arrivals than the " + std::to_string(barrier.count) + " of a phase");
  barrier.bytes += bytes;
  --barrier.pending;
  releaseTo(barrier.told);
  settle(barrier);
  pause();
}

} // namespace

void mbarrier_init(std::uint32_t address, std::uint32_t count) {
  if (address % 8 != 0) fail(named(address) + " is not aligned");
  if (count == 0 || count >= 1u << 20) fail(named(address) + " of " + std::to_string(count) + " arrivals");
  Block &block = *current->block;
  std::memcpy(sharedBytes(block, block.shared, address, 8, "a barrier"), &mark, sizeof mark);
  Mbarrier &barrier = block.mbarriers[address];
  if (!barrier.waiters.threads.empty()) fail(named(address) + " is prepared while threads wait for it");
  barrier = {};
  barrier.count = barrier.pending = count;
}

void fence_mbarrier_init() {
  for (auto &[address, barrier] : current->block->mbarriers) barrier.shown = true;
}

void mbarrier_arrive(std::uint32_t address) { arrive(address, 0); }

void mbarrier_arrive_expect_tx(std::uint32_t address, std::uint32_t bytes) { arrive(address, bytes); }

void mbarrier_arrive_copied(std::uint32_t address, Block &block, const Clock &told) {
  Mbarrier &barrier = mbarrierAt(address, block);
  if (barrier.pending == 0)
    fail(named(address) + " gets more arrivals than the " + std::to_string(barrier.count) + " of a phase");
  --barrier.pending;
  tell(barrier.told, told);
  settle(barrier);
}

void mbarrier_wait_parity(std::uint32_t address, std::uint32_t parity) {
  pause();
  Mbarrier &barrier = mbarrierAt(address, *current->block);
  while (barrier.phase % 2 == (parity & 1)) {
    sleep(barrier.waiters, [&barrier, address, parity] {
      return named(address) + ", the end of a phase of parity " + std::to_string(parity & 1) + ": in phase " +
             std::to_string(barrier.phase) + " " + std::to_string(barrier.pending) + " arrivals and " +
             std::to_string(barrier.bytes) + " bytes are missing";
    });
  }
  acquireFrom(barrier.ended);
}

void mbarrier_complete(std::uint32_t address, Block &block, std::uint32_t bytes, const Clock &told) {
  Mbarrier &barrier = mbarrierAt(address, block);
  if (!barrier.shown) fail(named(address) + " was not shown to the copy engine by a fence");
  barrier.bytes -= bytes;
  tell(barrier.told, told);
  settle(barrier);
}

} // namespace emulated
