// Contexts wait in a heap; its order is one of a few policies: who came first, who came last, small numbers first,
// great ones first, warpgroups in a drawn order, or by chance. Copies under way wait there among the threads.
#include "machine.h"

#include "block.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/mman.h>
#include <unistd.h>

namespace emulated {

Thread *current = nullptr;
Launch *launched = nullptr;

namespace {

enum class Policy { first, last, low, high, groups, chance };
constexpr int policies = 6;

/// A warp whose lanes can go on, or something to be done.
struct Event {
  std::uint64_t key = 0;
  Warp *warp = nullptr;
  Block *block = nullptr;
  std::function<void()> *task = nullptr;
};

/// The heap's front has the smallest key.
bool after(const Event &a, const Event &b) { return b.key < a.key; }

struct Schedule {
  Policy policy = Policy::first, lanes = Policy::first;
  unsigned pauses = 4; // once in how many occasions
  std::uint64_t salt = 0, count = 0, switches = 0;
  std::vector<Event> events;
  Warp *warp = nullptr; // whose lanes take turns now
  Context host;
} schedule;

std::vector<char *> spareStacks, spareWindows;
std::size_t sharedVariables = 0;

std::uint64_t keyOf(const Block &block, const Warp &warp) {
  const std::uint64_t number = block.index.x * 128 + static_cast<std::uint64_t>(warp.number);
  ++schedule.count;
  switch (schedule.policy) {
  case Policy::first: return schedule.count;
  case Policy::last: return ~schedule.count;
  case Policy::low: return number;
  case Policy::high: return ~number;
  case Policy::groups: return ((number / 4 * 0x9e3779b97f4a7c15u) ^ schedule.salt) >> 44 << 44 | schedule.count;
  case Policy::chance: return launched->random();
  }
  return 0;
}

void push(const Event &event) {
  schedule.events.push_back(event);
  std::push_heap(schedule.events.begin(), schedule.events.end(), after);
}

void ready(Thread &thread) {
  Warp &warp = *thread.warp;
  warp.ready.push_back(&thread);
  if (warp.queued || &warp == schedule.warp) return;
  warp.queued = true;
  push({keyOf(*thread.block, warp), &warp, thread.block, nullptr});
}

/// A lane that can go on.
Thread *lane(Warp &warp) {
  auto &lanes = warp.ready;
  if (schedule.lanes == Policy::last) std::swap(lanes.front(), lanes.back());
  if (schedule.lanes == Policy::chance) std::swap(lanes[launched->random() % lanes.size()], lanes.back());
  if (schedule.lanes != Policy::first) {
    Thread *const thread = lanes.back();
    lanes.pop_back();
    return thread;
  }
  Thread *const thread = lanes.front();
  lanes.erase(lanes.begin());
  return thread;
}

/// Who goes on; null where nobody can. Tasks whose turn it is are done.
Thread *next() {
  if (schedule.warp && !schedule.warp->ready.empty()) return lane(*schedule.warp);
  schedule.warp = nullptr;
  while (!schedule.events.empty()) {
    std::pop_heap(schedule.events.begin(), schedule.events.end(), after);
    const Event event = schedule.events.back();
    schedule.events.pop_back();
    if (event.warp) {
      event.warp->queued = false;
      schedule.warp = event.warp;
      return lane(*event.warp);
    }
    const std::unique_ptr<std::function<void()>> task(event.task);
    (*task)();
  }
  return nullptr;
}

void suspend() {
  Thread *const self = current, *const other = next();
  ++schedule.switches;
  if (other == self) return;
  current = other;
  switchContext(self->context, other ? other->context : schedule.host);
}

/// The bottom of every thread's stack.
void begin() {
  launched->body();
  productsEnd();
  chunksEnd();
  current->ended = true;
  Context gone;
  switchContext(gone, schedule.host);
  std::abort();
}

char *window() {
  if (!spareWindows.empty()) {
    char *const memory = spareWindows.back();
    spareWindows.pop_back();
    return memory;
  }
  return static_cast<char *>(std::aligned_alloc(windowBytes, windowBytes));
}

void start(Block &block, unsigned number) {
  const dim3 &grid = launched->grid, &size = launched->block;
  block.index = {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
  block.shared = window();
  block.proxy = window();
  std::memset(block.shared, poison, windowBytes);
  std::memset(block.proxy, poison, windowBytes);
  block.live = size.x * size.y * size.z;
  const unsigned each = std::min(256u, 65536 / ((block.live + 127) / 128 * 128)) / 8 * 8;
  block.freeRegisters = 65536 - static_cast<std::int64_t>(each) * block.live;
  for (unsigned i = 0; i < block.live; ++i) {
    if (i % 32 == 0) block.warps.emplace_back().number = static_cast<int>(i / 32);
    if (i % 128 == 0 && i + 128 <= block.live) block.warpgroups.push_back(newWarpgroup());
    Thread &thread = block.threads.emplace_back();
    thread.index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
    thread.number = static_cast<int>(i);
    thread.block = &block;
    thread.warp = &block.warps.back();
    thread.warpgroup = i / 128 < block.warpgroups.size() ? block.warpgroups[i / 128].get() : nullptr;
    thread.registers = static_cast<int>(each);
    thread.warp->live |= 1u << i % 32;
    thread.stack = spareStacks.empty() ? newStack() : spareStacks.back();
    if (!spareStacks.empty()) spareStacks.pop_back();
    prepare(thread.context, thread.stack, begin);
  }
  racesBegin(block);
  for (Thread &thread : block.threads) ready(thread);
}

void finish(Block &block) {
  if (block.copies > 0) fail("the block ended while copies were on their way to its shared memory");
  const std::size_t end = dynamicOffset() + launched->dynamicBytes;
  for (std::size_t i = end; i < windowBytes; ++i)
    if (static_cast<unsigned char>(block.shared[i]) != poison)
      fail("shared memory was written " + std::to_string(i - end) + " bytes past its end");
  schedule.warp = nullptr;
  for (Thread &thread : block.threads) spareStacks.push_back(thread.stack);
  spareWindows.push_back(block.shared);
  spareWindows.push_back(block.proxy);
}

std::string place(const Thread &thread) {
  return "block " + std::to_string(thread.block->index.x) + " thread " + std::to_string(thread.number);
}

/// Nobody can go on: who waits for what, threads that wait for the same thing together.
[[noreturn]] void deadlock(const std::vector<std::unique_ptr<Block>> &blocks) {
  std::string text = "nobody can go on";
  for (const auto &block : blocks) {
    std::map<std::string, std::vector<int>> waiting;
    for (const Thread &thread : block->threads)
      waiting[thread.ended      ? "ended"
              : thread.waitsFor ? thread.waitsFor(thread.waitsOn)
                                : "nothing"]
          .push_back(thread.number);
    for (const auto &[what, threads] : waiting) {
      text += "\n      block " + std::to_string(block->index.x) + ", threads";
      for (std::size_t i = 0; i < threads.size();) {
        std::size_t j = i;
        while (j + 1 < threads.size() && threads[j + 1] == threads[j] + 1) ++j;
        text += " " + std::to_string(threads[i]) + (j > i ? "-" + std::to_string(threads[j]) : "");
        i = j + 1;
      }
      text += ": " + what;
    }
  }
  current = nullptr;
  fail(text);
}

/// A thread that neither meets others nor ends for this long, in seconds, spins.
constexpr unsigned patience = 60;

void spins(int) {
  static std::uint64_t seen = ~std::uint64_t{0};
  if (launched && current && schedule.switches == seen) {
    const char text[] = "FAIL  emulated: a thread runs on and on without meeting others\n";
    static_cast<void>(!write(1, text, sizeof text - 1));
    _exit(3);
  }
  seen = schedule.switches;
  alarm(patience);
}

std::uint64_t seed() {
  const char *const text = std::getenv("EMULATE_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

} // namespace

void fail(const std::string &message) {
  std::printf("FAIL  emulated: %s%s%s: %s\n", launched ? launched->name : "host", current ? ", " : "",
              current ? place(*current).c_str() : "", message.c_str());
  std::fflush(stdout);
  _exit(3);
}

void sleep(Waiters &waiters) {
  waiters.threads.push_back(current);
  suspend();
  current->waitsFor = nullptr;
}

void wake(Waiters &waiters) {
  for (Thread *const thread : std::exchange(waiters.threads, {})) ready(*thread);
}

bool drawn(unsigned times) { return times != 0 && launched->random() % times == 0; }

void pause() {
  if (!drawn(schedule.pauses)) return;
  if (schedule.warp == current->warp) {
    schedule.warp = nullptr;
    if (!current->warp->ready.empty() && !current->warp->queued) {
      current->warp->queued = true;
      push({keyOf(*current->block, *current->warp), current->warp, current->block, nullptr});
    }
  }
  ready(*current);
  suspend();
}

void later(std::function<void()> task) {
  std::uint64_t key = launched->random();
  if (!schedule.events.empty() && drawn(2)) key = schedule.events[key % schedule.events.size()].key;
  push({key, nullptr, nullptr, new std::function<void()>(std::move(task))});
}

void last(std::function<void()> task) {
  push({~std::uint64_t{0}, nullptr, nullptr, new std::function<void()>(std::move(task))});
}

int multiprocessors() { return 1 + static_cast<int>(seed() % 3); }

void run(Launch &launch) {
  static Random seeds{seed()};
  static const bool watched = std::signal(SIGALRM, spins) != SIG_ERR && alarm(patience) == 0;
  static_cast<void>(watched);
  launch.random.state = seeds();
  launched = &launch;
  schedule.policy = static_cast<Policy>(launch.random() % policies);
  const Policy lanes[] = {Policy::first, Policy::last, Policy::low, Policy::chance};
  schedule.lanes = lanes[launch.random() % 4];
  const unsigned pauses[] = {0, 2, 5, 20};
  schedule.pauses = pauses[launch.random() % 4];
  schedule.salt = launch.random();
  const std::uint64_t total = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  const bool backwards = drawn(2);
  std::vector<std::unique_ptr<Block>> blocks;
  for (std::uint64_t started = 0; started < total || !blocks.empty();) {
    for (; started < total && static_cast<int>(blocks.size()) < multiprocessors(); ++started) {
      blocks.push_back(std::make_unique<Block>());
      start(*blocks.back(), static_cast<unsigned>(backwards ? total - 1 - started : started));
    }
    current = next();
    if (!current) deadlock(blocks);
    switchContext(schedule.host, current->context);
    if (!current) continue;
    Block &block = *current->block;
    --block.live;
    current->warp->live &= ~(1u << current->number % 32);
    barrierEnds(block);
    if (block.live > 0) continue;
    finish(block);
    std::erase_if(blocks, [&](const auto &b) { return b.get() == &block; });
  }
  current = nullptr;
  launched = nullptr;
}

std::size_t reserveShared(std::size_t bytes, std::size_t alignment) {
  const std::size_t at = (systemBytes + sharedVariables + alignment - 1) / alignment * alignment;
  sharedVariables = at + bytes - systemBytes;
  return at;
}

std::uint32_t dynamicOffset() {
  return static_cast<std::uint32_t>((systemBytes + sharedVariables + 31) / 32 * 32 + 16);
}

std::uint32_t sharedOffset(const volatile void *object) {
  const auto *const at = static_cast<const volatile char *>(object);
  const char *const base = current->block->shared;
  if (at < base || at >= base + windowBytes) fail("the address is not in shared memory");
  return static_cast<std::uint32_t>(at - base);
}

char *sharedBytes(Block &block, char *view, std::uint32_t offset, std::uint32_t bytes, const char *what) {
  const std::size_t first = systemBytes, limit = dynamicOffset() + launched->dynamicBytes;
  if (offset < first || offset + std::size_t{bytes} > limit)
    fail(std::string(what) + " outside shared memory: bytes " + std::to_string(offset) + " to " +
         std::to_string(offset + bytes) + " of " + std::to_string(limit));
  static_cast<void>(block);
  return view + offset;
}

} // namespace emulated
