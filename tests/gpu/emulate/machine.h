// A device in this process: threads are contexts of one host thread, which switches between them only where they meet
// or wait, in an order that a seed draws for each launch. Nobody able to go on is a failure that says who waits for
// what.
#pragma once

#include "chunks.h"
#include "context.h"
#include "vectors.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace emulated {

struct Block;
struct Warp;
struct Warpgroup;
struct Thread;

/// Those who wait for one thing.
struct Waiters {
  std::vector<Thread *> threads;
};

struct Thread {
  uint3 index{};
  int number = 0; // within the block, x fastest
  Block *block = nullptr;
  Warp *warp = nullptr;
  Warpgroup *warpgroup = nullptr;
  Context context;
  char *stack = nullptr;
  bool ended = false;
  std::string (*waitsFor)(const void *) = nullptr; // while it waits, on `waitsOn`
  const void *waitsOn = nullptr;
  // How far it is in its warpgroup's products; see products.h.
  std::uint64_t issued = 0, committed = 0, retired = 0;
  bool fenced = false;
  int registers = 0;                 // as setmaxnreg counts them
  std::vector<std::uint64_t> groups; // one past the last product of each group that is not retired
  std::vector<Chunk> chunks;         // on their way, and no barrier is to hear of them yet
  std::size_t copyGroups = 0;        // of chunks, closed so far
};

/// The one that runs.
extern Thread *current;

/// Splitmix64.
struct Random {
  std::uint64_t state = 0;
  std::uint64_t operator()() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
};

/// A grid: what each of its threads runs, and how it is cut.
struct Launch {
  const char *name = "";
  dim3 grid, block;
  std::size_t dynamicBytes = 0;
  std::function<void()> body;
  Random random;
};

/// The launch that runs; its generator draws whatever hardware leaves open.
extern Launch *launched;

/// Ends the process: a message, and where in the grid it happened.
[[noreturn]] void fail(const std::string &message);

/// Waits until woken.
void sleep(Waiters &waiters);
/// The same; `text()` says for what.
template <class Text> void sleep(Waiters &waiters, const Text &text) {
  current->waitsOn = &text;
  current->waitsFor = [](const void *on) { return std::string((*static_cast<const Text *>(on))()); };
  sleep(waiters);
}
void wake(Waiters &waiters);
/// Lets others run first, if the draw says so.
void pause();
/// Has `task` run at some later time, before the launch ends; it must not wait.
void later(std::function<void()> task);
/// Has `task` run when nobody else can go on.
void last(std::function<void()> task);
/// True once in `times`, as drawn.
bool drawn(unsigned times);

/// Runs a grid to its end.
void run(Launch &launch);

/// How many blocks are on the device together.
int multiprocessors();

} // namespace emulated
