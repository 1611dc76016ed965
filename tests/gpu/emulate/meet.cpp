// Lanes meet mask by mask: an instruction takes place once all lanes that its mask names have come to it.
#include "meet.h"

#include "block.h"

#include <bit>

namespace emulated {

struct Rendezvous : Brought {
  Clock told;
  const char *instruction = "";
  std::uint32_t mask = 0, arrived = 0;
  Waiters waiters;
};

namespace {

std::string lanes(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

/// All are here.
void open(NamedBarrier &barrier) {
  barrier.arrived = 0;
  barrier.answered = std::exchange(barrier.asked, false);
  barrier.learnt = std::make_shared<const Clock>(std::exchange(barrier.told, {}));
  wake(barrier.waiters);
}

} // namespace

std::shared_ptr<const Brought> meet(const char *instruction, std::uint32_t mask, std::uint64_t value) {
  const std::uint32_t self = 1u << current->number % 32;
  if ((mask & self) == 0) fail(std::string(instruction) + ": the mask does not name the thread itself");
  if ((mask & ~current->warp->live) != 0) fail(std::string(instruction) + ": the mask names lanes that have ended");
  auto &meetings = current->warp->meetings;
  std::shared_ptr<Rendezvous> meeting;
  for (const auto &known : meetings) {
    if ((known->mask & self) == 0) continue;
    if (known->mask != mask || (known->instruction != instruction && std::strcmp(known->instruction, instruction) != 0))
      fail(std::string("lanes of one warp are in ") + instruction + " " + lanes(mask) + " and in " +
           known->instruction + " " + lanes(known->mask));
    meeting = known;
  }
  if (!meeting) {
    meeting = meetings.emplace_back(std::make_shared<Rendezvous>());
    meeting->instruction = instruction;
    meeting->mask = mask;
  }
  meeting->arrived |= self;
  const bool orders = std::strcmp(instruction, "__syncwarp") == 0;
  if (orders) releaseTo(meeting->told);
  meeting->of[current->number % 32] = value;
  if (meeting->arrived == mask) {
    std::erase(meetings, meeting);
    wake(meeting->waiters);
    pause();
  } else {
    sleep(meeting->waiters, [&meeting] {
      return std::string(meeting->instruction) + " of lanes " + lanes(meeting->mask) + ", here " +
             lanes(meeting->arrived);
    });
  }
  if (orders) acquireFrom(meeting->told);
  return meeting;
}

bool namedBarrier(unsigned number, unsigned threads, bool predicate) {
  Block &block = *current->block;
  if (number > 15) fail("there is no barrier " + std::to_string(number));
  if (threads != 0 && threads % 32 != 0) fail("a barrier of " + std::to_string(threads) + " threads, not of warps");
  NamedBarrier &barrier = block.named[number];
  if (barrier.arrived > 0 && barrier.threads != threads)
    fail("barrier " + std::to_string(number) + " is of " + std::to_string(barrier.threads) + " and of " +
         std::to_string(threads) + " threads");
  barrier.threads = threads;
  ++barrier.arrived;
  barrier.asked = barrier.asked || predicate;
  releaseTo(barrier.told);
  if (barrier.arrived == (threads == 0 ? block.live : threads)) {
    open(barrier);
    pause();
    acquireFrom(*barrier.learnt);
    return barrier.answered;
  }
  sleep(barrier.waiters, [&barrier, number] {
    return "barrier " + std::to_string(number) + " of " +
           (barrier.threads ? std::to_string(barrier.threads) + " threads" : "the block") + ", " +
           std::to_string(barrier.arrived) + " here";
  });
  acquireFrom(*barrier.learnt);
  return barrier.answered;
}

void barrierEnds(Block &block) {
  NamedBarrier &barrier = block.named[0];
  if (barrier.threads != 0 || barrier.arrived == 0 || barrier.arrived < block.live) return;
  open(barrier);
}

} // namespace emulated
