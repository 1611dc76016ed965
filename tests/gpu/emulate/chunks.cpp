// cp.async: a chunk comes at a drawn time between its issue and the arrival that its thread has ordered at a barrier;
// until then its place is poison. The arrival comes after all chunks that the thread had started.
#include "chunks.h"

#include "block.h"
#include "cuda_pipeline_primitives.h"
#include "memory.h"
#include "ptx.h"

#include <cstring>
#include <utility>

namespace emulated {

namespace {

void bring(const Chunk &chunk, Block &block) {
  char *const to = sharedBytes(block, block.shared, chunk.shared, chunk.bytes, "a chunk");
  std::memset(to, 0, chunk.bytes);
  if (chunk.read != 0) std::memcpy(to, chunk.from, chunk.read);
}

} // namespace

void copy_chunk(std::uint32_t shared, const void *from, unsigned bytes, unsigned read) {
  if (bytes != 16) fail("cp.async.cg of " + std::to_string(bytes) + " bytes");
  if (read > bytes) fail("cp.async reads more than it writes");
  if (shared % 16 != 0 || reinterpret_cast<std::uintptr_t>(from) % 16 != 0)
    fail("cp.async of a chunk that is not aligned");
  if (read != 0) requireDevice(from, read, "a chunk reads");
  Block &block = *current->block;
  copyWrites(shared, bytes);
  const Chunk chunk{shared, from, bytes, read};
  if (drawn(3)) {
    bring(chunk, block);
    return;
  }
  std::memset(sharedBytes(block, block.shared, shared, bytes, "a chunk"), poison, bytes);
  current->chunks.push_back(chunk);
}

void chunks_arrive(std::uint32_t barrier) {
  Block *const block = current->block;
  ++block->copies;
  Clock told;
  releaseTo(told);
  later([barrier, block, told, chunks = std::exchange(current->chunks, {})] {
    for (const Chunk &chunk : chunks) bring(chunk, *block);
    --block->copies;
    mbarrier_arrive_copied(barrier, *block, told);
  });
  pause();
}

void copyAside(void *to, const void *from, std::size_t bytes) {
  if (bytes != 4 && bytes != 8 && bytes != 16) fail("an asynchronous copy of " + std::to_string(bytes) + " bytes");
  const std::uint32_t shared = sharedOffset(to);
  if (shared % bytes != 0 || reinterpret_cast<std::uintptr_t>(from) % bytes != 0)
    fail("an asynchronous copy that is not aligned");
  requireDevice(from, bytes, "an asynchronous copy reads");
  copyWrites(shared, static_cast<std::uint32_t>(bytes));
  const auto count = static_cast<unsigned>(bytes);
  std::memset(sharedBytes(*current->block, current->block->shared, shared, count, "a copy"), poison, bytes);
  current->chunks.push_back({shared, from, count, count, current->copyGroups + 1});
}

void closeCopies() { ++current->copyGroups; }

void awaitCopies(std::size_t later) {
  for (const Chunk &chunk : current->chunks)
    if (chunk.group != 0 && chunk.group + later <= current->copyGroups) bring(chunk, *current->block);
  std::erase_if(current->chunks,
                [&](const Chunk &chunk) { return chunk.group != 0 && chunk.group + later <= current->copyGroups; });
}

void chunksEnd() {
  if (!current->chunks.empty()) fail("the thread ended while chunks that it waits for nowhere were on their way");
}

} // namespace emulated
